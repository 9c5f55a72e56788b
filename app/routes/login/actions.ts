import { type ActionFunctionArgs, redirect } from "react-router";
import { z } from "zod";

import type { Closure } from "../../../server/accounts/closure.ts";
import type { LogInResult } from "../../../server/accounts/log-in.ts";
import type { Profile } from "../../../server/accounts/profile.ts";
import type { Log } from "../../../server/log.ts";
import { logIn as table, reset } from "../../../server/refusals.ts";
import { browserOf } from "../../browser.ts";
import { addressContext } from "../../context.ts";
import { sessionCookie } from "../../cookies.ts";
import { answerDone } from "../../forms/answer.ts";
import { newPasswordWords, tooMany, tooSoon, typedCode, wrongCodes } from "../../forms/messages.ts";
import { type FormEcho, type Problems, readSubmission, toEcho } from "../../forms/read-submission.ts";
import { textOf } from "../../forms/text-of.ts";
import { requireServices } from "../../middleware/guards.ts";
import { safePath } from "../../paths.ts";
import { wantedPath, whereaboutsOf } from "../../whereabouts.ts";
import { type LogInAnswer, type LogInFormName, refuse } from "./form-answer.ts";
import type { Outcome } from "./outcomes.ts";
import { linkPath, outcomePath, resetPath } from "./paths.ts";
import { findProgress, goOn, goToEarned, keepProgress, startOver } from "./reset-progress.ts";

/** More is no address and no password; it would only cost time. */
const credentials = z.object({
  email: z.string({ error: table.ours["email-missing"] }).max(254, table.ours["email-missing"]),
  password: z.string({ error: table.ours["password-missing"] }).max(1024, table.ours["password-missing"]),
});

type LogInRefusal = Extract<LogInResult, { ok: false }>;
/** What each refusal is answered with; a new one does not compile until it has words. */
const refusals: { [Reason in LogInRefusal["reason"]]: (refusal: Extract<LogInRefusal, { reason: Reason }>) => Answer } =
  {
    "wrong-credentials": () => ({
      init: { status: 400 },
      sentence: table.ours["wrong-credentials"],
    }),
    unreachable: () => ({
      init: { status: 503 },
      sentence: table.ours.unreachable,
    }),
    "too-many-attempts": ({ waitInMs }) => ({ init: tooSoon(waitInMs), sentence: tooMany(waitInMs) }),
  };

type Answer = { init: ResponseInit; sentence: string };

