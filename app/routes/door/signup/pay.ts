import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, redirectDocument } from "react-router";
import { z } from "zod";

import type { AccountType } from "../../../../server/platform/database/schema.ts";
import { formatDate, formatDateTime, formatDay, formatPence, waitText } from "../../../../server/platform/format.ts";
import type { Plan } from "../../../../server/money/membership/plans.ts";
import { CORPORATE_PLAN_LABEL } from "../../../../server/money/membership/cover.ts";
import type { PaymentView } from "../../../../server/money/payments/records.ts";
import { declines, emailCodes, payment } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import type { Renewed } from "../../../../server/money/sign-up/renewal.ts";
import type { Draft, Missing, PayResult } from "../../../../server/money/sign-up/sign-up.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import {
  type CookieContext,
  createSealedCookie,
  draftCookie,
  readDraftToken,
  sessionCookie,
} from "../../../frame/cookies.ts";
import { type FieldMessage, toFieldErrors, tooSoon, typedCode } from "../../../forms/messages.ts";
import { isDataRequest, refuse } from "../../../forms/answer.ts";
import { parseForm, type Reply } from "../../../forms/parse-form.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { cardScriptContext } from "../../../frame/middleware/security-headers.ts";
import { returnPath } from "../../../frame/paths.ts";
import { fact, type Fact } from "./step-bar.tsx";
import { checkingPath, type SignUpAnswer, stepPath } from "./steps.ts";
import type { Verification } from "./verification-box.tsx";

/** `error` is the sentence for anything but one of these plans. */
export function planChoice(plans: Plan[], error: string) {
  return z.string({ error }).transform((type, context) => {
    const plan = plans.find((each) => String(each.type) === type);
    if (plan) return plan.type;
    context.issues.push({ code: "custom", message: error, input: type });
    return z.NEVER;
  });
}

/** The fields of every payment by card. */
export function cardPayment(plans: Plan[]) {
  return z.object({
    plan: planChoice(plans, payment["plan-unchecked"]).optional(),
    postcode: z.string({ error: payment["postcode-missing"] }).max(20, payment["postcode-missing"]).default(""),
    methodId: z.string({ error: payment["card-missing"] }).max(200, payment["card-missing"]).optional(),
    isCardWrong: z.literal("on").optional().catch(undefined),
  });
}

function toPayment(plans: Plan[]) {
  return cardPayment(plans).extend({
    knownReceipt: z.string().optional().catch(undefined),
    startsAtOnce: z.literal("on").optional().catch(undefined),
    oneTimeCode: typedCode.optional(),
  });
}

/** Step 3: pays and logs in, leads to the payer's bank, or returns to the form with the reason. */
export async function takePayment(form: FormData, args: ActionFunctionArgs) {
  return leaveCardScript(await payOrRefuse(form, args), args);
}

/** A redirect to a new document leaves the gateway's script behind. */
export function leaveCardScript<Answer>(answer: Answer | Response, { context }: ActionFunctionArgs) {
  const location = answer instanceof Response && answer.headers.get("Location");
  if (!location || !requireServices(context).cardFields.script) return answer;
  return redirectDocument(location, { status: answer.status, headers: answer.headers });
}

async function payOrRefuse(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { signUp, plans, clock } = requireServices(context);
  const submission = parseForm(form, toPayment(plans), ["methodId", "isCardWrong"]);
  if (!submission.ok) return refuse("pay", submission.reply());
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const {
    plan: shownPlanType,
    postcode,
    methodId,
    isCardWrong,
    knownReceipt,
    startsAtOnce,
    oneTimeCode,
  } = submission.value;
  const wrongCode = await takeTypedCode(signUp, { token, oneTimeCode });
  if (wrongCode) return refuse("pay", submission.reply({ fieldErrors: { oneTimeCode: [wrongCode] } }));
  const to = returnPath(url);
  const source = requestSource(context, url);
  const result = await signUp.pay(token, {
    ...source,
    shownPlanType,
    knownReceipt,
    startsAtOnce: startsAtOnce !== undefined,
    postcode,
    methodId,
    isCardWrong: isCardWrong !== undefined,
    returnTo: to,
  });
  if (!result.ok) return answerRefusal(result, { reply: submission.reply, to, now: clock() });
  const headers = new Headers();
  const draft = await signUp.findStarted(token);
  if (draft) headers.append("Set-Cookie", draftCookie(url, draft));
  if (result.next === "continue") return leadOn(result.url, { request, url, headers, step: stepPath(3, to) });
  if (result.next === "checking") return redirect(checkingPath(to), { status: 303, headers });

  const session = await signUp.claimSession(token, readBrowser(request, context));
  if (session) headers.append("Set-Cookie", sessionCookie(url, session));
  return redirect(stepPath(4, to), { status: 303, headers });
}

