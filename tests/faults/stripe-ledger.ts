import type { Queries } from "../../server/database/database.ts";
import type { StripeBooks } from "../fakes/stripe-books.ts";
import { readLedger, type Charge, type Ledger } from "../saga/ledger.ts";

/** Stripe's books beside ours, in the form in which the demo's are looked through. */
export async function readStripeLedger(db: Queries, books: StripeBooks): Promise<Ledger> {
  const ledger = await readLedger(db);
  const pays = [...books.intents.values()].map((intent) => ({
    id: books.findSessionOf(intent.id)?.id ?? intent.id,
    intentId: intent.id,
    state: intent.status.replaceAll("_", "-"),
    amountInPence: intent.amount_received,
    orderId: Number(intent.metadata.order_id),
  }));
  const charges = pays
    .filter(({ state }) => state === "succeeded")
    .map(({ id, intentId, orderId, amountInPence }): Charge => ({
      id,
      orderId,
      draftId: ledger.orders.find((order) => order.id === orderId)?.draft_id ?? null,
      amountInPence,
      refunds: listRefunds(books, intentId),
    }));
  return { ...ledger, pays, charges };
}

function listRefunds({ refunds }: StripeBooks, intentId: string): number[] {
  return [...refunds.values()]
    .filter(({ payment_intent: of, status }) => of === intentId && status === "succeeded")
    .map(({ amount }) => amount);
}
