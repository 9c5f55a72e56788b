import type { Stripe } from "stripe";

import {
  API_VERSION,
  impossible,
  invalid,
  makeId,
  missing,
  newDispute,
  newMethod,
  toParams,
  StripeRefusal,
  toText,
  type About,
  type Params,
} from "./stripe-objects.ts";

type Setting = { now: () => Date; isLive: boolean; emit: (event: Stripe.Event) => void };

export type StripeBooks = ReturnType<typeof createBooks>;

export function createBooks({ now, isLive, emit }: Setting) {
  const nowInSeconds = () => Math.floor(now().getTime() / 1000);
  const events: Stripe.Event[] = [];

  const books = {
    customers: new Map<string, Stripe.Customer>(),
    methods: new Map<string, { method: Stripe.PaymentMethod; fate: CardFate; isUsed: boolean }>(),
    intents: new Map<string, Stripe.PaymentIntent>(),
    sessions: new Map<string, Stripe.Checkout.Session>(),
    refunds: new Map<string, Stripe.Refund>(),
    disputes: new Map<string, Stripe.Dispute>(),
    /** The fields of the PaymentIntent that a session will make. */
    intentData: new Map<string, Params>(),
    /** The later behaviour of a charged PaymentIntent's card. */
    fates: new Map<string, CardFate>(),
    events,
    nowInSeconds,
    about: (): About => ({ created: nowInSeconds(), livemode: isLive }),

    /** Records an event with the object's present state. */
    happen(type: string, object: { object: string }): void {
      const event = {
        id: makeId("evt"),
        object: "event",
        api_version: API_VERSION,
        created: nowInSeconds(),
        data: { object: structuredClone(object) },
        livemode: isLive,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      } as unknown as Stripe.Event;
      events.push(event);
      emit(event);
    },

    requireIntent(id: string, param = "id"): Stripe.PaymentIntent {
      const found = books.intents.get(id);
      if (!found) throw missing("payment_intent", { id, param });
      return found;
    },

    /** A session past its time expires at its next use. */
    requireSession(id: string): Stripe.Checkout.Session {
      const found = books.sessions.get(id);
      if (!found) throw missing("checkout.session", { id, param: "id" });
      if (found.status === "open" && nowInSeconds() >= found.expires_at) books.expire(found);
      return found;
    },

    findSessionFor: (intentId: string) =>
      [...books.sessions.values()].find(({ payment_intent: made }) => made === intentId),

    expire(session: Stripe.Checkout.Session): void {
      session.status = "expired";
      session.url = null;
      const made = typeof session.payment_intent === "string" ? books.intents.get(session.payment_intent) : undefined;
      if (made && made.status !== "succeeded") books.cancel(made, "expired");
      books.happen("checkout.session.expired", session);
    },

    cancel(intent: Stripe.PaymentIntent, reason: Stripe.PaymentIntent.CancellationReason | null): void {
      intent.status = "canceled";
      intent.canceled_at = nowInSeconds();
      intent.cancellation_reason = reason;
      intent.next_action = null;
      books.happen("payment_intent.canceled", intent);
    },
  };
  return books;
}

/** Charges a card, sends its payer to the bank, or declines it with Stripe's 402. */
export function charge(
  books: StripeBooks,
  intent: Stripe.PaymentIntent,
  { fate, bankPage, returnUrl }: { fate: CardFate; bankPage: string; returnUrl: string | undefined },
): void {
  intent.last_payment_error = null;
  books.fates.set(intent.id, fate);
  if (fate.decline) {
    decline(books, intent, fate.decline);
    throw new StripeRefusal(402, { type: "card_error", ...fate.decline, payment_intent: structuredClone(intent) });
  }
  if (!fate.isAuthenticated) return succeed(books, intent);
  intent.status = "requires_action";
  intent.next_action = {
    type: "redirect_to_url",
    redirect_to_url: { return_url: returnUrl ?? null, url: `${bankPage}${intent.id}` },
  };
  books.happen("payment_intent.requires_action", intent);
}

function succeed(books: StripeBooks, intent: Stripe.PaymentIntent): void {
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = makeId("ch");
  intent.next_action = null;
  intent.last_payment_error = null;
  books.happen("payment_intent.succeeded", intent);
  const session = books.findSessionFor(intent.id);
  if (session) {
    Object.assign(session, { status: "complete", payment_status: "paid", url: null });
    books.happen("checkout.session.completed", session);
  }
  if (books.fates.get(intent.id)?.isDisputed) openDispute(books, intent, "needs_response");
}

function decline(
  books: StripeBooks,
  intent: Stripe.PaymentIntent,
  error: { code: string; decline_code?: string; message: string },
): void {
  intent.status = "requires_payment_method";
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error = { type: "card_error", ...error };
  books.happen("payment_intent.payment_failed", intent);
}

/** On the bank's page. A finished one changes nothing. */
export function authenticate(books: StripeBooks, intent: Stripe.PaymentIntent, isComplete: boolean): void {
  if (intent.status !== "requires_action") return;
  if (isComplete) return succeed(books, intent);
  decline(books, intent, {
    code: "payment_intent_authentication_failure",
    message: "The provided PaymentMethod has failed authentication.",
  });
}

export function openDispute(books: StripeBooks, intent: Stripe.PaymentIntent, status: Stripe.Dispute.Status): string {
  const dispute = newDispute(intent, { ...books.about(), status });
  books.disputes.set(dispute.id, dispute);
  books.happen("charge.dispute.created", dispute);
  return dispute.id;
}

