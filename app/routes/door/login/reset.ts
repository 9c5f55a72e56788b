import { type ActionFunctionArgs, redirect } from "react-router";
import { z } from "zod";

import type { RequestCodeResult } from "../../../../server/members/challenges/code-log-in.ts";
import type { Log } from "../../../../server/platform/log.ts";
import { findUnavailability, levelOfFault } from "../../../../server/platform/database/faults.ts";
import { emailCodes, reset } from "../../../../server/refusals.ts";
import { answerDone, refuse, type Refusal } from "../../../forms/answer.ts";
import { newPasswordMessages, refuseTooMany, typedCode } from "../../../forms/messages.ts";
import { parseForm, type Reply } from "../../../forms/parse-form.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { createSealedCookie, sessionCookie } from "../../../frame/cookies.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { returnPath } from "../../../frame/paths.ts";
import { resetPath, type ResetStep } from "./paths.ts";

/** The progress of a reset, in a sealed cookie: no address contains the email or the grant, and no page the grant. */
type ResetProgress = {
  /** The code's address, if it belongs to an account. */
  email?: string;
  /** Allows a new password; given for the code or the link. */
  grant?: string;
  isDone?: true;
};

/** A code works for ten minutes, and choosing a password takes a few more. */
const cookie = createSealedCookie<ResetProgress>("reset");

export type ResetScreen = {
  name: "reset";
  step: ResetStep;
  /** Above the form. */
  note: "sent" | "over" | undefined;
  /** This browser is logged in. */
  isMember: boolean;
  /** The account of the new password; `undefined` at other steps, or after the email's link. */
  email: string | undefined;
  /** The new password turns a password on again. */
  turnsOn: boolean;
};

type Visit = Pick<ActionFunctionArgs, "request" | "context" | "url">;

export function findProgress({ request, context, url }: Visit): ResetProgress | undefined {
  return cookie.read(request, { url, services: requireServices(context) });
}

/** Stores `progress` in the browser. */
function keepProgress(progress: ResetProgress, { context, url }: Visit): Record<string, string> {
  const header = cookie.write(progress, { url, services: requireServices(context) });
  return header === undefined ? {} : { "Set-Cookie": header };
}

/** The furthest visible step. */
export function earnedStep({ email, grant, isDone }: ResetProgress = {}): ResetStep {
  if (isDone) return 4;
  if (grant !== undefined) return 3;
  return email === undefined ? 1 : 2;
}

/** Each step has to be earned; the email's link skips the code. */
export function isEarned(step: ResetStep, progress: ResetProgress | undefined): boolean {
  if (step === 1) return true;
  if (step === 2) return progress?.email !== undefined;
  return step === earnedStep(progress);
}

/** Leads to a step and stores the progress that earned it. */
export function goOn(progress: ResetProgress, step: ResetStep, visit: Visit) {
  return redirect(resetPath(step, returnPath(visit.url)), { status: 303, headers: keepProgress(progress, visit) });
}

/** For a form of a step that this browser has not earned, or no longer has. */
function goToEarned(visit: Visit) {
  return redirect(resetPath(earnedStep(findProgress(visit)), returnPath(visit.url)), 303);
}

export type LogInAnswer = Refusal<"log-in" | "passkey-log-in" | ResetForm> | { form: "reset-again"; isSent: true };

type ResetForm = "link-request" | "reset-request" | "reset-again" | "reset-code" | "reset-password";

export const addressForm = z.object({
  email: z.string({ error: reset["email-invalid"] }).max(1000, reset["email-invalid"]),
});

/** Step 1: the answer is the same for an unknown address. */
export async function requestCode(form: FormData, args: ActionFunctionArgs) {
  const submission = parseForm(form, addressForm, []);
  if (!submission.ok) return refuse("reset-request", submission.reply());
  const email = submission.value.email;
  return (await sendCode(email, { form: "reset-request", reply: submission.reply }, args)) ?? goOn({ email }, 2, args);
}

/** A form without fields. */
const button = z.object({});

export async function requestAgain(form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const { reply } = parseForm(form, button, []);
  const refusal = await sendCode(email, { form: "reset-again", reply }, args);
  if (refusal) return refusal;
  const answer: LogInAnswer = { form: "reset-again", isSent: true };
  const path = `${resetPath(2, returnPath(args.url))}&sent=1`;
  return answerDone(args.request, path, { headers: keepProgress({ email }, args), answer });
}

