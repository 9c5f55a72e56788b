import type { Stripe } from "stripe";

import type { StripeBooks } from "./stripe-books.ts";
import type { CardFate } from "./stripe-cards.ts";
import { StripeRefusal } from "./stripe-errors.ts";
import { makeId } from "./stripe-objects.ts";
import { newDispute } from "./stripe-dispute-object.ts";

/** Tries a card on a PaymentIntent: charged, sent to its bank's page, or declined, which throws the 402 that Stripe answers. */
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
  const session = books.findSessionOf(intent.id);
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

/** The payer on their bank's page: it was them, or it was not. Over already: nothing changes. */
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

/** What becomes of a refund that was on its way, or that a bank sends back. */
export function endRefund(books: StripeBooks, id: string, status: "succeeded" | "failed"): void {
  const refund = books.refunds.get(id);
  if (!refund) throw new Error(`There is no refund ${id}`);
  refund.status = status;
  if (status === "failed") refund.failure_reason = "lost_or_stolen_card";
  books.happen(status === "failed" ? "refund.failed" : "refund.updated", refund);
}
