import { describe } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import { engines } from "../helpers/databases.ts";
import type { App } from "../helpers/app.ts";
import { expect, failing, findView, openTroubledApp, settleAccounts, test } from "./interference.ts";
import { takeEmail } from "./journeys.ts";
import { readLedger } from "./ledger.ts";
import { authenticate, pay, prepareDraft } from "./visitor.ts";

/**
 * Money that cannot become a membership (reliability C16, C17, C21) is refunded once, with an email, or waits for an
 * operator.
 */
describe.each(engines)("money that goes back, on %s", (engine) => {
  test.override({ engine });

  test.each(["before", "after"] as const)(
    "a refund that failed %s the gateway did it is asked for again, and made once",
    async (moment) => {
      await using app = await openTroubledApp(engine);
      const token = await prepareDraft(app);
      const begun = await pay(app, token, { card: "authentication" });
      await takeEmail(app);
      app.gateway.meddle(failing("refund", moment, 3));
      await authenticate(app, begun);
      await app.services.signUp.settle(token);
      expect(await findView(app, token)).toEqual({ state: "refunded", amountInPence: 6000 });
      expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
      expect(app.emails.filter(({ subject }) => subject === "Your refund of £60 is on its way")).toHaveLength(1);
    },
  );

  test("a refund whose answer was lost is made once when it is asked for again", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    await takeEmail(app);
    app.gateway.meddle(failing("refund", "after", 2));
    await authenticate(app, begun);
    await app.services.signUp.settle(token);
    await app.services.payments.reconcile();
    await app.services.payments.reconcile();
    expect((await readLedger(app.database.db)).charges).toMatchObject([{ refunds: [6000] }]);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
  });

  test("a refund that the gateway refuses waits for an operator, and ends when it is mended", async () => {
    const refunds = new Map<string, "pending" | "failed" | "succeeded">();
    let next: "pending" | "failed" = "pending";
    await using app = await openTroubledApp(engine, {
      wrapCardGateway: (gateway): CardGateway => ({
        ...gateway,
        async refund(wanted) {
          const made = await gateway.refund(wanted);
          refunds.set(made.id, next);
          return { ...made, state: next };
        },
        findRefund: async (id) => {
          const found = await gateway.findRefund(id);
          return found && { ...found, state: refunds.get(id) ?? "succeeded" };
        },
        findRefunded: async (paymentId) => {
          const found = await gateway.findRefunded(paymentId);
          const state = (found && refunds.get(found.id)) ?? "succeeded";
          return found && state !== "failed" ? { ...found, state } : undefined;
        },
      }),
    });
    const token = await prepareDraft(app);
    const begun = await pay(app, token, { card: "authentication" });
    await takeEmail(app);
    await authenticate(app, begun);
    await app.services.signUp.settle(token);
    expect(await app.services.payments.listStuck()).toEqual([]);
    await app.pass(MINUTE_IN_MS);
    expect(await app.services.payments.listStuck()).toEqual([]);
    for (const id of refunds.keys()) refunds.set(id, "failed");
    next = "failed";
    await app.pass(MINUTE_IN_MS);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 6000 }]);
    expect(app.log.lines.some(({ level, event }) => level === "error" && event === "a refund has failed")).toBe(true);
    // An operator mends it, and the gateway sends an event.
    refunds.clear();
    const { id } = await app.database.db
      .selectFrom("demoObjects")
      .select("id")
      .where("kind", "=", "re")
      .executeTakeFirstOrThrow();
    await app.services.payments.webhookGateway.handle({ id: "evt_1", kind: "refund", subject: id });
    expect(await app.services.payments.listStuck()).toEqual([]);
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
  });

  test("a second charge that cannot be refunded waits for an operator as well", async () => {
    await using app = await openTroubledApp(engine, {
      wrapCardGateway: (gateway): CardGateway => ({
        ...gateway,
        refund: async (wanted) => ({ ...(await gateway.refund(wanted)), state: "failed" }),
        findRefund: async (id) => {
          const found = await gateway.findRefund(id);
          return found && { ...found, state: "failed" };
        },
        findRefunded: async () => undefined,
      }),
    });
    const token = await prepareDraft(app);
    await pay(app, token, { card: "declined" });
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    // The first try went through after all, at the gateway.
    await succeedAtGateway(app, 1);
    await app.pass(SECOND_IN_MS);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 6000 }]);
  });

  test.each([
    ["less than was asked for", { amountInPence: 100 }, "Your refund of £1 is on its way"],
    ["in another currency", { currency: "EUR" as "GBP" }, "Your refund of £60 is on its way"],
  ])("a payment %s buys nothing: it goes back, with a line in the log", async (_what, altered, subject) => {
    let isWrong = true;
    await using app = await openTroubledApp(engine, {
      wrapCardGateway: (gateway): CardGateway => ({
        ...gateway,
        startPayment: (wanted) => gateway.startPayment({ ...wanted, ...(isWrong && altered) }),
      }),
    });
    const token = await prepareDraft(app);
    await pay(app, token);
    expect(await findView(app, token)).toMatchObject({ state: "refunded" });
    expect(await app.services.accounts.findByEmail("ada@example.org")).toBeUndefined();
    expect(app.log.lines.filter(({ level }) => level === "error").map(({ event }) => event)).toEqual([
      "a payment differs from its order",
    ]);
    isWrong = false;
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 2, charged: [6000] });
    expect(app.emails.filter((mail) => mail.subject === subject)).toHaveLength(1);
  });

  test("an address that is taken before completion sends the money back, with an email", async ({ app, token }) => {
    app.gateway.meddle(async (call, moment) => {
      if (call === "startPayment" && moment === "after") await takeEmail(app);
    });
    expect(await pay(app, token)).toMatchObject({ ok: true });
    expect(await findView(app, token)).toEqual({ state: "refunded", amountInPence: 6000 });
    expect(await app.services.signUp.claimSession(token)).toBeUndefined();
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
  });

  test("a second try with an address taken meanwhile never reads that nothing was taken", async ({ app, token }) => {
    app.gateway.meddle((call, moment) => {
      if (call === "createCustomer" || (call === "startPayment" && moment === "before")) return;
      throw new Error("The gateway is out of reach");
    });
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    await takeEmail(app);
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    app.gateway.stop();
    expect(await pay(app, token)).toEqual({ ok: true, next: "checking" });
    expect(await findView(app, token)).toEqual({ state: "refunded", amountInPence: 6000 });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [] });
  });

  /** A payer succeeds after all, unknown to the app. */
  async function succeedAtGateway({ services, database: { db } }: App, attempt: number) {
    const row = await db.selectFrom("payments").selectAll().where("attempt", "=", attempt).executeTakeFirstOrThrow();
    const id = row.gatewayId ?? "";
    const { body } = await db.selectFrom("demoObjects").select("body").where("id", "=", id).executeTakeFirstOrThrow();
    const changed = JSON.stringify({ ...(JSON.parse(body) as object), state: "succeeded" });
    await db.updateTable("demoObjects").set({ body: changed }).where("id", "=", id).execute();
    await services.payments.webhookGateway.handle({ id: "evt_late", kind: "payment", subject: id });
  }
});
