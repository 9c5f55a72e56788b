import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { reset } from "../../../server/refusals.ts";
import { typedCode, wrongCodes } from "../../forms/code-words.ts";
import { onFault } from "../../forms/on-fault.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { whereaboutsOf } from "../../whereabouts.ts";
import { refuse } from "./form-answer.ts";
import { findProgress, goOn, goToEarned } from "./reset-progress.ts";

const answer = z.object({ code: typedCode });

/** Step 2: the code of the letter, as typed or pasted. */
export async function checkCode(form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const submission = readSubmission(form, answer, []);
  if (!submission.ok) return refuse("reset-code", submission.echo);

  const { passwordReset, log } = requireRooms(args.context);
  const { address } = whereaboutsOf(args.context, args.url);
  const { code } = submission.value;
  const result = await onFault(log, () => passwordReset.checkCode({ email, code, address }));
  if (result.ok) return goOn({ email, grant: result.grant }, 3, args);
  switch (result.reason) {
    case "too-many-attempts":
      return refuse("reset-code", submission.echo(tooMany(result.waitInMs)), tooSoon(result.waitInMs));
    case "fault":
      return refuse("reset-code", submission.echo(reset.spec.fault), { status: 500 });
    case "wrong-code":
    case "expired-code":
    case "too-many-tries":
      return refuse("reset-code", submission.echo({ fieldErrors: { code: [wrongCodes[result.reason]] } }));
  }
}
