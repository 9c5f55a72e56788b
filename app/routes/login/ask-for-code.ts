import type { ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { reset } from "../../../server/refusals.ts";
import { answerDone } from "../../forms/answer.ts";
import { onFault } from "../../forms/on-fault.ts";
import { readSubmission, toEcho, type FormEcho, type Problems } from "../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { wantedPath, whereaboutsOf } from "../../whereabouts.ts";
import { refuse, type LogInAnswer, type LogInFormName } from "./form-answer.ts";
import { resetPath } from "./paths.ts";
import { findProgress, goOn, goToEarned, keepProgress } from "./reset-progress.ts";

const request = z.object({
  email: z.string({ error: reset.spec["email-invalid"] }).max(1000, reset.spec["email-invalid"]),
});

/** Step 1: the code is on its way if there is such an account; the answer is the same either way. */
export async function requestCode(form: FormData, args: ActionFunctionArgs) {
  const submission = readSubmission(form, request, []);
  if (!submission.ok) return refuse("reset-request", submission.echo);
  const email = submission.value.email.trim();
  const result = await ask(email, args);
  return result.ok ? goOn({ email }, 2, args) : refuseRequest("reset-request", result, submission.echo);
}

/** Step 2: another code for the same address. */
export async function requestAgain(_form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const result = await ask(email, args);
  if (!result.ok) return refuseRequest("reset-again", result, toEcho);
  const told: LogInAnswer = { form: "reset-again", isSent: true };
  const path = `${resetPath(2, wantedPath(args.url))}&sent=1`;
  return answerDone(args.request, path, { headers: keepProgress({ email }, args), told });
}

function ask(email: string, { context, url }: ActionFunctionArgs) {
  const { passwordReset, log } = requireRooms(context);
  return onFault(log, () => passwordReset.request({ email, ...whereaboutsOf(context, url) }));
}

type Refusal = Extract<Awaited<ReturnType<typeof ask>>, { ok: false }>;

function refuseRequest(form: LogInFormName, refusal: Refusal, echo: (problems: Problems) => FormEcho) {
  switch (refusal.reason) {
    case "email-invalid":
      return refuse(form, echo({ fieldErrors: { email: [reset.spec["email-invalid"]] } }));
    case "too-many-attempts":
      return refuse(form, echo(tooMany(refusal.waitInMs)), tooSoon(refusal.waitInMs));
    case "fault":
      return refuse(form, echo(reset.spec.fault), { status: 500 });
  }
}
