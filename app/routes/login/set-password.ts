import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { PasswordReset } from "../../../server/accounts/password-reset.ts";
import { onFault } from "../../forms/on-fault.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { FALLBACK, refuse } from "./form-answer.ts";
import { findProgress, goOn, goToEarned, startOver } from "./reset-progress.ts";

/** Whatever is missing is an empty text, which the room has a word for. */
const passwords = z.object({ password: z.string().default(""), passwordConfirmation: z.string().default("") });

type Result = Awaited<ReturnType<PasswordReset["setPassword"]>>;
type Reason = Exclude<Extract<Result, { ok: false }>["reason"], "grant-over">;

/** What is said of each refusal, and beside which field (spec, section 5). A new one does not compile until it has words. */
const refusals: Record<Reason, [field: keyof z.infer<typeof passwords>, sentence: string]> = {
  "password-short": ["password", "Password must be at least 8 characters long"],
  "password-long": ["password", "Password must be 1024 characters or fewer."],
  "password-common": ["password", "This password is too easy to guess. Please choose another."],
  "password-mismatch": ["passwordConfirmation", "Passwords do not match"],
};

/** Step 3: the new password, and with it the end of every session. */
export async function setPassword(form: FormData, args: ActionFunctionArgs) {
  const grant = findProgress(args)?.grant;
  if (grant === undefined) return goToEarned(args);
  const submission = readSubmission(form, passwords, ["password", "passwordConfirmation"]);
  if (!submission.ok) return refuse("reset-password", submission.echo);

  const { password, passwordConfirmation: confirmation } = submission.value;
  const { passwordReset, log } = requireRooms(args.context);
  const result = await onFault(log, () => passwordReset.setPassword({ grant, password, confirmation }));
  if (result.ok) return goOn({ isDone: true }, 4, args);
  if (result.reason === "fault") return refuse("reset-password", submission.echo(FALLBACK), 500);
  if (result.reason === "grant-over") return startOver(args);
  const [field, sentence] = refusals[result.reason];
  return refuse("reset-password", submission.echo({ fieldErrors: { [field]: [sentence] } }));
}
