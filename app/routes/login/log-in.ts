import { redirect, type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { LogInResult } from "../../../server/accounts/log-in.ts";
import { browserOf } from "../../browser.ts";
import { addressContext } from "../../context.ts";
import { sessionCookie } from "../../cookies.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { safePath } from "../../paths.ts";
import { refuse } from "./form-answer.ts";

/** More is no address and no password; it would only cost time. */
const credentials = z.object({
  email: z.string({ error: "Please enter your email." }).max(254, "Please enter your email."),
  password: z.string({ error: "Please enter your password." }).max(1024, "Please enter your password."),
});

type Refusal = Extract<LogInResult, { ok: false }>;
/** What each refusal is answered with; a new one does not compile until it has words. */
const refusals: { [Reason in Refusal["reason"]]: (refusal: Extract<Refusal, { reason: Reason }>) => Answer } = {
  "wrong-credentials": () => ({
    init: { status: 400 },
    sentence: "This email and this password do not belong together.",
  }),
  unreachable: () => ({
    init: { status: 503 },
    sentence: "We cannot log you in just now. Please try again in a few minutes.",
  }),
  "too-many-attempts": ({ waitInMs }) => ({ init: tooSoon(waitInMs), sentence: tooMany(waitInMs) }),
};

type Answer = { init: ResponseInit; sentence: string };

/** The log-in form: in, and on to the page that was asked for, or back to the form with what was typed but the password. */
export async function logIn(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = readSubmission(form, credentials, ["password"]);
  if (!submission.ok) return refuse("log-in", submission.echo);

  const result = await requireRooms(context).logIn({
    ...submission.value,
    address: context.get(addressContext),
    ...browserOf(request, context),
  });
  if (!result.ok) {
    const { init, sentence } = answerFor(result);
    return refuse("log-in", submission.echo(sentence), init);
  }

  return redirect(safePath(url.searchParams.get("to")), {
    status: 303,
    headers: { "Set-Cookie": sessionCookie(url, result.session) },
  });
}

function answerFor<Reason extends Refusal["reason"]>(refusal: Extract<Refusal, { reason: Reason }>): Answer {
  return refusals[refusal.reason](refusal);
}
