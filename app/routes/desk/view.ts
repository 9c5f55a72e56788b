import { toCount } from "../../forms/text-of.ts";

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

/** The parameter that names what a screen is about. */
const subjectParams: Partial<Record<ViewName, string>> = {
  member: "id",
  "sign-up": "id",
  company: "id",
  code: "code",
  emails: "state",
};

/** What the address of a screen names; "" if nothing. */
export function readSubject(params: URLSearchParams): string {
  const { name } = parseView(params);
  const param = name === "unknown" ? undefined : subjectParams[name];
  return (param && params.get(param)) ?? "";
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
export function formNameOf(intent: string, subject: string): string {
  return subject === "" ? intent : `${intent} ${subject}`;
}
