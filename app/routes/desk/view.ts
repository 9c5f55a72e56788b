import { toCount } from "../../forms/text-of.ts";
import type { ScreenSubject } from "./acts.ts";

/** The screens of the desk, by their addresses: `/desk?view=member&id=12`. */
export const views = [
  "members",
  "member",
  "sign-up",
  "companies",
  "company",
  "codes",
  "code",
  "health",
  "emails",
  "webhooks",
  "jobs",
  "catalogue",
  "figures",
  "content",
  "drafts",
  "preview",
  "audit",
  "access",
] as const;

export type ViewName = (typeof views)[number];

/** The screen of `/desk` alone. */
const HOME: ViewName = "members";

export type DeskView = { name: ViewName | "unknown"; params: URLSearchParams };

export function parseView(params: URLSearchParams): DeskView {
  const asked = params.get("view") ?? HOME;
  return { name: views.find((name) => name === asked) ?? "unknown", params };
}

/** The address of a screen, without the base. A parameter that is `undefined` is left out. */
export function deskPath(name: ViewName, params: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return `/desk?${new URLSearchParams([["view", name], ...given]).toString()}`;
}

/** What the address of a screen names, for the acts of its forms. */
export function readSubject(params: URLSearchParams): ScreenSubject {
  const id = params.get("id") ?? "";
  const { name } = parseView(params);
  if (name === "member" || name === "sign-up" || name === "company") return { [name]: id };
  if (name === "code") return { code: params.get("code") ?? "" };
  return name === "emails" ? { none: params.get("state") === "waiting" ? "waiting" : "failed" } : {};
}

/** A number of an address, such as a member's; `undefined` for anything else. */
export function readNumber(params: URLSearchParams, name: string): number | undefined {
  return toCount(params.get(name) ?? "");
}

/** The rows of a page of a list. */
const PAGE_SIZE = 50;
/** What is read for a page: one row more, which tells whether another page follows. */
export const READ_SIZE = PAGE_SIZE + 1;

/** A page of a list of which `READ_SIZE` rows were read, and the address of the next page if there is one. */
export function cutPage<Row>(found: Row[], pathAfter: (last: Row) => string): { shown: Row[]; nextPath?: string } {
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return found.length > PAGE_SIZE && last !== undefined ? { shown, nextPath: pathAfter(last) } : { shown };
}

/** Several forms of one act on a screen are told apart by what each is about. */
export function formNameOf(act: string, item: string): string {
  return item === "" ? act : `${act} ${item}`;
}