export function closeDispute(books: StripeBooks, id: string, status: Stripe.Dispute.Status): void {
  const dispute = books.disputes.get(id);
  if (!dispute) throw new Error(`There is no dispute ${id}`);
  dispute.status = status;
  books.happen("charge.dispute.closed", dispute);
}

/** Of a refund that was on its way, or that a bank sends back. */
export function endRefund(books: StripeBooks, id: string, status: "succeeded" | "failed"): void {
  const refund = books.refunds.get(id);
  if (!refund) throw new Error(`There is no refund ${id}`);
  refund.status = status;
  if (status === "failed") refund.failure_reason = "lost_or_stolen_card";
  books.happen(status === "failed" ? "refund.failed" : "refund.updated", refund);
}

/** As Stripe.js requests it, with the publishable key. */
export function makeMethod(books: StripeBooks, params: Params): Stripe.PaymentMethod {
  if (toText(params.type) !== "card") throw invalid("Only cards are known here", { param: "type" });
  const card = toParams(params.card);
  const fate = readCard(card, books.nowInSeconds());
  const billing = toParams(params.billing_details);
  return keepMethod(books, { ...fate }, billing);
}

export function keepMethod(books: StripeBooks, fate: CardFate, billing: Params): Stripe.PaymentMethod {
  const method = newMethod(fate.last4, { ...books.about(), billing });
  books.methods.set(method.id, { method, fate, isUsed: false });
  return method;
}

/** Throws Stripe's error for a number that is no test card. */
export function readCard(card: Params, nowInSeconds: number): CardFate {
  const fate = findFate(toText(card.number) ?? "");
  if (!fate) throw cardError("incorrect_number", "Your card number is incorrect.");
  const [month, year] = [card.exp_month, card.exp_year].map((each) => Number(toText(each)));
  const fullYear = (year ?? 0) < 100 ? 2000 + (year ?? 0) : (year ?? 0);
  if (!month || month > 12) throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.");
  if (Date.UTC(fullYear, month, 1) <= nowInSeconds * 1000) {
    throw cardError("invalid_expiry_year", "Your card's expiration year is invalid.");
  }
  if (!/^\d{3,4}$/.test(toText(card.cvc) ?? "")) {
    throw cardError("invalid_cvc", "Your card's security code is invalid.");
  }
  return fate;
}

function cardError(code: string, message: string): StripeRefusal {
  return new StripeRefusal(402, { type: "card_error", code, message }, true);
}

/** Named test methods are new at each use; others exist and were not charged yet. */
export function findMethod(books: StripeBooks, id: string) {
  const named = findNamedFate(id);
  const made = books.methods.get(named ? keepMethod(books, named, {}).id : id);
  if (!made) throw missing("PaymentMethod", { id, param: "payment_method" });
  if (made.isUsed) {
    throw impossible(
      "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, and may not be used again.",
    );
  }
  return made;
}

/** Of a test card (docs.stripe.com/testing): by its number in a form, by its name in a call. */
export type CardFate = {
  last4: string;
  decline?: { code: string; decline_code?: string; message: string };
  /** The bank authenticates the payer. */
  isAuthenticated?: boolean;
  /** Its refunds stay pending. */
  isRefundPending?: boolean;
  /** The payer's bank takes the money back at once. */
  isDisputed?: boolean;
};

const declined = (code: string, decline_code?: string) => ({
  decline: { code, ...(decline_code && { decline_code }), message: "Your card was declined." },
});

const fates: (Omit<CardFate, "last4"> & { number: string; name: string })[] = [
  { number: "4242424242424242", name: "visa" },
  { number: "4000000000000002", name: "chargeDeclined", ...declined("card_declined", "generic_decline") },
  {
    number: "4000000000009995",
    name: "chargeDeclinedInsufficientFunds",
    ...declined("card_declined", "insufficient_funds"),
  },
  { number: "4000000000000069", name: "chargeDeclinedExpiredCard", ...declined("expired_card") },
  { number: "4000000000000127", name: "chargeDeclinedIncorrectCvc", ...declined("incorrect_cvc") },
  { number: "4000000000000119", name: "chargeDeclinedProcessingError", ...declined("processing_error") },
  { number: "4000000000009987", name: "chargeDeclinedLostCard", ...declined("card_declined", "lost_card") },
  { number: "4000002760003184", name: "authenticationRequired", isAuthenticated: true },
  { number: "4000000000007726", name: "pendingRefund", isRefundPending: true },
  { number: "4000000000000259", name: "createDispute", isDisputed: true },
];

/** `undefined`: no test card, which Stripe answers with `incorrect_number`. */
function findFate(number: string): CardFate | undefined {
  const digits = number.replaceAll(/\D/g, "");
  return toFate(fates.find((each) => each.number === digits));
}

/** `pm_card_visa`, `pm_card_chargeDeclined`, `pm_card_visa_chargeDeclined`. */
function findNamedFate(methodId: string): CardFate | undefined {
  const name = /^pm_card_(?:visa_)?(\w+)$/.exec(methodId)?.[1];
  return toFate(fates.find((each) => each.name === name));
}

const toFate = (found: (typeof fates)[number] | undefined) => found && { ...found, last4: found.number.slice(-4) };
