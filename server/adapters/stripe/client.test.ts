import { createServer, type ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";

import type { Fault } from "../../../tests/fakes/stripe.ts";
import { listen } from "../../../tests/helpers/loopback.ts";
import { openStripe } from "../../../tests/helpers/stripe-adapter.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { PaymentNotMadeError } from "../../money/payments/card-gateway.ts";
import { createStripe } from "./stripe.ts";

const keys = { secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_1" };

async function serve(answer: (response: ServerResponse) => void) {
  const { url: apiBase, ...listening } = await listen(createServer((_, response) => answer(response)));
  return { ...listening, gateway: createStripe({ ...keys, apiBase, clock: createTestClock() }) };
}

describe("the connection to Stripe", () => {
  test.each<Fault["kind"]>(["reset", "lost", "500", "garbage"])(
    "one call that goes wrong (%s) is made again under its key, and charges once",
    async (kind) => {
      await using stripe = await openStripe();
      stripe.fake.fail({ kind, on: /payment_intents/, times: 1 });
      const outcome = await stripe.pay().catch(() => "unknown");
      stripe.fake.heal();
      // A stored 500 is repeated for a day; a proxy's page is not tried again.
      if (kind === "reset" || kind === "lost") expect(outcome).toMatchObject({ state: "succeeded" });
      else expect(outcome).toBe("unknown");
      const listed = await stripe.gateway.listPaymentsFor({ orderId: 7, customerId: stripe.customerId });
      expect(listed).toHaveLength(kind === "reset" || kind === "lost" ? 1 : 0);
    },
  );

  test("too many calls are told as a fault, not as a decline", async () => {
    await using stripe = await openStripe();
    stripe.fake.fail({ kind: "429", times: 1 });
    await expect(stripe.pay()).rejects.toThrow(PaymentNotMadeError);
    expect(await stripe.pay()).toMatchObject({ state: "succeeded" });
  });

  test("a rate limit after a lost answer leaves the outcome unknown", async () => {
    await using stripe = await openStripe();
    stripe.fake.fail({ kind: "lost", on: /POST .*payment_intents/, times: 1 });
    stripe.fake.fail({ kind: "429", on: /POST .*payment_intents/ });
    await expect(stripe.pay()).rejects.not.toThrow(PaymentNotMadeError);
    stripe.fake.heal();
    expect(await stripe.gateway.listPaymentsFor({ orderId: 7, customerId: stripe.customerId })).toHaveLength(1);
  });

  test("an endless answer is cut off", async () => {
    let written = 0;
    await using app = await serve((response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const chunk = "x".repeat(1024 * 1024);
      const pour = () => {
        written += chunk.length;
        if (!response.destroyed && written < 200 * chunk.length) response.write(chunk, pour);
      };
      pour();
    });
    await expect(app.gateway.findPayment("pi_1")).rejects.toThrow();
    // Three tries, some megabytes each.
    expect(written).toBeLessThan(60 * 1024 * 1024);
  });

  test("our key does not follow a redirect to somewhere else", async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers.authorization ?? "");
      response.end("{}");
    });
    await using other = await listen(server);
    await using app = await serve((response) => response.writeHead(307, { Location: other.url }).end());
    await expect(app.gateway.findPayment("pi_1")).rejects.toThrow();
    expect(requests).toEqual([]);
  });

  test.each([
    ["nothing that a payment has", { id: "pi_1", object: "payment_intent" }],
    ["something else", { id: "cus_1", object: "customer", livemode: false }],
  ])("an answer with %s is a fault, not a payment", async (_, body) => {
    await using app = await serve((response) => response.end(JSON.stringify(body)));
    await expect(app.gateway.findPayment("pi_1")).rejects.toThrow();
    await expect(app.gateway.cancelPayment("pi_1")).rejects.toThrow();
  });

  test("a 404 that is not Stripe's is not believed", async () => {
    await using app = await serve((response) => {
      response.writeHead(404, { "Content-Type": "application/json" }).end('{"error":{"message":"no route"}}');
    });
    await expect(app.gateway.findPayment("pi_1")).rejects.toThrow();
  });
});