type Leading = { request: Request; url: URL; headers?: Headers; step: string };

/** To the page of the payer's bank or of the gateway. `step`: the payment step. */
export function leadOn(address: string, { request, url, headers = new Headers(), step }: Leading): Response {
  // Chromium refuses redirects of a form to another host under `form-action`, and the hosts of banks are not known. So
  // a page of ours leads on.
  const isOurs = URL.parse(address, url)?.origin === url.origin;
  const init = { status: 303, headers };
  if (isDataRequest(request) || isOurs) return redirectDocument(address, init);
  return redirect(`${step}&${LEAVING}=1`, init);
}

/** Takes the email's code beside another button's input. Returns the sentence of its refusal. */
export async function takeTypedCode(
  signUp: Services["signUp"],
  { token, oneTimeCode = "" }: { token: string; oneTimeCode: string | undefined },
): Promise<string | undefined> {
  if (oneTimeCode === "") return undefined;
  const result = await signUp.verifyByCode(token, oneTimeCode);
  return result.ok || result.reason === "no-draft" ? undefined : emailCodes[result.reason];
}

/** For a form whose draft is gone: too old, or of another browser. */
export function startAgain() {
  return redirect("/signup?step=1&expired=1", 303);
}

/** The page itself names faults of the card. */
type Named = Exclude<Missing, "card-missing">;

const missingMessages: Record<Named, FieldMessage<"oneTimeCode" | "postcode" | "startsAtOnce">> = {
  unverified: ["oneTimeCode", emailCodes.unverified],
  "postcode-missing": ["postcode", payment["postcode-missing"]],
  "start-missing": ["startsAtOnce", payment["start-missing"]],
};

type Refusal = Extract<PayResult, { ok: false }>;

function answerRefusal(refusal: Refusal, { reply, to, now }: { reply: Reply; to: string | undefined; now: Date }) {
  switch (refusal.reason) {
    case "no-draft":
      return startAgain();
    case "no-plan":
      return redirect(stepPath(2, to), 303);
    case "declined":
      return refuse("pay", reply({ formErrors: [declines[refusal.decline]] }));
    case "code-refused":
    case "account-refused":
      return refuse("pay", reply({ formErrors: [refusal.message] }));
    case "too-many-attempts": {
      const sentence = payment["too-many-attempts"](waitText(refusal.waitInMs));
      return refuse("pay", reply({ formErrors: [sentence] }), tooSoon(refusal.waitInMs));
    }
    case "renewed":
      return refuse("pay", reply({ formErrors: [renewedText(refusal.renewed, now)] }));
    case "incomplete": {
      const named = refusal.missing.filter((each) => each !== "card-missing");
      return refuse("pay", reply({ fieldErrors: toFieldErrors(named.map((each) => missingMessages[each])) }));
    }
    case "plan-changed":
      return refuse("pay", reply({ formErrors: [payment[refusal.reason]] }));
    case "email-registered": {
      const result = reply({ formErrors: [payment[refusal.reason]] });
      return data<SignUpAnswer>({ form: "pay", result, isRegistered: true }, { status: 400 });
    }
  }
}

export type PaymentScreen = ReturnType<typeof toPaymentScreen>;

export function toPaymentScreen(services: Services, draft: Draft, verification: Verification) {
  const { accountType, planType, code, email, firstName, lastName } = draft;
  const { script, ...cardFields } = services.cardFields;
  const plan = accountType === "individual" ? services.plans.find(({ type }) => type === planType) : undefined;
  return {
    name: "payment" as const,
    isGift: false,
    facts: [...listFacts(draft, plan), ...(code ? [fact(`${services.product.name} code`, code)] : [])],
    plan: plan?.type,
    renewed: toRenewedNote(draft, services),
    /** Charged now; `undefined` where a company pays. */
    amount: plan && formatPence(plan.chargeInPence),
    /** By a button for some days, or not at all for a payer who starts at once. */
    cancelling: plan && toCancelling(services),
    cardFields,
    /** From an earlier attempt. */
    postcode: draft.postcode,
    /** For the card fields. */
    payer: { name: `${firstName} ${lastName}`, email },
    trouble: findTrouble(draft.payment),
    verification,
    /** Where a form without script continues: the page of the gateway or of the payer's bank. */
    leavesFor: undefined as string | undefined,
    /** A gateway's script runs in the page. */
    hasCardScript: plan !== undefined && script !== undefined,
  };
}

