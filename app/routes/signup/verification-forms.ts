import { type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import { readDraftToken } from "../../cookies.ts";
import { answerDone } from "../../forms/answer.ts";
import { sayLetterWait, typedCode, wrongCodes } from "../../forms/code-words.ts";
import { readSubmission, toEcho } from "../../forms/read-submission.ts";
import { textOf } from "../../forms/text-of.ts";
import { tooSoon } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { pathOf } from "../../paths.ts";
import { whereaboutsOf } from "../../whereabouts.ts";
import { refuse, startAgain, type FormAnswer } from "./form-answer.ts";
import { keepPostcode } from "./kept-postcode.ts";

/** On the payment step the postal code comes along, to be shown again and no more. */
const verification = z.object({ oneTimeCode: typedCode, postcode: z.string().optional() });

/** The code of the letter. */
export async function verify(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = readSubmission(form, verification, []);
  if (!submission.ok) return refuse({ form: "verify", echo: submission.echo });
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const rooms = requireRooms(context);
  const result = await rooms.signUp.verifyByCode(token, submission.value.oneTimeCode);
  if (result.ok) {
    const told: FormAnswer = { form: "verify", isDone: true };
    return answerDone(request, pathOf(url), { headers: keepPostcode(form, { url, rooms }), told });
  }
  if (result.reason === "no-draft") return startAgain();
  return refuse({
    form: "verify",
    echo: submission.echo({ fieldErrors: { oneTimeCode: [wrongCodes[result.reason]] } }),
  });
}

/** Another letter with another code. */
export async function resend(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = readDraftToken(request, url);
  if (!token) return startAgain();
  const rooms = requireRooms(context);
  const result = await rooms.signUp.resendVerification(token, whereaboutsOf(context, url));
  if (result.ok || result.reason === "already-verified") {
    const told: FormAnswer = result.ok ? { form: "resend", isDone: true } : { form: "verify", isDone: true };
    const headers = keepPostcode(form, { url, rooms });
    return answerDone(request, result.ok ? sentPath(url) : pathOf(url), { headers, told });
  }
  if (!("waitInMs" in result)) return startAgain();
  const echo = toEcho(sayLetterWait(result), { postcode: textOf(form, "postcode") });
  return refuse({ form: "resend", echo }, tooSoon(result.waitInMs));
}

/** The same page, which says that a letter was sent. */
function sentPath(url: URL): string {
  const page = new URL(url);
  page.searchParams.set("sent", "1");
  return pathOf(page);
}
