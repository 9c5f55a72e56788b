import { type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { readDraftToken } from "../../cookies.ts";
import { answerDone } from "../../forms/answer.ts";
import { sayLetterWait, typedCode, wrongCodes } from "../../forms/code-words.ts";
import { readSubmission, toEcho } from "../../forms/read-submission.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { pathOf } from "../../paths.ts";
import { whereaboutsOf } from "../../whereabouts.ts";
import { refuse, startAgain, type FormAnswer } from "./form-answer.ts";

const verification = z.object({ oneTimeCode: typedCode });

/** The code of the letter. */
export async function verify(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = readSubmission(form, verification, []);
  if (!submission.ok) return refuse({ form: "verify", echo: submission.echo });
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const result = await requireRooms(context).signUp.verifyByCode(token, submission.value.oneTimeCode);
  if (result.ok)
    return answerDone(request, pathOf(url), { told: { form: "verify", isDone: true } satisfies FormAnswer });
  if (result.reason === "no-draft") return startAgain();
  return refuse({
    form: "verify",
    echo: submission.echo({ fieldErrors: { oneTimeCode: [wrongCodes[result.reason]] } }),
  });
}

/** Another letter with another code. */
export async function resend(_form: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = readDraftToken(request, url);
  if (!token) return startAgain();
  const result = await requireRooms(context).signUp.resendVerification(token, whereaboutsOf(context, url));
  if (result.ok || result.reason === "already-verified") {
    const told: FormAnswer = result.ok ? { form: "resend", isDone: true } : { form: "verify", isDone: true };
    return answerDone(request, result.ok ? sentPath(url) : pathOf(url), { told });
  }
  if (!("waitInMs" in result)) return startAgain();
  return refuse({ form: "resend", echo: toEcho(sayLetterWait(result)) }, 429);
}

/** The same page, which says that a letter was sent. */
function sentPath(url: URL): string {
  const page = new URL(url);
  page.searchParams.set("sent", "1");
  return pathOf(page);
}
