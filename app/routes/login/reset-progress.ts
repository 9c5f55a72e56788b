import { redirect, type ActionFunctionArgs } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import { createSealedCookie } from "../../sealed-cookie.ts";
import { wantedPath } from "../../whereabouts.ts";
import { resetPath, type ResetStep } from "./paths.ts";

/**
 * How far somebody has come who forgot their password. It travels sealed in their browser: neither the address nor the
 * right to choose a new password stands in an address bar or in a page.
 */
export type ResetProgress = {
  /** Where the code was sent, if it belongs to an account. */
  email?: string;
  /** The right to choose a new password, for who had the code or the link. */
  grant?: string;
  isDone?: true;
};

/** A code works for ten minutes, and then a password wants choosing. */
const cookie = createSealedCookie<ResetProgress>({ name: "reset", lifeInMinutes: 15 });

type Asked = Pick<ActionFunctionArgs, "request" | "context" | "url">;

export function findProgress({ request, context, url }: Asked): ResetProgress | undefined {
  return cookie.read(request, { url, services: requireServices(context) });
}

/** The header that keeps `progress` in the browser. */
export function keepProgress(progress: ResetProgress, { context, url }: Asked): Record<string, string> {
  const header = cookie.write(progress, { url, services: requireServices(context) });
  return header === undefined ? {} : { "Set-Cookie": header };
}

/** The furthest step that somebody may see. */
export function earnedStep({ email, grant, isDone }: ResetProgress = {}): ResetStep {
  if (isDone) return 4;
  if (grant !== undefined) return 3;
  return email === undefined ? 1 : 2;
}

/** Whether a step may be seen: each has to be earned, and who came by the link has no code to type. */
export function isEarned(step: ResetStep, progress: ResetProgress | undefined): boolean {
  if (step === 1) return true;
  if (step === 2) return progress?.email !== undefined;
  return step === earnedStep(progress);
}

/** On to a step, with what was earned for it. */
export function goOn(progress: ResetProgress, step: ResetStep, asked: Asked) {
  return redirect(resetPath(step, wantedPath(asked.url)), { status: 303, headers: keepProgress(progress, asked) });
}

/** For a form whose step is not, or no longer, this browser's. */
export function goToEarned(asked: Asked) {
  return redirect(resetPath(earnedStep(findProgress(asked)), wantedPath(asked.url)), 303);
}

/** For a right that is over: the first step again, which says so. */
export function startOver({ context, url }: Asked) {
  const headers = { "Set-Cookie": cookie.clear({ url, services: requireServices(context) }) };
  return redirect(`${resetPath(1, wantedPath(url))}&over=1`, { status: 303, headers });
}
