import type { PlanType } from "../membership/plans.ts";
import type { CheckoutResult } from "../payments/checkout.ts";
import type { Fulfilment } from "../payments/context.ts";
import type { SignUpContext, RequestSource } from "./context.ts";
import { type DraftRow, findDraft, findDraftById, extendForPayment } from "./drafts.ts";
import type { AccountOpening, SeatTaken } from "./joining.ts";
import { findRenewed, type Renewed } from "./renewal.ts";
import { countPayment } from "./verification.ts";
import { cleanText } from "../../platform/text.ts";

/** A company's code brings twelve months (docs/behaviour.md, Plans). */
export const CORPORATE_PLAN: PlanType = 3;

export type PaymentInput = RequestSource & {
  /** The plan on the page: a plan changed elsewhere meanwhile is not charged. */
  shownPlanType: PlanType | undefined;
  postcode: string;
  /** The payer asks to start at once, where the operator requires it. */
  startsAtOnce?: boolean;
  /** The receipt of a renewal paid elsewhere meanwhile, if the page has shown it. */
  knownReceipt?: string | undefined;
  /** From card fields in the browser; without one the payer goes to the gateway's own page. */
  methodId: string | undefined;
  /** The card fields found a mistake: the answer then names what else is missing, and nothing is charged. */
  isCardWrong?: boolean;
  /** The page that the visitor requested before signing up; banks and gateways pass it on. */
  returnTo?: string | undefined;
};

export type PayResult =
  | CheckoutResult
  | { ok: false; reason: "code-refused"; message: string }
  | { ok: false; reason: "account-refused"; message: string }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number }
  /** The membership was renewed elsewhere since; the page has not shown that yet. */
  | { ok: false; reason: "renewed"; renewed: Renewed }
  | {
      ok: false;
      reason: "no-draft" | "no-plan" | "plan-changed" | "email-registered";
    }
  | { ok: false; reason: "incomplete"; missing: Missing[] };

/** The answer names all missing things at once. */
export type Missing = "unverified" | "card-missing" | "postcode-missing" | "start-missing";

/** Step 3. Everything that would make a payment useless is checked before the charge. */
export async function payForDraft(ctx: SignUpContext, token: string, input: PaymentInput): Promise<PayResult> {
  const draft = await findDraft(ctx, token);
  if (!draft) return { ok: false, reason: "no-draft" };
  if (draft.state !== "open") return { ok: true, next: draft.state === "completed" ? "completed" : "checking" };
  const tooMany = await countPayment(ctx, { address: input.address, draftId: draft.id });
  if (tooMany) {
    // A visitor who may have paid must not be asked to try again later.
    const { state } = await ctx.payments.findView({ draftId: draft.id });
    return state === "checking" ? { ok: true, next: "checking" } : tooMany;
  }
  const postcode = cleanText(input.postcode);
  const mustAgree = ctx.startsAtOnce && draft.accountType === "individual";
  const missing: Missing[] = [
    ...(draft.isVerified ? [] : ["unverified" as const]),
    ...(input.isCardWrong ? ["card-missing" as const] : []),
    ...(postcode === "" ? ["postcode-missing" as const] : []),
    ...(mustAgree && !input.startsAtOnce ? ["start-missing" as const] : []),
  ];
  if (missing.length > 0) return { ok: false, reason: "incomplete", missing };
  const opened =
    draft.purpose === "join" ? await ctx.joining.openAccount(draft, input.address) : ({ ok: true } as const);
  if (!opened.ok) return answerNotOpened(ctx, draft, opened);
  return draft.accountType === "corporate"
    ? joinByCode(ctx, draft, postcode)
    : charge(ctx, draft, { ...input, postcode });
}

/** The account may be this draft's own, or its money may be here: the page must not say that nothing was taken. */
async function answerNotOpened(ctx: SignUpContext, { id }: DraftRow, refusal: OpeningRefusal): Promise<PayResult> {
  if ((await ctx.payments.giveUp({ draftId: id })) === "given-up") return toRefusal(refusal);
  const draft = await findDraftById(ctx, id);
  return { ok: true, next: draft?.state === "completed" ? "completed" : "checking" };
}

async function joinByCode(ctx: SignUpContext, draft: DraftRow, postcode: string): Promise<PayResult> {
  const order = { ...toOrder(draft), planType: CORPORATE_PLAN, postcode };
  const seat = await ctx.joining.takeSeat(order);
  return toJoinResult(seat.ok ? await ctx.payments.completeFree(order) : seat);
}

async function charge(ctx: SignUpContext, draft: DraftRow, input: PaymentInput): Promise<PayResult> {
  const { planType } = draft;
  if (planType === undefined) return { ok: false, reason: "no-plan" };
  if (input.shownPlanType !== planType) return { ok: false, reason: "plan-changed" };
  const renewed = await findRenewed(ctx, draft);
  if (renewed && renewed.receiptNumber !== input.knownReceipt) return { ok: false, reason: "renewed", renewed };
  await extendForPayment(ctx, draft.id);
  return ctx.payments.pay({
    order: { ...toOrder(draft), code: undefined, planType, postcode: input.postcode, isWaived: ctx.startsAtOnce },
    methodId: input.methodId,
    returnUrl: stepUrl(4, input),
    cancelUrl: stepUrl(3, input),
    productName: ctx.productName,
  });
}

type OpeningRefusal = Extract<AccountOpening, { ok: false }>;

/** Nothing is charged for such an order: it can be sent again. */
const UNAVAILABLE = { ok: false, reason: "declined", decline: "gateway-unavailable" } as const;

function toRefusal(refusal: OpeningRefusal): PayResult {
  return refusal.reason === "unavailable" ? UNAVAILABLE : refusal;
}

function stepUrl(step: 3 | 4, { site, returnTo }: PaymentInput): string {
  return `${site}signup?step=${step}${returnTo ? `&to=${encodeURIComponent(returnTo)}` : ""}`;
}

function toOrder(draft: DraftRow) {
  const { id, memberId, accountType, email, firstName, lastName, code, site } = draft;
  return { draftId: id, memberId, accountType, email, firstName, lastName, code, site };
}

function toJoinResult(fulfilment: Fulfilment | Extract<SeatTaken, { ok: false }>): PayResult {
  if (fulfilment.ok) return { ok: true, next: "completed" };
  switch (fulfilment.reason) {
    case "already-completed":
      return { ok: true, next: "completed" };
    case "code-refused":
      return { ok: false, reason: "code-refused", message: fulfilment.message };
    case "email-registered":
      return { ok: false, reason: "email-registered" };
    case "unavailable":
      return UNAVAILABLE;
    case "member-gone":
    case "sign-up-gone":
    case "gift-gone":
      return { ok: false, reason: "no-draft" };
  }
}
