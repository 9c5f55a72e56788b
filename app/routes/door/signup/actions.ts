import { type ActionFunctionArgs, data, redirect } from "react-router";
import { z } from "zod";

import { codes, emailCodes, forms, payment, person, signUp as table } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import type { DetailsRefusal } from "../../../../server/money/sign-up/sign-up.ts";
import { draftCookie, readDraftToken, sessionCookie } from "../../../frame/cookies.ts";
import { answerDone, refuse } from "../../../forms/answer.ts";
import {
  type FieldMessage,
  newPasswordMessages,
  personMessages,
  emailWaitMessage,
  refuseTooMany,
  toFieldErrors,
  tooSoon,
  typedCode,
} from "../../../forms/messages.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireSender, requireServices, requireVisitor } from "../../../frame/middleware/guards.ts";
import { toPath, returnPath } from "../../../frame/paths.ts";
import { readBrowser, requestSource } from "../../../frame/context.ts";
import { setNewsletter } from "../../member/dashboard/account/actions.ts";
import { planChoice, redirectToPayment, savePostcode, startAgain, takeTypedCode } from "./pay.ts";
import { earnedStep, isSettled, OWN_RENEWAL, renewPath, type SignUpAnswer, stepPath } from "./steps.ts";

/** A missing field is an empty text, so that the module refuses all at once. */
const text = z.string({ error: forms["text-unreadable"] }).default("");

const details = z.object({
  accountType: z.enum(["corporate", "individual"], { error: table["account-type-missing"] }).default("corporate"),
  code: text,
  giftCode: text,
  firstName: text,
  lastName: text,
  email: text,
  password: text,
  passwordConfirmation: text,
});

export type Details = z.infer<typeof details>;

const detailsMessages: Record<
  Exclude<DetailsRefusal["reason"], "name-too-long" | "code-refused" | "gift-refused">,
  FieldMessage<keyof Details>
> = {
  ...personMessages,
  ...newPasswordMessages,
  "password-short": ["password", table["password-short"]],
  "password-mismatch": ["passwordConfirmation", table["password-mismatch"]],
  "code-unchecked": ["code", table["code-unchecked"]],
};

export function toDetailsMessage(refusal: DetailsRefusal): FieldMessage<keyof Details> {
  if (refusal.reason === "name-too-long") return [refusal.field, person["name-long"]];
  if (refusal.reason === "code-refused") return ["code", refusal.message];
  if (refusal.reason === "gift-refused") return ["giftCode", refusal.message];
  return detailsMessages[refusal.reason];
}

/** Leads to the plan, or back to the form with every error. */
export async function saveDetails(form: FormData, { request, context, url }: ActionFunctionArgs) {
  requireVisitor(context);
  const submission = parseForm(form, details, ["password", "passwordConfirmation"]);
  if (!submission.ok) return refuse("details", submission.reply());

  const { giftCode, ...value } = submission.value;
  const hasGift = giftCode !== "" && value.accountType === "individual";
  const result = await requireServices(context).signUp.saveDetails({
    ...value,
    giftCode: hasGift ? giftCode : undefined,
    ...requestSource(context, url),
    token: await findChangeable(readDraftToken(request, url), context),
  });
  const to = returnPath(url);
  if (result.ok) {
    return redirect(stepPath(hasGift ? 3 : 2, to), {
      status: 303,
      headers: { "Set-Cookie": draftCookie(url, result.draft) },
    });
  }
  switch (result.reason) {
    case "paying":
      return redirect(stepPath(3, to), 303);
    case "too-many-attempts":
      return refuseTooMany("details", result, submission.reply);
    case "refused": {
      const isRegistered = result.refusals.some(({ reason }) => reason === "email-registered");
      const fieldErrors = toFieldErrors(result.refusals.map(toDetailsMessage));
      const isGiftCode = result.refusals.some(
        (refusal) => refusal.reason === "code-refused" && refusal.message === codes.gift,
      );
      const reply = submission.reply({ fieldErrors });
      const answer: SignUpAnswer = { form: "details", result: reply, isRegistered, isGiftCode };
      return data(answer, { status: 400 });
    }
  }
}

