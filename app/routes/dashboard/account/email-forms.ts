import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { Profile } from "../../../../server/accounts/profile.ts";
import { readSubmission, toEcho } from "../../../forms/read-submission.ts";
import { waitText } from "../../../forms/wait-text.ts";
import { ASK_CODE, wrongCodes } from "../../../forms/wrong-codes.ts";
import { requireRooms, requireSender } from "../../../middleware/guards.ts";
import { whereaboutsOf } from "../../signup/whereabouts.ts";
import { refuse, tell } from "./answers.ts";
import { LOCKED, mayChange } from "./may-change.ts";

/** A new address that waits for its proof: the code, another one, or giving it up. */

const proof = z.object({ emailCode: z.string({ error: ASK_CODE }).max(40, ASK_CODE) });

type Refused<Ask extends (...args: never[]) => Promise<{ ok: boolean }>> = Extract<
  Awaited<ReturnType<Ask>>,
  { ok: false }
>;

const refusals: Record<Refused<Profile["confirmEmailByCode"]>["reason"], string> = {
  ...wrongCodes,
  "email-registered": "This email is already registered.",
};

export async function confirmEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const submission = readSubmission(form, proof, []);
  if (!submission.ok) return refuse({ form: "email-code", echo: submission.echo });
  const { value, echo } = submission;
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id))) return refuse({ form: "email-code", echo: echo(LOCKED) }, 403);
  const result = await rooms.profile.confirmEmailByCode(member.id, value.emailCode);
  if (result.ok) return tell("email-confirmed", args);
  return refuse({ form: "email-code", echo: echo({ fieldErrors: { emailCode: [refusals[result.reason]] } }) });
}

/** How a wait before the next letter is said. */
const waits: Record<
  Extract<Refused<Profile["resendEmailLetter"]>, { waitInMs: number }>["reason"],
  (wait: string) => string
> = {
  "too-soon": (wait) => `We sent a code a moment ago. Please wait ${wait}, then ask for another.`,
  "too-many-attempts": (wait) => `We have sent many codes to this address. Please wait ${wait}, then ask for another.`,
};

export async function resendEmailCode(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  const rooms = requireRooms(args.context);
  if (!(await mayChange(rooms, member.id))) return refuse({ form: "email-resend", echo: toEcho(LOCKED) }, 403);
  const result = await rooms.profile.resendEmailLetter(member.id, whereaboutsOf(args.context, args.url));
  if (result.ok) return tell("code-sent", args);
  // It was confirmed or given up elsewhere: the page shows which.
  if (result.reason === "nothing-pending") return tell("nothing-pending", args);
  const sentence = waits[result.reason](waitText(result.waitInMs));
  return refuse({ form: "email-resend", echo: toEcho(sentence) }, 429);
}

export async function cancelEmail(form: FormData, args: ActionFunctionArgs) {
  const member = requireSender(args, { form });
  await requireRooms(args.context).profile.cancelEmailChange(member.id);
  return tell("email-cancelled", args);
}
