import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";

import { signWebhook } from "../../../tests/fakes/stripe.ts";
import { startStripeFake } from "../../../tests/fakes/stripe.ts";
import { ada, order } from "../../../tests/helpers/card-order.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { createStripe } from "./stripe.ts";

const clock = createTestClock();
const now = Math.floor(clock().getTime() / 1000);
const keys = { secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_now" };
const { readEvents } = createStripe({ ...keys, apiBase: "http://127.0.0.1:9", clock });

function toEvent(object: object, more: object = {}): string {
  return JSON.stringify({
    id: "evt_1",
    object: "event",
    livemode: false,
    type: "some.thing",
    data: { object },
    ...more,
  });
}

const payment = toEvent({ object: "payment_intent", id: "pi_1" });

function read(body: string, { secrets = ["whsec_now"], at = now }: { secrets?: string[]; at?: number } = {}) {
  return readEvents(body, new Headers({ "Stripe-Signature": signWebhook(body, { secrets, at }) }));
}

describe("Stripe's webhooks", () => {
  test.each([
    ["payment_intent", "pi_1", "payment"],
    ["checkout.session", "cs_test_1", "payment"],
    ["refund", "re_1", "refund"],
    ["dispute", "du_1", "dispute"],
    ["charge", "ch_1", "other"],
    ["something.new", "new_1", "other"],
    ["__proto__", "x_1", "other"],
  ])("about a %s say what to look up", (object, id, kind) => {
    expect(read(toEvent({ object, id }))).toEqual([{ id: "evt_1", kind, subject: id }]);
  });

  test("are accepted within five minutes of their time", () => {
    for (const seconds of [-300, -1, 0, 1, 300]) expect(read(payment, { at: now + seconds })).toHaveLength(1);
    for (const seconds of [-301, -3600, 301, 3600]) expect(read(payment, { at: now + seconds })).toBeUndefined();
  });

  test("are signed with the old secret too while it is changed", () => {
    expect(read(payment, { secrets: ["whsec_before", "whsec_now"] })).toHaveLength(1);
    expect(read(payment, { secrets: ["whsec_now", "whsec_next"] })).toHaveLength(1);
    expect(read(payment, { secrets: ["whsec_before"] })).toBeUndefined();
    expect(read(payment, { secrets: [] })).toBeUndefined();
  });

  test("are signed as Stripe's own SDK signs", () => {
    const header = Stripe.webhooks.generateTestHeaderString({ payload: payment, secret: "whsec_now", timestamp: now });
    expect(readEvents(payment, new Headers({ "Stripe-Signature": header }))).toHaveLength(1);
  });

  test.each(["", "t=,v1=", "v1=abc", `t=${now}`, `t=${now},v0=abc`, "nonsense", "t=9".repeat(1000)])(
    "with a signature like “%s” are refused",
    (header) => {
      expect(readEvents(payment, new Headers({ "Stripe-Signature": header }))).toBeUndefined();
    },
  );

  test("of the other mode are refused", () => {
    expect(read(toEvent({ object: "payment_intent", id: "pi_1" }, { livemode: true }))).toBeUndefined();
    const live = createStripe({ ...keys, secretKey: "sk_live_1", clock });
    const headers = new Headers({ "Stripe-Signature": signWebhook(payment, { secrets: ["whsec_now"], at: now }) });
    expect(live.readEvents(payment, headers)).toBeUndefined();
  });

  test("that are signed but irrelevant are accepted and ignored", () => {
    const thin = { id: "evt_2", object: "v2.core.event", type: "v1.billing.meter", livemode: false };
    const odd = ["not JSON", "null", "7", "[]", "{}", '"text"', JSON.stringify(thin), toEvent({ object: "balance" })];
    for (const body of odd) expect(read(body), body).toEqual([]);
  });

  test("are refused without a secret", () => {
    const without = createStripe({ ...keys, webhookSecret: undefined, clock });
    const headers = new Headers({ "Stripe-Signature": signWebhook(payment, { secrets: ["", "undefined"], at: now }) });
    expect(without.readEvents(payment, headers)).toBeUndefined();
  });
});

describe("Stripe's list of events", () => {
  test("is walked through all its pages, oldest first", async () => {
    await using fake = await startStripeFake({ clock });
    const gateway = createStripe({ ...fake.keys, apiBase: fake.url, clock });
    const { customerId } = await gateway.createCustomer({ key: "customer", ...ada });
    const start = (orderId: number) =>
      gateway.startPayment({ ...order, key: `order-${orderId}`, orderId, customerId, methodId: "pm_card_visa" });
    const made: string[] = [];
    for (let orderId = 1; orderId <= 220; orderId += 1) made.push((await start(orderId)).id);
    const since = new Date(clock().getTime() - 30 * DAY_IN_MS);
    const webhooks = await gateway.listEventsSince(since);
    // A created charge leads to nothing; a paid one does.
    expect(webhooks.map(({ subject }) => subject)).toEqual(made);
    expect(fake.calls.filter(({ call }) => call === "GET /v1/events")).toHaveLength(3);
  });
});
