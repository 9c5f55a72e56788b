import { type ActionFunctionArgs, redirect, redirectDocument } from "react-router";
import { z } from "zod";

import type { Plan } from "../../../server/membership/plans.ts";
import { declines, emailCodes, payment } from "../../../server/refusals.ts";
import type { PayResult } from "../../../server/sign-up/sign-up.ts";
import { browserOf } from "../../browser.ts";
import { draftCookie, readDraftToken, sessionCookie } from "../../cookies.ts";
import { tooSoon, waitText } from "../../forms/messages.ts";
import { type FormEcho, type Problems, readSubmission } from "../../forms/read-submission.ts";
import { requireServices } from "../../middleware/guards.ts";
import { wantedPath, whereaboutsOf } from "../../whereabouts.ts";
import { planChoice } from "./actions.ts";
import { refuse, startAgain } from "./form-answer.ts";
import { leavingPath } from "./payment-screen.ts";
import { checkingPath, stepPath } from "./steps.ts";

const words = payment.ours;

function toPayment(plans: Plan[]) {
  return z.object({
    plan: planChoice(plans, words["plan-unchecked"]).optional(),
    postcode: z.string({ error: words["postcode-missing"] }).max(20, words["postcode-missing"]).default(""),
    methodId: z.string({ error: words["card-missing"] }).max(200, words["card-missing"]).optional(),
  });
}

type Refusal = Extract<PayResult, { ok: false }>;
/** Refusals that carry facts, and those that lead to another step. */
type Others = "declined" | "code-refused" | "not-admitted" | "too-many-attempts" | "no-draft" | "no-plan";

/** What is said of each refusal without facts; a new one does not compile until it has words. */
const refusals: Record<Exclude<Refusal["reason"], Others>, Problems> = {
  unverified: { fieldErrors: { oneTimeCode: [emailCodes.spec.unverified] } },
  "plan-changed": words["plan-changed"],
  "postcode-missing": { fieldErrors: { postcode: [words["postcode-missing"]] } },
  "email-registered": words["email-registered"],
};

/** Step 3: paid and logged in, or on to the payer's bank, or back to the form with the reason. */
export async function pay(form: FormData, args: ActionFunctionArgs) {
  const answer = await payOrRefuse(form, args);
  // A gateway's script that runs in the page is left behind with its document.
  const hasScript = requireServices(args.context).cardFields.kind === "stripe";
  return hasScript && answer instanceof Response ? asDocument(answer) : answer;
}

async function payOrRefuse(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { signUp, plans } = requireServices(context);
  const submission = readSubmission(form, toPayment(plans), ["methodId"]);
  if (!submission.ok) return refuse({ form: "pay", echo: submission.echo });
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const { plan: shownPlanType, postcode, methodId } = submission.value;
  const to = wantedPath(url);
  const whereabouts = whereaboutsOf(context, url);
  const result = await signUp.pay(token, { ...whereabouts, shownPlanType, postcode, methodId, wantedPath: to });
  if (!result.ok) return answerRefusal(result, { echo: submission.echo, to });
  const headers = new Headers();
  const draft = await signUp.findStarted(token);
  if (draft) headers.append("Set-Cookie", draftCookie(url, draft));
  if (result.next === "continue") return leaveFor(result.url, { request, url, headers });
  if (result.next === "checking") return redirect(checkingPath(to), { status: 303, headers });

  const session = await signUp.claimSession(token, browserOf(request, context));
  if (session) headers.append("Set-Cookie", sessionCookie(url, session));
  return redirect(stepPath(4, to), { status: 303, headers });
}

/** The same redirect, as one to a document of its own. */
function asDocument(answer: Response): Response {
  const location = answer.headers.get("Location");
  return location ? redirectDocument(location, { status: answer.status, headers: answer.headers }) : answer;
}

/**
 * On to the page of a bank, or of the gateway. A form that a browser sends by itself must not be redirected to another host: by
 * `form-action` Chromium refuses that, and which hosts a bank has nobody knows. A page of ours leads on instead.
 */
function leaveFor(address: string, { request, url, headers }: { request: Request; url: URL; headers: Headers }) {
  const isSentByScript = new URL(request.url).pathname.endsWith(".data");
  const isOurs = URL.parse(address, url)?.origin === url.origin;
  const init = { status: 303, headers };
  return isSentByScript || isOurs ? redirectDocument(address, init) : redirect(leavingPath(wantedPath(url)), init);
}

type Form = { echo: (problems: Problems) => FormEcho; to: string | undefined };

function answerRefusal(refusal: Refusal, { echo, to }: Form) {
  switch (refusal.reason) {
    case "no-draft":
      return startAgain();
    case "no-plan":
      return redirect(stepPath(2, to), 303);
    case "declined":
      return refuse({ form: "pay", echo: echo(declines.ours[refusal.decline]) });
    case "code-refused":
    case "not-admitted":
      return refuse({ form: "pay", echo: echo(refusal.message) });
    case "too-many-attempts": {
      const sentence = words["too-many-attempts"](waitText(refusal.waitInMs));
      return refuse({ form: "pay", echo: echo(sentence) }, tooSoon(refusal.waitInMs));
    }
    case "unverified":
    case "plan-changed":
    case "postcode-missing":
    case "email-registered":
      return refuse({ form: "pay", echo: echo(refusals[refusal.reason]) });
  }
}
