import { expect } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Queries } from "../../server/platform/database/database.ts";
import type { StripeBooks } from "../fakes/stripe-books.ts";
import type { Newcomer } from "../helpers/newcomer.ts";
import { findRemainder, listFaults, readLedger, type Charge, type Ledger } from "../saga/ledger.ts";
import type { TroubledSite } from "./troubled-site.ts";

/** Past every wait of the app: for lost and abandoned payments, emails and unpaid orders. */
const STEPS_TO_REST_IN_MS = [MINUTE_IN_MS, 91 * MINUTE_IN_MS, 25 * HOUR_IN_MS, DAY_IN_MS];

/**
 * Lets the app come to rest without a webhook, and checks that each person was charged once and got every email once.
 */
export async function expectPaidOnce(site: TroubledSite, people: Newcomer[]): Promise<void> {
  // Their bodies are lost: missed events are fetched.
  site.parts.stripe.takeWebhooks();
  for (const ms of STEPS_TO_REST_IN_MS) await site.live(ms);
  const { db } = site.database;
  const ledger = await readStripeLedger(db, site.parts.stripe.books);
  expect(listFaults(ledger)).toEqual([]);
  for (const { email } of people) {
    const own = new Set(ledger.orders.filter((order) => order.email === email).map(({ id }) => id));
    const charges = ledger.charges.filter(({ orderId }) => own.has(orderId));
    expect(
      charges.map(findRemainder).filter((pence) => pence > 0),
      email,
    ).toEqual([6000]);
  }
  const ids = site.emails.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(ledger.emails.length);
  expect(await db.selectFrom("webhookEvents").select("eventId").where("handledAt", "is", null).execute()).toEqual([]);
}

/** In the form of the demo's ledger. */
export async function readStripeLedger(db: Queries, books: StripeBooks): Promise<Ledger> {
  const ledger = await readLedger(db);
  const pays = [...books.intents.values()].map((intent) => ({
    id: books.findSessionFor(intent.id)?.id ?? intent.id,
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
      draftId: ledger.orders.find((order) => order.id === orderId)?.draftId ?? null,
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
