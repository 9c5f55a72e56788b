import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { reset } from "../../../server/refusals.ts";
import { onFault } from "../../forms/on-fault.ts";
import { newPasswordWords } from "../../forms/password-words.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { refuse } from "./form-answer.ts";
import { findProgress, goOn, goToEarned, startOver } from "./reset-progress.ts";

/** Whatever is missing is an empty text, which the room has a word for. */
const passwords = z.object({ password: z.string().default(""), passwordConfirmation: z.string().default("") });

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
  if (result.reason === "fault") return refuse("reset-password", submission.echo(reset.spec.fault), { status: 500 });
  if (result.reason === "grant-over") return startOver(args);
  const [field, sentence] = newPasswordWords[result.reason];
  return refuse("reset-password", submission.echo({ fieldErrors: { [field]: [sentence] } }));
}
