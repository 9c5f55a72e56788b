import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { settleAll, openApp } from "../../../tests/helpers/app.ts";
import { ada, authenticate, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { type PlanType } from "../membership/plans.ts";
import { PaymentNotMadeError } from "./card-gateway.ts";

describe.each(engines)("the books of payments on %s", (engine) => {
  test("a member finds only their own receipts", async () => {
    await using app = await openApp({ engine });
    const { accounts, codes, payments } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    await pay(app, await prepareDraft(app, { planType: 2 }), { shownPlanType: 2, postcode: " EX1 1AA " });
    const company = { accountType: "corporate" as const, code: "NIGHT-SHIFT", email: "bea@example.org" };
    await pay(app, await prepareDraft(app, company), { card: "hosted" });
    const [one = 0, other = 0] = await Promise.all(
      [ada.email, "bea@example.org"].map(async (email) => (await accounts.findByEmail(email))?.id),
    );
    const paid = { orderId: 1, number: "D-2026-000001", paidAt: app.clock(), amountInPence: 3000 };
    const plan = {
      planLabel: "3 Monthly",
      partsInPence: 0,
      startsAt: app.clock(),
      endsAt: addMonths(app.clock(), 3),
    };
    const person = { name: "Ada Lovell", email: ada.email, postcode: "EX1 1AA", accountType: "individual" };
    const now = { state: "completed", dispute: undefined, isWaived: false, cancelUntil: "2026-12-04" };
    expect(await payments.findReceipt(one, "D-2026-000001")).toEqual({ ...paid, ...plan, ...person, ...now });
    expect(await payments.findReceipt(other, "D-2026-000001")).toBeUndefined();
    expect(await payments.listReceipts(other)).toMatchObject([
      { number: "D-2026-000002", planLabel: "12 Month Subscription", amountInPence: 0, accountType: "corporate" },
    ]);
    expect(await payments.findLastCode(other)).toBe("NIGHT-SHIFT");
    expect(await payments.findLastCode(one)).toBeUndefined();
  });

  test("a payment counts as under way from the first press to its final state", async () => {
    await using app = await openApp({ engine });
    const { payments } = app.services;
    const token = await prepareDraft(app);
    const { id } = await app.database.db.selectFrom("drafts").select("id").executeTakeFirstOrThrow();
    expect(await payments.isAnyUnsettled({ draftId: id })).toBe(false);
    const begun = await pay(app, token, { card: "authentication" });
    expect(await payments.isAnyUnsettled({ draftId: id })).toBe(true);
    expect(await payments.findView({ draftId: id })).toMatchObject({ state: "unfinished" });
    expect(await payments.findPostcode({ draftId: id })).toBe("EX1 1AA");
    await authenticate(app, begun, false);
    await payments.settle({ draftId: id });
    expect(await payments.findView({ draftId: id })).toEqual({ state: "failed", decline: "authentication-failed" });
    expect(await payments.isAnyUnsettled({ draftId: id })).toBe(true);
    expect(await payments.giveUp({ draftId: id })).toBe("given-up");
    expect(await payments.isAnyUnsettled({ draftId: id })).toBe(false);
    expect(await payments.findView({ draftId: id })).toEqual({ state: "none" });
    await pay(app, token);
    expect(await payments.giveUp({ draftId: id })).toBe("paid");
    expect(await payments.isAnyUnsettled({ draftId: id })).toBe(false);
  });

  test("late money for an abandoned order is noticed even when the next order is abandoned too", async () => {
    await using app = await openApp({ engine });
    const { db } = app.database;
    const token = await prepareDraft(app);
    await pay(app, token, { card: "declined" });
    const { id } = await db.selectFrom("drafts").select("id").executeTakeFirstOrThrow();
    await app.services.payments.giveUp({ draftId: id });
    await pay(app, token, { card: "declined" });
    await db.updateTable("orders").set({ state: "paid" }).where("state", "=", "cancelled").execute();
    expect(await app.services.payments.giveUp({ draftId: id })).toBe("paid");
  });

  test("an unpaid order is closed after a day, and its page at the gateway with it", async () => {
    await using app = await openApp({ engine });
    const token = await prepareDraft(app);
    await pay(app, token, { card: "declined" });
    await app.pass(24 * HOUR_IN_MS - 1);
    const states = async () => (await app.database.db.selectFrom("orders").select("state").execute())[0]?.state;
    expect(await states()).toBe("awaiting-payment");
    await app.pass(1);
    expect(await states()).toBe("cancelled");
  });
});

test.each<[PlanType, string]>([
  [1, "Dormouse, 1 month"],
  [2, "Dormouse, 3 months"],
  [3, "Dormouse, 12 months"],
])("plan %i is called %s at the gateway", async (planType, description) => {
  const described: string[] = [];
  await using app = await openApp({
    wrapCardGateway: (gateway) => ({
      ...gateway,
      startPayment(payment) {
        described.push(payment.description);
        return gateway.startPayment(payment);
      },
    }),
  });
  await pay(app, await prepareDraft(app, { planType }), { shownPlanType: planType });
  expect(described).toEqual([description]);
});

describe.each(engines)("a gateway that refuses to make a payment, on %s", (engine) => {
  test("is reported at once, and the next press pays", async () => {
    let isRefusing = true;
    await using app = await openApp({
      engine,
      wrapCardGateway: (gateway) => ({
        ...gateway,
        async startPayment(payment) {
          if (isRefusing) throw new PaymentNotMadeError("Too many calls");
          return gateway.startPayment(payment);
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
    await using app = await openApp({
      engine,
      wrapCardGateway: (gateway) => ({
        ...gateway,
        async startPayment(payment) {
          presses += 1;
          if (presses === 1) {
            first.resolve();
            await second.promise;
            throw new PaymentNotMadeError("Too many calls");
          }
          second.resolve();
          await refused;
          return gateway.startPayment(payment);
        },
      }),
    });
    const token = await prepareDraft(app);
    const refused = pay(app, token);
    await first.promise;
    const charged = pay(app, token);
    expect(await refused).toEqual({ ok: true, next: "checking" });
    expect(await charged).toEqual({ ok: true, next: "completed" });
    await settleAll(app);
    expect(await app.database.db.selectFrom("payments").select("state").execute()).toEqual([{ state: "succeeded" }]);
  });
});