/** `elsewhere`: another back end has the money, and its operator's terms explain it. */
function toCancelling({ startsAtOnce, capabilities }: Services): "start-at-once" | "within-days" | "elsewhere" {
  if (startsAtOnce) return "start-at-once";
  return capabilities.canCancel ? "within-days" : "elsewhere";
}

/** The parameter of the page that leads to another host. */
const LEAVING = "leaving";

/** As a document where the step has a gateway's script: a client-side navigation would load it twice. */
export function redirectToPayment(accountType: AccountType, { context, url }: ActionFunctionArgs): Response {
  const { script } = requireServices(context).cardFields;
  const hasCardScript = accountType === "individual" && script !== undefined;
  return (hasCardScript ? redirectDocument : redirect)(stepPath(3, returnPath(url)), 303);
}

/** Allows the gateway's script in the page's policy. */
export function openPayment(screen: PaymentScreen, { context, url }: LoaderFunctionArgs): PaymentScreen {
  const leavesFor = url.searchParams.has(LEAVING) ? screen.trouble?.actionUrl : undefined;
  if (leavesFor) return { ...screen, leavesFor, trouble: undefined, hasCardScript: false };
  if (screen.hasCardScript) context.set(cardScriptContext, requireServices(context).cardFields.script ?? null);
  return screen;
}

/** Stripe adds these to its return addresses (docs.stripe.com/payments/3d-secure). */
const STRIPE_PARAMS = ["payment_intent", "payment_intent_client_secret", "redirect_status"];

/**
 * `undefined` without Stripe's parameters. One is a secret, which must not stay in an address bar, a history or a log;
 * the payment's state comes from the gateway.
 */
export function withoutStripeParams(params: URLSearchParams): URLSearchParams | undefined {
  if (!STRIPE_PARAMS.some((name) => params.has(name))) return undefined;
  return new URLSearchParams([...params].filter(([name]) => !STRIPE_PARAMS.includes(name)));
}

/** Of a sign-up, or of a gift, whose completed payments differ. */
type UnpaidView = Exclude<PaymentView, { state: "completed" }>;

type Trouble = { sentence: string; actionUrl?: string };

/** Why the last try to pay failed, or that it was not finished. */
export function findTrouble(view: UnpaidView | { state: "completed" }): Trouble | undefined {
  if (view.state === "failed") return { sentence: declines[view.decline] };
  if (view.state === "unfinished") return { sentence: payment.unfinished, actionUrl: view.actionUrl };
  return undefined;
}

/** Without a plan a company pays. */
export function listFacts({ startsAt, endsAt }: Draft, plan: Plan | undefined): Fact[] {
  const bought = plan
    ? [fact("Plan", plan.label), fact("Price", plan.priceText), fact("To pay today", todayText(plan))]
    : [fact("Plan", CORPORATE_PLAN_LABEL)];
  const end = endsAt ? [fact("Membership ends", formatDate(endsAt))] : [];
  return [...bought, fact("Membership starts", formatDate(startsAt)), ...end];
}

/** For a renewal paid on another device: the page's text, and the receipt number by which it knows. */
export function toRenewedNote({ renewed }: Draft, { clock }: Pick<Services, "clock">) {
  return renewed && { sentence: renewedText(renewed, clock()), receipt: renewed.receiptNumber };
}

function renewedText({ at, endsAt }: Renewed, now: Date): string {
  const [day = "", time = ""] = formatDateTime(at).split(" ");
  const when = day === formatDate(now) ? `at ${time}` : `on ${day} at ${time}`;
  return payment.renewed(`${when}, so your membership now ends on ${formatDay(endsAt)}`);
}

function todayText({ chargeInPence, periodText }: Plan): string {
  return `${formatPence(chargeInPence)} for ${periodText}`;
}

/**
 * Carries a postal code typed beside the email's code to the next page, once. With script the page stays, and nothing
 * is lost.
 */
const postcodeCookie = createSealedCookie<{ postcode: string }>("postcode");

/** Empty without a postal code. */
export function savePostcode(form: FormData, at: CookieContext): Record<string, string> {
  const postcode = readText(form, "postcode");
  const cookie = postcode === "" ? undefined : postcodeCookie.write({ postcode }, at);
  return cookie === undefined ? {} : { "Set-Cookie": cookie };
}

/** With the stored postal code, and the header that clears it. */
export function showSavedPostcode(screen: PaymentScreen, request: Request, at: CookieContext) {
  const found = postcodeCookie.read(request, at);
  if (!found) return { screen, headers: {} };
  return { screen: { ...screen, ...found }, headers: { "Set-Cookie": postcodeCookie.clear(at) } };
}
