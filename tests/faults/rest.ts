import { expect } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import type { Newcomer } from "../helpers/newcomer.ts";
import { keptOf, listFaults } from "../saga/ledger.ts";
import { readStripeLedger } from "./stripe-ledger.ts";
import type { TroubledSite } from "./troubled-site.ts";

/** Past every wait of the app: for lost payments, for abandoned ones, for emails, for orders that nobody pays for. */
const STEPS_TO_REST_IN_MS = [MINUTE_IN_MS, 91 * MINUTE_IN_MS, 25 * HOUR_IN_MS, DAY_IN_MS];

/**
 * Lets everything come to its end without a single webhook, and finds nothing lost: each of these people charged once, every email
 * sent once, no webhook event left.
 */
export async function expectPaidOnce(site: TroubledSite, people: Newcomer[]): Promise<void> {
  // Their bodies are lost: what was missed is fetched.
  site.parts.stripe.takeWebhooks();
  for (const ms of STEPS_TO_REST_IN_MS) await site.live(ms);
  const { db } = site.database;
  const ledger = await readStripeLedger(db, site.parts.stripe.books);
  expect(listFaults(ledger)).toEqual([]);
  for (const { email } of people) {
    const own = new Set(ledger.orders.filter((order) => order.email === email).map(({ id }) => id));
    const charges = ledger.charges.filter(({ orderId }) => own.has(orderId));
    expect(
      charges.map(keptOf).filter((pence) => pence > 0),
      email,
    ).toEqual([6000]);
  }
  const ids = site.emails.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(ledger.emails.length);
  expect(await db.selectFrom("notices").select("notice_id").where("handled_at", "is", null).execute()).toEqual([]);
}
