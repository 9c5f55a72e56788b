import { type ActionFunctionArgs } from "react-router";
import { z } from "zod";

import type { ResendResult, VerifyResult } from "../../../server/sign-up/sign-up.ts";
import { readDraftToken } from "../../cookies.ts";
import { answerDone } from "../../forms/answer.ts";
import { readSubmission, type FormEcho } from "../../forms/read-submission.ts";
import { waitText } from "../../forms/wait-text.ts";
import { requireRooms } from "../../middleware/guards.ts";
import { pathOf } from "../../paths.ts";
import { refuse, startAgain, type FormAnswer } from "./form-answer.ts";
import { whereaboutsOf } from "./whereabouts.ts";

const ASK_CODE = "Please enter the six digits of the code that we sent you.";

const verification = z.object({ oneTimeCode: z.string({ error: ASK_CODE }).max(40, ASK_CODE) });

type Refused<Result extends { ok: boolean }> = Extract<Result, { ok: false; reason: string }>["reason"];

/** What is said of a code that was not taken; without a draft there is nothing to say it beside. */
const wrongCodes: Record<Exclude<Refused<VerifyResult>, "no-draft">, string> = {
  "wrong-code": "This is not the code that we sent you. Please check it, or send a new one.",
  "expired-code": "This code is too old. Please send a new one.",
  "too-many-tries": "There were too many wrong codes, so this one is void. Please send a new one.",
};

/** The code of the letter, as typed or pasted: spaces in it mean nothing. */
export async function verify(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = readSubmission(form, verification, []);
  if (!submission.ok) return refuse({ form: "verify", echo: submission.echo });
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const code = submission.value.oneTimeCode.replaceAll(/[\s-]/g, "");
  const result = await requireRooms(context).signUp.verifyByCode(token, code);
  if (result.ok)
    return answerDone(request, pathOf(url), { told: { form: "verify", isDone: true } satisfies FormAnswer });
  if (result.reason === "no-draft") return startAgain();
  return refuse({
    form: "verify",
    echo: submission.echo({ fieldErrors: { oneTimeCode: [wrongCodes[result.reason]] } }),
  });
}

/** How a wait before the next letter is said. */
const waits: Record<Extract<ResendResult, { waitInMs: number }>["reason"], (wait: string) => string> = {
  "too-soon": (wait) => `We sent a code a moment ago. Please wait ${wait}, then ask for another.`,
  "too-many-attempts": (wait) => `We have sent many codes to this address. Please wait ${wait}, then ask for another.`,
};

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
  const echo: FormEcho = { values: {}, formErrors: [waits[result.reason](waitText(result.waitInMs))], fieldErrors: {} };
  return refuse({ form: "resend", echo }, 429);
}

/** The same page, which says that a letter was sent. */
function sentPath(url: URL): string {
  const page = new URL(url);
  page.searchParams.set("sent", "1");
  return pathOf(page);
}
