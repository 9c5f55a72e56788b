import { redirect, type LoaderFunctionArgs } from "react-router";

import { visitorContext } from "../../context.ts";
import { requireServices, requireVisitor } from "../../middleware/guards.ts";
import { wantedPath } from "../../whereabouts.ts";
import { findLinkScreen, type LinkScreen } from "./link-screen.ts";
import { parseOutcome, type Outcome } from "./outcomes.ts";
import { parseResetStep, resetPath, type ResetStep } from "./paths.ts";
import { earnedStep, findProgress, isEarned } from "./reset-progress.ts";

/** What the log-in screen shows, by its address. */
export type LogInScreen =
  | { name: "log-in" }
  /** `note`: why the step is shown again. */
  | { name: "reset"; step: ResetStep; note: "sent" | "over" | undefined }
  | LinkScreen
  /** `isMember`: whether somebody is logged in here. */
  | { name: "outcome"; outcome: Outcome; isMember: boolean };

/**
 * The screen of an address. The form itself is for visitors; who has forgotten a password, or follows an email's link, may be
 * logged in here all the same. A step of the reset that is not earned leads to the furthest that is.
 */
export async function findLogInScreen({ request, context, url }: LoaderFunctionArgs): Promise<LogInScreen> {
  const { searchParams } = url;
  const linked = await findLinkScreen(requireServices(context), searchParams);
  if (linked) return linked;

  const outcome = parseOutcome(searchParams.get("done"));
  if (outcome) return { name: "outcome", outcome, isMember: context.get(visitorContext).member !== undefined };

  const reset = searchParams.get("reset");
  if (reset === null) {
    requireVisitor(context);
    return { name: "log-in" };
  }
  const step = parseResetStep(reset);
  const progress = findProgress({ request, context, url });
  if (!isEarned(step, progress)) throw redirect(resetPath(earnedStep(progress), wantedPath(url)));
  const note = searchParams.has("sent") ? "sent" : searchParams.has("over") ? "over" : undefined;
  return { name: "reset", step, note };
}
