import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openApp } from "../../tests/helpers/app.ts";
import { pay, prepareDraft } from "../../tests/saga/visitor.ts";
import type { PlanType } from "../membership/plans.ts";
import { PaymentNotMadeError } from "./card-gateway.ts";

test.each<[PlanType, string]>([
  [1, "Dormouse, 1 month"],
  [2, "Dormouse, 3 months"],
  [3, "Dormouse, 12 months"],
])("plan %i is called %s at the gateway", async (planType, description) => {
  const described: string[] = [];
  await using app = await openApp("sqlite", {
    wrapCards: (cards) => ({
      ...cards,
      startPayment(payment) {
        described.push(payment.description);
        return cards.startPayment(payment);
      },
    }),
  });
  await pay(app, await prepareDraft(app, { planType }), { shownPlanType: planType });
  expect(described).toEqual([description]);
});

describe.each(engines)("a gateway that refuses to make a payment, on %s", (engine) => {
  test("is a refusal at once, and the next press pays", async () => {
    let isRefusing = true;
    await using app = await openApp(engine, {
      wrapCards: (cards) => ({
        ...cards,
        async startPayment(payment) {
          if (isRefusing) throw new PaymentNotMadeError("Too many calls");
          return cards.startPayment(payment);
        },
      }),
    });
    const token = await prepareDraft(app);
    expect(await pay(app, token)).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    isRefusing = false;
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("decides nothing while another press asks for the same payment", async () => {
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let presses = 0;
    await using app = await openApp(engine, {
      wrapCards: (cards) => ({
        ...cards,
        async startPayment(payment) {
          presses += 1;
          if (presses === 1) {
            first.resolve();
            await second.promise;
            throw new PaymentNotMadeError("Too many calls");
          }
          second.resolve();
          await refused;
          return cards.startPayment(payment);
        },
      }),
    });
    const token = await prepareDraft(app);
    const refused = pay(app, token);
    await first.promise;
    const charged = pay(app, token);
    expect(await refused).toEqual({ ok: true, next: "checking" });
    expect(await charged).toEqual({ ok: true, next: "completed" });
    await app.comeToRest();
    expect(await app.database.db.selectFrom("payments").select("state").execute()).toEqual([{ state: "succeeded" }]);
  });
});
