import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { Profile } from "../../../../server/accounts/profile.ts";
import { profile } from "../../../../server/refusals.ts";
import { sayLetterWait, typedCode, wrongCodes } from "../../../forms/code-words.ts";
import { personWords } from "../../../forms/person-words.ts";
import { readSubmission, toEcho } from "../../../forms/read-submission.ts";
import { tooSoon } from "../../../forms/wait-text.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { whereaboutsOf } from "../../../whereabouts.ts";
import { refuse, tell } from "./answers.ts";
import { mayChange } from "./may-change.ts";

/** A new address that waits for its proof: the code, another one, or giving it up. */

const proof = z.object({ emailCode: typedCode });

type Refusal = Extract<Awaited<ReturnType<Profile["confirmEmailByCode"]>>, { ok: false }>;

const refusals: Record<Refusal["reason"], string> = {
  ...wrongCodes,
  "email-registered": personWords["email-registered"][1],
};

export async function confirmEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const submission = readSubmission(form, proof, []);
  if (!submission.ok) return refuse({ form: "email-code", echo: submission.echo });
  const { value, echo } = submission;
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id)))
    return refuse({ form: "email-code", echo: echo(profile.ours.locked) }, { status: 403 });
  const result = await rooms.profile.confirmEmailByCode(member.id, value.emailCode);
  if (result.ok) return tell("email-confirmed", args);
  return refuse({ form: "email-code", echo: echo({ fieldErrors: { emailCode: [refusals[result.reason]] } }) });
}

export async function resendEmailCode(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id)))
    return refuse({ form: "email-resend", echo: toEcho(profile.ours.locked) }, { status: 403 });
  const result = await rooms.profile.resendConfirmation(member.id, whereaboutsOf(args.context, args.url));
  if (result.ok) return tell("code-sent", args);
  // It was confirmed or given up elsewhere: the page shows which.
  if (result.reason === "nothing-pending") return tell("nothing-pending", args);
  return refuse({ form: "email-resend", echo: toEcho(sayLetterWait(result)) }, tooSoon(result.waitInMs));
}

/** Also where no subscription is active: nothing of the details changes by it. */
export async function cancelEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  await requireRooms(args.context).profile.cancelEmailChange(member.id);
  return tell("email-cancelled", args);
}
