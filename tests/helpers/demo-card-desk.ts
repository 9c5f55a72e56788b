import { createDemo } from "../../server/adapters/demo/demo.ts";
import type { Engine } from "../../server/database/database.ts";
import type { NewHostedPayment, NewPayment } from "../../server/payments/card-gateway.ts";
import { cancelUrl, order } from "./card-order.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestClock } from "./test-clock.ts";

export const wanted = { ...order, customerId: "cus_1" };
export const cardOf = (number: string) => ({ number, expiry: "04/30", cvc: "123" });

/** The demo's card gateway, and the pages on its far side. */
export async function openDemoCards(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const pageUrl = (path: string) => `http://dormouse.test/sleep/${path}`;
  const { store, cards, pages } = createDemo({ db: database.db, clock, secret: "a secret", pageUrl });
  async function makeMethod(number = "4242 4242 4242 4242"): Promise<string> {
    const made = await pages.makeMethod(cardOf(number));
    return made.ok ? made.methodId : "";
  }
  const start = async (number?: string, changes: Partial<NewPayment> = {}) =>
    cards.startPayment({ ...wanted, methodId: await makeMethod(number), ...changes });
  const startHosted = (changes: Partial<NewHostedPayment> = {}) =>
    cards.startHostedPayment({
      ...wanted,
      cancelUrl,
      expiresAt: new Date("2026-11-20T04:30:00.000Z"),
      ...changes,
    });
  const listEvents = async () =>
    (await store.listEvents()).map(({ body }) => (JSON.parse(body) as { notices: object[] }).notices[0]);
  return { ...database, clock, store, cards, pages, start, startHosted, listEvents, makeMethod };
}
