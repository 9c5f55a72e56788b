import { forms } from "../../server/refusals.ts";
/** How long somebody has to wait, in words: seconds up to a minute, then minutes. Never less than it is. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds === 1) return "a second";
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** The status of what was tried too often, and for programs when to come back. */
export function tooSoon(waitInMs: number): { status: 429; headers: { "Retry-After": string } } {
  return { status: 429, headers: { "Retry-After": String(Math.max(1, Math.ceil(waitInMs / 1000))) } };
}

/** What is said to whoever has tried something too often. */
export function tooMany(waitInMs: number): string {
  return forms.ours["too-many-attempts"](waitText(waitInMs));
}