type SentForm = { form: ResetForm; reply: Reply };

function sendCode(email: string, sent: SentForm, args: ActionFunctionArgs) {
  const { passwordReset } = requireServices(args.context);
  return sendTo(sent, args, () => passwordReset.request({ email, ...requestSource(args.context, args.url) }));
}

/** Sends an email to the form's address, or refuses the form. */
export async function sendTo(
  { form, reply }: SentForm,
  { context }: ActionFunctionArgs,
  send: () => Promise<RequestCodeResult>,
) {
  const result = await onFault(requireServices(context).log, send);
  if (result.ok) return undefined;
  switch (result.reason) {
    case "email-invalid":
      return refuse(form, reply({ fieldErrors: { email: [reset["email-invalid"]] } }));
    case "too-many-attempts":
      return refuseTooMany(form, result, reply);
    case "fault":
      return refuse(form, reply({ formErrors: [reset.fault] }), result.init);
  }
}

const codeForm = z.object({ code: typedCode });

/** Step 2: the emailed code, as typed or pasted. */
export async function checkCode(form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const submission = parseForm(form, codeForm, []);
  if (!submission.ok) return refuse("reset-code", submission.reply());

  const { passwordReset, log } = requireServices(args.context);
  const { address } = requestSource(args.context, args.url);
  const { code } = submission.value;
  const result = await onFault(log, () => passwordReset.checkCode({ email, code, address }));
  if (result.ok) return goOn({ email, grant: result.grant }, 3, args);
  switch (result.reason) {
    case "too-many-attempts":
      return refuseTooMany("reset-code", result, submission.reply);
    case "fault":
      return refuse("reset-code", submission.reply({ formErrors: [reset.fault] }), result.init);
    case "wrong-code":
    case "expired-code":
    case "too-many-tries":
      return refuse("reset-code", submission.reply({ fieldErrors: { code: [emailCodes[result.reason]] } }));
  }
}

/** A missing field is an empty text, which the module refuses. */
const passwords = z.object({ password: z.string().default(""), passwordConfirmation: z.string().default("") });

/** Step 3: ends every session and starts one here. */
export async function setPassword(form: FormData, args: ActionFunctionArgs) {
  const grant = findProgress(args)?.grant;
  if (grant === undefined) return goToEarned(args);
  const submission = parseForm(form, passwords, ["password", "passwordConfirmation"]);
  if (!submission.ok) return refuse("reset-password", submission.reply());

  const { password, passwordConfirmation: confirmation } = submission.value;
  const { passwordReset, log } = requireServices(args.context);
  const browser = readBrowser(args.request, args.context);
  const { site } = requestSource(args.context, args.url);
  const result = await onFault(log, () => passwordReset.setPassword({ grant, password, confirmation, browser, site }));
  if (result.ok) {
    const done = goOn({ isDone: true }, 4, args);
    if (result.session) done.headers.append("Set-Cookie", sessionCookie(args.url, result.session));
    return done;
  }
  if (result.reason === "fault")
    return refuse("reset-password", submission.reply({ formErrors: [reset.fault] }), result.init);
  if (result.reason === "grant-over") {
    const headers = { "Set-Cookie": cookie.clear({ url: args.url }) };
    return redirect(`${resetPath(1, returnPath(args.url))}&over=1`, { status: 303, headers });
  }
  const [field, sentence] =
    result.reason === "refused" ? (["password", result.message] as const) : newPasswordMessages[result.reason];
  return refuse("reset-password", submission.reply({ fieldErrors: { [field]: [sentence] } }));
}

type Fault = { ok: false; reason: "fault"; init: { status: 500 | 503 } };

/** The form shows a fault as a refusal, and keeps the typed text. */
async function onFault<Result>(log: Log, ask: () => Promise<Result>): Promise<Result | Fault> {
  try {
    return await ask();
  } catch (error) {
    log[levelOfFault(error)]({ error }, "a form could not be handled");
    return { ok: false, reason: "fault", init: { status: findUnavailability(error) ? 503 : 500 } };
  }
}
