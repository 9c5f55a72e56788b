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

/** A number of an address, such as a member's; `undefined` for anything else. */
export function readNumber(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name) ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