/** A draft that these details may replace: no renewal, and not ended. */
async function findChangeable(token: string | undefined, context: ActionFunctionArgs["context"]) {
  const draft = token && (await requireServices(context).signUp.findDraft(token));
  return draft && draft.purpose === "join" && !isSettled(draft) ? token : undefined;
}

const none = z.undefined().catch(undefined);

/**
 * Step 2: leads to the payment. A sign-up by a company's code only confirms its plan. Also checks the email's code if
 * it was typed; otherwise the next step asks again.
 */
export async function choosePlan(form: FormData, args: ActionFunctionArgs) {
  const { request, context, url } = args;
  const { signUp, plans } = requireServices(context);
  const token = readDraftToken(request, url);
  const draft = token && (await signUp.findDraft(token));
  if (!token || !draft) return startAgain();

  const planType = draft.accountType === "individual" ? planChoice(plans, table["plan-missing"]) : none;
  const submission = parseForm(form, z.object({ planType, oneTimeCode: typedCode.optional() }), []);
  if (!submission.ok) return refuse("plan", submission.reply());
  const { value, reply } = submission;
  if (value.planType) {
    const result = await signUp.choosePlan(token, value.planType);
    // A draft that is being paid for keeps its plan; the next step tells so.
    if (!result.ok && result.reason === "no-draft") return startAgain();
  }
  const wrongCode = await takeTypedCode(signUp, { token, oneTimeCode: value.oneTimeCode });
  if (wrongCode) return refuse("plan", reply({ fieldErrors: { oneTimeCode: [wrongCode] } }));
  return redirectToPayment(draft.accountType, args);
}

/** The form's other fields, on the payment step and on that of the plans, where they are only shown again. */
const typedBeside = z.object({
  postcode: z.string().optional(),
  startsAtOnce: z.string().optional(),
  planType: z.string().optional(),
});
const verification = typedBeside.extend({ oneTimeCode: typedCode });

/** Step 3 of a sign-up with a gift: joins and logs in, or returns to the form with the reason. */
export async function takeGift(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { signUp } = requireServices(context);
  const submission = parseForm(form, z.object({ oneTimeCode: typedCode.optional() }), []);
  if (!submission.ok) return refuse("take-gift", submission.reply());
  const { value, reply } = submission;
  const token = readDraftToken(request, url);
  if (!token) return startAgain();
  const wrongCode = await takeTypedCode(signUp, { token, oneTimeCode: value.oneTimeCode });
  if (wrongCode) return refuse("take-gift", reply({ fieldErrors: { oneTimeCode: [wrongCode] } }));
  const result = await signUp.takeGift(token, requestSource(context, url));
  const to = returnPath(url);
  if (result.ok) {
    const session = await signUp.claimSession(token, readBrowser(request, context));
    const headers = session ? { "Set-Cookie": sessionCookie(url, session) } : {};
    return redirect(stepPath(4, to), { status: 303, headers });
  }
  switch (result.reason) {
    case "no-draft":
      return startAgain();
    case "no-gift":
      return redirect(stepPath(2, to), 303);
    case "unverified":
      return refuse("take-gift", reply({ fieldErrors: { oneTimeCode: [emailCodes.unverified] } }));
    case "email-registered": {
      const refused = reply({ formErrors: [payment["email-registered"]] });
      return data<SignUpAnswer>({ form: "take-gift", result: refused, isRegistered: true }, { status: 400 });
    }
    case "gift-refused":
      return refuse("take-gift", reply({ formErrors: [result.message] }));
    case "too-many-attempts":
      return refuseTooMany("take-gift", result, reply);
  }
}