/** The log-in form: in, and on to the page that was asked for, or back to the form with what was typed but the password. */
export async function logIn(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = readSubmission(form, credentials, ["password"]);
  if (!submission.ok) return refuse("log-in", submission.echo);

  const result = await requireServices(context).logIn({
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

function answerFor<Reason extends LogInRefusal["reason"]>(refusal: Extract<LogInRefusal, { reason: Reason }>): Answer {
  return refusals[refusal.reason](refusal);
}

const addressForm = z.object({
  email: z.string({ error: reset.spec["email-invalid"] }).max(1000, reset.spec["email-invalid"]),
});

/** Step 1: the code is on its way if there is such an account; the answer is the same either way. */
export async function requestCode(form: FormData, args: ActionFunctionArgs) {
  const submission = readSubmission(form, addressForm, []);
  if (!submission.ok) return refuse("reset-request", submission.echo);
  const email = submission.value.email.trim();
  const result = await askForCode(email, args);
  return result.ok ? goOn({ email }, 2, args) : refuseRequest("reset-request", result, submission.echo);
}

/** Step 2: another code for the same address. */
export async function requestAgain(_form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const result = await askForCode(email, args);
  if (!result.ok) return refuseRequest("reset-again", result, toEcho);
  const told: LogInAnswer = { form: "reset-again", isSent: true };
  const path = `${resetPath(2, wantedPath(args.url))}&sent=1`;
  return answerDone(args.request, path, { headers: keepProgress({ email }, args), told });
}

function askForCode(email: string, { context, url }: ActionFunctionArgs) {
  const { passwordReset, log } = requireServices(context);
  return onFault(log, () => passwordReset.request({ email, ...whereaboutsOf(context, url) }));
}

type RequestRefusal = Extract<Awaited<ReturnType<typeof askForCode>>, { ok: false }>;

function refuseRequest(form: LogInFormName, refusal: RequestRefusal, echo: (problems: Problems) => FormEcho) {
  switch (refusal.reason) {
    case "email-invalid":
      return refuse(form, echo({ fieldErrors: { email: [reset.spec["email-invalid"]] } }));
    case "too-many-attempts":
      return refuse(form, echo(tooMany(refusal.waitInMs)), tooSoon(refusal.waitInMs));
    case "fault":
      return refuse(form, echo(reset.spec.fault), { status: 500 });
  }
}

const codeForm = z.object({ code: typedCode });

/** Step 2: the code of the email, as typed or pasted. */
export async function checkCode(form: FormData, args: ActionFunctionArgs) {
  const email = findProgress(args)?.email;
  if (email === undefined) return goToEarned(args);
  const submission = readSubmission(form, codeForm, []);
  if (!submission.ok) return refuse("reset-code", submission.echo);

  const { passwordReset, log } = requireServices(args.context);
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

/** Whatever is missing is an empty text, which the room has a word for. */
const passwords = z.object({ password: z.string().default(""), passwordConfirmation: z.string().default("") });

/** Step 3: the new password, and with it the end of every session. */
export async function setPassword(form: FormData, args: ActionFunctionArgs) {
  const grant = findProgress(args)?.grant;
  if (grant === undefined) return goToEarned(args);
  const submission = readSubmission(form, passwords, ["password", "passwordConfirmation"]);
  if (!submission.ok) return refuse("reset-password", submission.echo);

  const { password, passwordConfirmation: confirmation } = submission.value;
  const { passwordReset, log } = requireServices(args.context);
  const result = await onFault(log, () => passwordReset.setPassword({ grant, password, confirmation }));
  if (result.ok) return goOn({ isDone: true }, 4, args);
  if (result.reason === "fault") return refuse("reset-password", submission.echo(reset.spec.fault), { status: 500 });
  if (result.reason === "grant-over") return startOver(args);
  const [field, sentence] = newPasswordWords[result.reason];
  return refuse("reset-password", submission.echo({ fieldErrors: { [field]: [sentence] } }));
}

/** The buttons behind emails' links. One that is over leads back to its page, which says so. */

/** On to the new password, on whatever device the email is read. */
export async function openReset(form: FormData, args: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const grant = await requireServices(args.context).passwordReset.useLink(token);
  return grant === undefined ? redirect(linkPath("reset", token), 303) : goOn({ grant }, 3, args);
}

export async function confirmEmail(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireServices(context).profile.confirmEmailByLink(token);
  return redirect(result === "over" ? linkPath("confirm", token) : outcomePath(confirmed[result]), 303);
}

export async function undoEmail(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireServices(context).profile.undoEmail(token);
  return redirect(result === "over" ? linkPath("undo", token) : outcomePath(undone[result]), 303);
}

export async function reopen(form: FormData, { context }: ActionFunctionArgs) {
  const token = textOf(form, "token");
  const result = await requireServices(context).closure.reopen(token);
  return redirect(result === "over" ? linkPath("reopen", token) : outcomePath(reopened[result]), 303);
}

/** Where every other result of a room's function leads. */
type Outcomes<Ask extends (token: string) => Promise<string>> = Record<
  Exclude<Awaited<ReturnType<Ask>>, "over">,
  Outcome
>;

const confirmed: Outcomes<Profile["confirmEmailByLink"]> = {
  confirmed: "email-confirmed",
  "email-registered": "email-taken",
};

const undone: Outcomes<Profile["undoEmail"]> = { undone: "undone", "email-registered": "undo-taken" };

const reopened: Outcomes<Closure["reopen"]> = { reopened: "reopened", "email-taken": "reopen-taken" };

/** What a room answers, or, if it fails, a refusal like any other: the form says so and keeps what was typed. The fault is logged. */
export async function onFault<Result>(
  log: Log,
  ask: () => Promise<Result>,
): Promise<Result | { ok: false; reason: "fault" }> {
  try {
    return await ask();
  } catch (error) {
    log.error({ error }, "a form could not be worked on");
    return { ok: false, reason: "fault" };
  }
}
