/** My Account lies over any screen of the dashboard: `&account=open`, or one of its parts that is unfolded (design, section 2). */
export type AccountPart = "open" | (typeof folded)[number];

const folded = ["membership", "password", "devices", "data", "close"] as const;

/** Which part an address asks for; `undefined` when My Account is not open. */
export function parseAccountPart(params: URLSearchParams): AccountPart | undefined {
  const asked = params.get("account");
  return asked === null ? undefined : (folded.find((part) => part === asked) ?? "open");
}

/** My Account over the screen at `path`. */
export function accountPath(path: string, part: AccountPart = "open"): string {
  return `${path}${path.includes("?") ? "&" : "?"}account=${part}`;
}
