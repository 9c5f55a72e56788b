import type { PlanType } from "../membership/plans.ts";
import type { CheckoutResult, FreeOrderResult } from "../payments/checkout.ts";
import type { Payments } from "../payments/payments.ts";
import type { Admission, AdmissionRefusal } from "./admission.ts";
import type { DraftRow, Drafts } from "./drafts.ts";
import type { PaymentInput, PayResult, SignUp } from "./sign-up.ts";
import type { Limits } from "./verification.ts";

/** A company's code brings twelve months (spec, section 9). */
export const CORPORATE_PLAN: PlanType = 3;

type PayingServices = { admission: Admission; payments: Payments; drafts: Drafts; limits: Limits; productName: string };

/** Step 3. Everything that would make a payment useless is looked at before anything is charged. */
export function createPay({ admission, payments, drafts, limits, productName }: PayingServices): SignUp["pay"] {
  return async (token, input) => {
    const draft = await drafts.find(token);
    if (!draft) return { ok: false, reason: "no-draft" };
    if (draft.state !== "open") return { ok: true, next: draft.state === "completed" ? "completed" : "checking" };
    const tooMany = await limits.countPayment(input.address, draft.id);
    // Nobody is told to try again later while they may have paid.
    const isUnknown = tooMany && (await payments.findView(draft.id)).state === "checking";
    if (tooMany) return isUnknown ? { ok: true, next: "checking" } : tooMany;
    if (!draft.isVerified) return { ok: false, reason: "unverified" };
    const postcode = input.postcode.trim();
    if (postcode === "") return { ok: false, reason: "postcode-missing" };
    const admitted = draft.purpose === "join" ? await admission.prepare(draft, input.address) : { ok: true as const };
    if (!admitted.ok) return answerNotAdmitted(draft, admitted);
    return draft.accountType === "corporate"
      ? completeCorporate(draft, { ...input, postcode })
      : charge(draft, { ...input, postcode });
  };

  /** Perhaps the account is this draft's own, or its money is here: nobody is told that nothing was taken when something was. */
  async function answerNotAdmitted({ id }: DraftRow, refusal: AdmissionRefusal): Promise<PayResult> {
    if ((await payments.giveUp(id)) === "given-up") return toRefusal(refusal);
    const draft = await drafts.findById(id);
    return { ok: true, next: draft?.state === "completed" ? "completed" : "checking" };
  }

  async function completeCorporate(draft: DraftRow, { postcode }: PaymentInput): Promise<PayResult> {
    return toJoinResult(await payments.completeFree({ ...toOrder(draft), planType: CORPORATE_PLAN, postcode }));
  }

  async function charge(draft: DraftRow, input: PaymentInput): Promise<PayResult> {
    const { planType } = draft;
    if (planType === undefined) return { ok: false, reason: "no-plan" };
    if (input.shownPlanType !== planType) return { ok: false, reason: "plan-changed" };
    await drafts.outlivePayment(draft.id);
    const result = await payments.pay({
      order: { ...toOrder(draft), planType, postcode: input.postcode },
      methodId: input.methodId,
      returnUrl: stepUrl(4, input),
      cancelUrl: stepUrl(3, input),
      productName,
    });
    return toPayResult(result);
  }
}

/** Nothing is charged for such an order: it can be sent again. */
const UNREACHED = { ok: false, reason: "declined", decline: "gateway-unavailable" } as const;

function toRefusal(refusal: AdmissionRefusal): PayResult {
  return refusal.reason === "unreachable" ? UNREACHED : refusal;
}

function stepUrl(step: 3 | 4, { site, wantedPath }: PaymentInput): string {
  return `${site}signup?step=${step}${wantedPath ? `&to=${encodeURIComponent(wantedPath)}` : ""}`;
}

function toOrder(draft: DraftRow) {
  const { id, memberId, accountType, email, firstName, lastName, code, site } = draft;
  return { draftId: id, memberId, accountType, email, firstName, lastName, code, site };
}

function toJoinResult(fulfilment: FreeOrderResult): PayResult {
  if (fulfilment.ok) return { ok: true, next: "completed" };
  switch (fulfilment.reason) {
    case "already-completed":
      return { ok: true, next: "completed" };
    case "code-refused":
      return { ok: false, reason: "code-refused", message: fulfilment.message };
    case "email-registered":
      return { ok: false, reason: "email-registered" };
    case "unreachable":
      return UNREACHED;
    case "member-gone":
    case "sign-up-gone":
      return { ok: false, reason: "no-draft" };
  }
}

function toPayResult(result: CheckoutResult): PayResult {
  switch (result.state) {
    case "paid":
      return { ok: true, next: "completed" };
    case "checking":
      return { ok: true, next: "checking" };
    case "continue":
      return { ok: true, next: "continue", url: result.url };
    case "declined":
      return { ok: false, reason: "declined", decline: result.decline };
  }
}
