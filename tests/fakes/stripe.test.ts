import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";

import { DAY_IN_MS } from "../../server/platform/clock.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { createStripePayer } from "./stripe-pages.ts";
import { startStripeFake } from "./stripe.ts";

/** Tests prove nothing if the fake accepts what Stripe refuses. */
describe("the fake of Stripe", () => {
  async function openFake() {
    const clock = createTestClock();
    const fake = await startStripeFake({ clock });
    const call = async (path: string, { key = fake.keys.secretKey, form = {}, idempotency = "" } = {}) => {
      const answer = await fetch(fake.url + path, {
        headers: { Authorization: `Bearer ${key}`, ...(idempotency && { "Idempotency-Key": idempotency }) },
        ...(Object.keys(form).length > 0 && { method: "POST", body: new URLSearchParams(form) }),
      });
      const body = (await answer.json()) as { id?: string; error?: { code?: string; type: string } };
      return { status: answer.status, isReplayed: answer.headers.get("Idempotent-Replayed") === "true", body };
    };
    return { clock, fake, call, [Symbol.asyncDispose]: () => fake.stop() };
  }

  const payment = { amount: "6000", currency: "gbp", payment_method: "pm_card_visa", confirm: "true" };

  test("repeats its first answer for a day, a decline and a fault of its own too", async () => {
    await using opened = await openFake();
    const { fake, clock, call } = opened;
    const ask = (form: object, idempotency: string) => call("/v1/payment_intents", { form, idempotency });
    const paid = await ask(payment, "a");
    expect(await ask(payment, "a")).toEqual({ ...paid, isReplayed: true });
    const poor = { ...payment, payment_method: "pm_card_chargeDeclined" };
    const declined = await ask(poor, "b");
    expect(declined).toMatchObject({ status: 402, body: { error: { code: "card_declined" } } });
    expect(await ask(poor, "b")).toEqual({ ...declined, isReplayed: true });
    fake.fail({ kind: "500", times: 1 });
    const faulty = await ask(payment, "c");
    expect(faulty).toMatchObject({ status: 500, body: { error: { type: "api_error" } } });
    expect(await ask(payment, "c")).toEqual({ ...faulty, isReplayed: true });
    clock.advance(DAY_IN_MS);
    expect(await ask(payment, "c")).toMatchObject({ status: 200, isReplayed: false });
  });

  test("refuses a key with other parameters, and one that is in use; a refusal beforehand leaves it free", async () => {
    await using opened = await openFake();
    const { fake, call } = opened;
    const ask = (form: object, idempotency: string) => call("/v1/payment_intents", { form, idempotency });
    const { promise: awaited, resolve: goOn } = Promise.withResolvers<void>();
    fake.fail({ kind: "delay", awaited, times: 1 });
    const both = [ask(payment, "a"), ask(payment, "a")];
    expect(await Promise.race(both)).toMatchObject({ status: 409 });
    goOn();
    expect(await Promise.all(both)).toContainEqual(expect.objectContaining({ status: 200 }));
    const other = await ask({ ...payment, amount: "1500" }, "a");
    expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
    expect(await ask({ ...payment, payment_method: "pm_nobody" }, "b")).toMatchObject({
      status: 400,
      body: { error: { code: "resource_missing" } },
    });
    expect((await ask(payment, "b")).status).toBe(200);
  });

  test("lets a publishable key make card methods, and nothing else", async () => {
    await using opened = await openFake();
    const { fake, call } = opened;
    expect(await createStripePayer(fake).makeMethod("4242 4242 4242 4242")).toMatch(/^pm_/);
    await expect(createStripePayer(fake).makeMethod("4242 4242 4242 4241")).rejects.toThrow("incorrect");
    const key = fake.keys.publishableKey;
    expect((await call("/v1/payment_intents", { key })).status).toBe(403);
    expect((await call("/v1/payment_intents", { key: "sk_test_other" })).status).toBe(401);
  });

  test("takes a card method for one charge only", async () => {
    await using opened = await openFake();
    const { fake, call } = opened;
    const method = await createStripePayer(fake).makeMethod("4242424242424242");
    const ask = () => call("/v1/payment_intents", { form: { ...payment, payment_method: method } });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(400);
  });

  test.each([
    ["a parameter that was removed", { ...payment, "payment_method_types[0]": "card" }],
    ["an amount that is no number", { ...payment, amount: "sixty" }],
    ["a kind of card method that does not exist", { ...payment, "allowed_payment_method_types[0]": "gold" }],
    ["no currency", { amount: "6000" }],
  ])("refuses %s, and fails the test that sent it", async (_, form) => {
    const { fake, call } = await openFake();
    expect((await call("/v1/payment_intents", { form })).status).toBe(400);
    await expect(fake.stop()).rejects.toThrow("Against Stripe's contract");
  });

  test("signs webhooks as the SDK checks them, and gives each once", async () => {
    await using fake = await startStripeFake();
    const { url, keys } = fake;
    const stripe = new Stripe(keys.secretKey, { host: "127.0.0.1", port: new URL(url).port, protocol: "http" });
    await stripe.paymentIntents.create({
      amount: 6000,
      currency: "gbp",
      payment_method: "pm_card_visa",
      confirm: true,
    });
    const events = fake
      .takeWebhooks()
      .map(({ body, headers }) =>
        stripe.webhooks.constructEvent(body, headers["Stripe-Signature"] ?? "", keys.webhookSecret),
      );
    expect(events.map(({ type }) => type)).toEqual(["payment_intent.created", "payment_intent.succeeded"]);
    expect(fake.takeWebhooks()).toEqual([]);
  });
});
