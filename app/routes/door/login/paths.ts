import type { LinkKind, Outcome } from "./link-texts.ts";

export type ResetStep = 1 | 2 | 3 | 4;

export function logInPath(to?: string): string {
  return withTo("/login", to);
}

export function resetPath(step: ResetStep, to?: string): string {
  return withTo(`/login?reset=${step}`, to);
}

export function askLinkPath(step: "ask" | "sent", to?: string): string {
  return withTo(`/login?link=${step}`, to);
}

/** Any other number is the first step. */
export function parseResetStep(text: string): ResetStep {
  return /^[2-4]$/.test(text) ? (Number(text) as ResetStep) : 1;
}

export function outcomePath(outcome: Outcome): string {
  return `/login?done=${outcome}`;
}

export function linkPath(kind: LinkKind, token: string): string {
  const name = kind === "reset" ? "reset=3&token" : kind;
  return `/login?${name}=${encodeURIComponent(token)}`;
}

/** `to`: where the visitor goes after log-in; home needs no parameter. */
function withTo(path: string, to: string | undefined): string {
  if (!to || to === "/") return path;
  return `${path}${path.includes("?") ? "&" : "?"}to=${encodeURIComponent(to)}`;
}
