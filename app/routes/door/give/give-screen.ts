import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import type { Member } from "../../../../server/members/accounts/accounts.ts";
import { addMonths } from "../../../../server/platform/london-calendar.ts";
import { formatDay, formatPence, toDay } from "../../../../server/platform/format.ts";
import { displayName } from "../../../../server/platform/text.ts";
import { dayText } from "../../../../server/content/items/item-facts.ts";
import type { GiftDraft } from "../../../../server/money/gifts/giving.ts";
import type { Services } from "../../../../server/services.ts";
import { findTrouble, type PaymentScreen } from "../signup/pay.ts";
import { fact } from "../signup/step-bar.tsx";
import { arrivalText, periodLabel } from "./gift-texts.ts";
import { type GiveStep, givenPath, sheetPath } from "./paths.ts";

/** Formatted texts, as those of a sign-up. */
export type GiveScreen = Awaited<ReturnType<typeof toGiveScreen>>;

type Visit = {
  step: GiveStep;
  draft: GiftDraft | undefined;
  member: Member | undefined;
  isExpired: boolean;
};

export async function toGiveScreen(services: Services, { step, draft, member, isExpired }: Visit) {
  if (!draft || step === 0) return toDetails(services, { draft, member, isExpired });
  return step === 3 ? toGiftPayment(services, draft) : toOutcome(services, draft);
}

/** Days ahead on which a gift may arrive. */
const AHEAD_MONTHS = 12;

function toDetails({ plans, clock }: Services, { draft, member, isExpired }: Omit<Visit, "step">) {
  const now = clock();
  const lastDay = addMonths(now, AHEAD_MONTHS);
  return {
    name: "details" as const,
    plans: plans.map((plan) => ({
      type: plan.type,
      label: periodLabel(plan),
      sum: formatPence(plan.chargeInPence),
      term: "",
      price: plan.months === 1 ? "" : plan.priceText,
      end: "",
    })),
    /** A member's receipt goes to their account's address. */
    email: member?.email,
    typed: toTyped({ draft, member, today: toDay(now), year: plans.find(({ months }) => months === 12)?.type }),
    today: toDay(now),
    lastDay: toDay(lastDay),
    lastDayText: formatDay(lastDay),
    isExpired,
  };
}

type Typing = Pick<Visit, "draft" | "member"> & { today: string; year: number | undefined };

/** A finished gift fills in only its giver. */
function toTyped({ draft, member, today, year }: Typing) {
  const own = member && { giverName: displayFullName(member), giverEmail: member.email };
  const fresh = { planType: year?.toString(), by: "email", day: today };
  if (!draft) return { ...fresh, ...own };
  const giver = own ?? { giverName: draft.giverName, giverEmail: draft.giverEmail };
  if (draft.payment.state === "completed" || draft.payment.state === "refunded") return { ...fresh, ...giver };
  return {
    ...giver,
    giverName: draft.giverName,
    planType: String(draft.planType),
    recipientName: draft.recipientName,
    recipientEmail: draft.recipientEmail ?? "",
    by: draft.isSheet ? "sheet" : "email",
    message: draft.message,
    day: draft.day < today ? today : draft.day,
  };
}

function toGiftPayment(services: Services, draft: GiftDraft): PaymentScreen {
  const { script, ...cardFields } = services.cardFields;
  const { planType, giverName, giverEmail, recipientName, recipientEmail, message } = draft;
  const plan = services.plans.find(({ type }) => type === planType);
  return {
    name: "payment",
    isGift: true,
    facts: [
      fact("Gift", periodLabel(plan)),
      fact("For", displayName(recipientName)),
      ...(recipientEmail ? [fact("Email", recipientEmail)] : []),
      fact("Arrives", draft.isSheet ? "On a sheet that you print" : dayText(draft.day)),
      ...(message ? [fact("Your words", message)] : []),
      fact("From", displayName(giverName)),
      fact("Receipt to", giverEmail),
      fact("Valid until", formatDay(draft.waitsUntil)),
      fact("To pay today", formatPence(draft.amountInPence)),
    ],
    plan: planType,
    renewed: undefined,
    amount: formatPence(draft.amountInPence),
    cancelling: "within-days",
    cardFields,
    postcode: draft.postcode,
    payer: { name: giverName, email: giverEmail },
    trouble: findTrouble(draft.payment),
    verification: { email: giverEmail, isVerified: true, isSent: false, canChange: false },
    leavesFor: undefined,
    hasCardScript: script !== undefined,
  };
}

async function toOutcome({ gifts }: Services, { payment, giverEmail }: GiftDraft) {
  if (payment.state === "refunded") return { name: "refunded" as const, amount: formatPence(payment.amountInPence) };
  const gift = payment.state === "completed" ? await gifts.findGiven(payment.giverToken) : undefined;
  if (payment.state !== "completed" || !gift) return { name: "checking" as const };
  const who = displayName(gift.recipientName);
  const until = formatDay(gift.expiresAt);
  return {
    name: "done" as const,
    email: giverEmail,
    facts: [fact("Receipt number", payment.receiptNumber), fact("Paid", formatPence(payment.amountInPence))],
    next: gift.isSheet
      ? `Print the sheet and give it to ${who}. It's valid until ${until}.`
      : gift.state === "waiting"
        ? `We'll email ${who} on ${arrivalText(gift)}. Your gift is then valid until ${until}.`
        : `We've emailed ${who}. Your gift is valid until ${until}.`,
    sheetPath: gift.isSheet ? sheetPath(gift.giverToken) : undefined,
    givenPath: givenPath(gift.giverToken),
  };
}
