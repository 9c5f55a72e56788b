import { expect } from "vitest";

import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import type { Engine } from "../../server/database/database.ts";
import type { CardGateway } from "../../server/payments/card-gateway.ts";
import type { PayResult, PaymentInput } from "../../server/sign-up/sign-up.ts";
import { createStripePayer } from "../fakes/stripe-pages.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { takeEmail } from "../saga/journeys.ts";
import { payment, prepareDraft } from "../saga/visitor.ts";
import { openApp } from "./app.ts";
import { createTestClock } from "./test-clock.ts";

export const VISA = "4242424242424242";

/** What comes between the app and Stripe; `connect` goes there with another key. */
type Change = (cards: CardGateway, connect: (secretKey: string) => CardGateway) => CardGateway;

/** An app that takes cards by Stripe: sign-up, webhook events, reconciling and refunds over the adapter. */
export async function openStripeApp(on: Engine, change: Change = (cards) => cards) {
  const clock = createTestClock();
  const fake = await startStripeFake({ clock });
  const connect = (secretKey: string) => createStripe({ ...fake.keys, secretKey, apiBase: fake.url, clock });
  const stripe = connect(fake.keys.secretKey);
  const app = await openApp({ engine: on, clock, cards: change(stripe, connect) });
  const payer = createStripePayer(fake);
  const { db } = app.database;

  async function pay(token: string, { number = VISA, ...input }: Partial<PaymentInput> & { number?: string } = {}) {
    return app.services.signUp.pay(token, { ...payment, methodId: await payer.makeMethod(number), ...input });
  }
  /** Brings what Stripe has to tell, as its webhooks would. */
  async function bringWebhooks(): Promise<void> {
    for (const { body, headers } of fake.takeWebhooks()) {
      const receipt = await app.services.webhooks.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      expect(receipt).toBe("kept");
    }
    await app.services.webhooks.handleWaiting();
  }
  const states = async () => ({
    orders: (await db.selectFrom("orders").select("state").orderBy("id").execute()).map(({ state }) => state),
    attempts: (await db.selectFrom("payments").select("state").orderBy("id").execute()).map(({ state }) => state),
  });
  const kept = () => {
    const paid = [...fake.books.intents.values()].reduce((sum, each) => sum + each.amount_received, 0);
    return paid - [...fake.books.refunds.values()].reduce((sum, each) => sum + each.amount, 0);
  };
  /** A payer whose address is taken while their bank asks them gets their money back. */
  async function payInVain() {
    const begun = await pay(await prepareDraft(app), { number: "4000002760003184" });
    await takeEmail(app);
    await payer.authenticate(urlOf(begun), true);
    await bringWebhooks();
    const [paymentId = ""] = fake.books.intents.keys();
    const [refundId = ""] = fake.books.refunds.keys();
    return { paymentId, refundId };
  }
  /** As an operator does in Stripe's dashboard. */
  async function payBackByHand(paymentId: string, amountInPence: number): Promise<string> {
    const { id } = await stripe.refund({ key: `by-hand-${fake.books.refunds.size}`, paymentId, amountInPence });
    await bringWebhooks();
    return id;
  }
  async function close(): Promise<void> {
    await app[Symbol.asyncDispose]();
    await fake.stop();
  }
  return {
    ...app,
    fake,
    stripe,
    payer,
    pay,
    payInVain,
    payBackByHand,
    bringWebhooks,
    states,
    kept,
    [Symbol.asyncDispose]: close,
  };
}

/** Where the payer is sent on to. */
export function urlOf(result: PayResult): string {
  return result.ok && result.next === "continue" ? result.url : "";
}
