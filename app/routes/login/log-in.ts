import { redirect, type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { LogInResult } from "../../../server/accounts/log-in.ts";
import { logIn as table } from "../../../server/refusals.ts";
import { browserOf } from "../../browser.ts";
import { addressContext } from "../../context.ts";
import { sessionCookie } from "../../cookies.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import { tooMany, tooSoon } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { safePath } from "../../paths.ts";
import { refuse } from "./form-answer.ts";

const words = table.ours;

/** More is no address and no password; it would only cost time. */
const credentials = z.object({
  email: z.string({ error: words["email-missing"] }).max(254, words["email-missing"]),
  password: z.string({ error: words["password-missing"] }).max(1024, words["password-missing"]),
});

type Refusal = Extract<LogInResult, { ok: false }>;
/** What each refusal is answered with; a new one does not compile until it has words. */
const refusals: { [Reason in Refusal["reason"]]: (refusal: Extract<Refusal, { reason: Reason }>) => Answer } = {
  "wrong-credentials": () => ({
    init: { status: 400 },
    sentence: words["wrong-credentials"],
  }),
  unreachable: () => ({
    init: { status: 503 },
    sentence: words.unreachable,
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