export async function verifyByCode(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = parseForm(form, verification, []);
  if (!submission.ok) return refuse("verify", submission.reply());
  const token = readDraftToken(request, url);
  if (!token) return startAgain();

  const services = requireServices(context);
  await saveChosenPlan(services, { token, planType: submission.value.planType });
  const result = await services.signUp.verifyByCode(token, submission.value.oneTimeCode);
  if (result.ok) {
    const answer: SignUpAnswer = { form: "verify", isDone: true };
    return answerDone(request, toPath(url), { headers: savePostcode(form, { url, services }), answer });
  }
  if (result.reason === "no-draft") return startAgain();
  return refuse("verify", submission.reply({ fieldErrors: { oneTimeCode: [emailCodes[result.reason]] } }));
}

/** A page without script would lose a plan that was chosen but not confirmed. */
async function saveChosenPlan(
  { signUp, plans }: Services,
  { token, planType }: { token: string; planType: string | undefined },
): Promise<void> {
  const plan = plans.find(({ type }) => String(type) === planType);
  if (!plan) return;
  const draft = await signUp.findDraft(token);
  if (draft?.accountType === "individual") await signUp.choosePlan(token, plan.type);
}

export async function resendCode(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const token = readDraftToken(request, url);
  if (!token) return startAgain();
  const services = requireServices(context);
  await saveChosenPlan(services, { token, planType: readText(form, "planType") });
  const result = await services.signUp.resendVerification(token);
  if (result.ok || result.reason === "already-verified") {
    const answer: SignUpAnswer = { form: result.ok ? "resend" : "verify", isDone: true };
    const page = new URL(url);
    if (result.ok) page.searchParams.set("sent", "1");
    return answerDone(request, toPath(page), { headers: savePostcode(form, { url, services }), answer });
  }
  if (!("waitInMs" in result)) return startAgain();
  const { reply } = parseForm(form, typedBeside, []);
  return refuse("resend", reply({ formErrors: [emailWaitMessage(result)] }), tooSoon(result.waitInMs));
}

/** The button of the verification email's page: continues this browser's sign-up, or points to the other window. */
export async function verifyLink(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const { signUp } = requireServices(context);
  const linkToken = readToken(form);
  const isUsed = await signUp.verifyByLink(linkToken);
  const token = readDraftToken(request, url);
  const draft = token ? await signUp.findDraft(token) : undefined;
  // An earlier press, whose answer was lost, may have done it.
  if (draft?.isVerified) return redirect(stepPath(earnedStep(draft)), 303);
  // The link's own page explains what is wrong with it.
  return redirect(isUsed ? "/signup?verified=1" : `/signup?verify=${encodeURIComponent(linkToken)}`, 303);
}

/** Leads to the plans, with a draft for the member of a renewal link or for the logged-in one who presses Renew. */
export async function renew(form: FormData, args: ActionFunctionArgs) {
  const { context, url } = args;
  const { signUp } = requireServices(context);
  const linkToken = readToken(form);
  const source = requestSource(context, url);
  const draft = await (linkToken === OWN_RENEWAL
    ? signUp.startOwnRenewal(requireSender(args, { form, path: renewPath() }).id, source)
    : signUp.startRenewal(linkToken, source));
  if (!draft) return redirect(`/signup?renew=${encodeURIComponent(linkToken)}`, 303);
  return redirect(stepPath(2), { status: 303, headers: { "Set-Cookie": draftCookie(url, draft) } });
}

/** At the end of sign-up, which then shows the other button. */
export async function switchNewsletter(form: FormData, args: ActionFunctionArgs) {
  const { id: memberId } = requireSender(args, { form });
  await setNewsletter(form, { args, memberId });
  return redirect(toPath(args.url), 303);
}

/** No token of ours is longer. */
const TOKEN_MAX_LENGTH = 400;

function readToken(form: FormData): string {
  const token = readText(form, "token");
  return token.length <= TOKEN_MAX_LENGTH ? token : "";
}
