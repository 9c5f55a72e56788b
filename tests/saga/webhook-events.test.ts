import { describe } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import { engines } from "../helpers/databases.ts";
import { expect, failing, findView, openTroubledApp, payTooLate, settleAccounts, test } from "./interference.ts";
import { readLedger } from "./ledger.ts";
import { settleAll } from "../helpers/app.ts";
import { authenticate, pay, paymentIdIn, prepareDraft } from "./visitor.ts";

/**
 * Webhook events and the reconciling job (reliability C7–C10, C18, C20): late, twice, in any order, forged, or of
 * another installation.
 */
describe.each(engines)("webhook events and reconciling, on %s", (engine) => {
  test.override({ engine });

  test("a payment that cannot be looked up does not hold up the others", async ({ app }) => {
    const tokens = [
      await prepareDraft(app, { email: "one@example.org" }),
      await prepareDraft(app, { email: "two@example.org" }),
    ];
    for (const token of tokens) await authenticate(app, await pay(app, token, { card: "authentication" }));
    app.gateway.meddle(failing("findPayment", "before", 1));
    app.clock.advance(MINUTE_IN_MS);
    await app.services.payments.reconcile();
    const views = await Promise.all(tokens.map(async (token) => (await findView(app, token))?.state));
    expect(new Set(views)).toEqual(new Set(["completed", "unfinished"]));
    expect(await settleAccounts(app)).toMatchObject({ charges: 2, charged: [6000, 6000] });
  });

  test("a hundred unfinished payments do not hide a finished one", async ({ app }) => {
    const drafts = 101;
    const { db } = app.database;
    const token = await prepareDraft(app);
    const begun = await pay(app, token, { card: "authentication" });
    const [order, attempt] = await Promise.all([
      db.selectFrom("orders").selectAll().executeTakeFirstOrThrow(),
      db.selectFrom("payments").selectAll().executeTakeFirstOrThrow(),
    ]);
    // As old as ours and before it in every list.
    for (let count = 1; count < drafts; count += 1) {
      const { id } = await db
        .insertInto("orders")
        .values({ ...withoutId(order), draftId: null, customerId: `cus_${count}` })
        .returning("id")
        .executeTakeFirstOrThrow();
      const updatedAt = new Date(attempt.updatedAt.getTime() - count);
      await db
        .insertInto("payments")
        .values({ ...withoutId(attempt), orderId: id, gatewayId: `pay_${count}`, updatedAt })
        .execute();
    }
    await authenticate(app, begun);
    app.clock.advance(MINUTE_IN_MS);
    await app.services.payments.reconcile();
    app.clock.advance(MINUTE_IN_MS);
    await app.services.payments.reconcile();
    expect(await findView(app, token)).toMatchObject({ state: "completed" });
  });

  test("a payment of another installation is ignored, whatever numbers it has", async () => {
    let foreignId = "";
    await using app = await openTroubledApp(engine, {
      wrapCardGateway: (gateway): CardGateway => ({
        ...gateway,
        async startPayment(wanted) {
          // Another app at the same gateway has the same numbers, and is a moment earlier.
          const methodId = wanted.methodId;
          const foreign = await gateway.startPayment({
            ...wanted,
            methodId,
            key: "elsewhere",
            customerId: "cus_elsewhere",
          });
          foreignId = foreign.id;
          await app.services.payments.webhookGateway.handle({ id: "evt_1", kind: "payment", subject: foreignId });
          return gateway.startPayment(wanted);
        },
      }),
    });
    const token = await prepareDraft(app);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    await settleAll(app);
    const { payments, charges } = await readLedger(app.database.db);
    expect(payments.map(({ state, gatewayId: id }) => ({ state, isForeign: id === foreignId }))).toEqual([
      { state: "succeeded", isForeign: false },
    ]);
    expect(charges.find(({ id }) => id === foreignId)?.refunds).toEqual([]);
  });

  test("a webhook event about a payment that we never heard of changes nothing", async ({ app }) => {
    const { webhookGateway } = app.services.payments;
    await webhookGateway.handle({ id: "evt_1", kind: "payment", subject: "pay_demo_nobody" });
    await webhookGateway.handle({ id: "evt_2", kind: "refund", subject: "re_demo_nobody" });
    await webhookGateway.handle({ id: "evt_3", kind: "other", subject: "cus_demo_nobody" });
    expect(await readLedger(app.database.db)).toMatchObject({ orders: [], payments: [] });
  });

  test("a webhook event that the gateway did not sign is refused", async ({ app, token }) => {
    const begun = await pay(app, token, { card: "authentication" });
    await authenticate(app, begun);
    const body = JSON.stringify({ webhooks: [{ id: "evt_1", kind: "payment", subject: paymentIdIn(begun) }] });
    const { webhooks } = app.services;
    const forged = new Headers({ "Demo-Signature": "0".repeat(64) });
    expect(await webhooks.receive({ gateway: "demo-cards", body, headers: forged })).toBe("refused");
    expect(await webhooks.receive({ gateway: "demo-cards", body, headers: new Headers() })).toBe("refused");
    expect(await webhooks.handleWaiting()).toBe(0);
    expect(await findView(app, token)).toMatchObject({ state: "unfinished" });
  });

  test("webhook events that come thrice and the latest first end the same", async () => {
    await using app = await openTroubledApp(engine, { webhookManner: { copies: 3, isReversed: true } });
    const token = await prepareDraft(app);
    await pay(app, token, { card: "declined" });
    const begun = await pay(app, token, { card: "authentication" });
    await authenticate(app, begun);
    await app.pass(SECOND_IN_MS);
    expect(await findView(app, token)).toMatchObject({ state: "completed" });
    expect(await settleAccounts(app)).toMatchObject({ charges: 1, charged: [6000] });
  });

  test("the webhook event alone makes a member of a browser that never comes back", async ({ app, token }) => {
    await authenticate(app, await pay(app, token, { card: "authentication" }));
    await app.pass(SECOND_IN_MS);
    expect(await app.services.accounts.findByEmail("ada@example.org")).toBeDefined();
  });

  test("a gateway that is out of reach for a day loses no webhook event", async ({ app, token }) => {
    // Given up as lost, so only the webhook event will report it.
    const slow = await payTooLate(app, token);
    app.gateway.meddle((call, moment) => {
      if (call === "startPayment" && moment === "before") return;
      throw new Error("The gateway is out of reach");
    });
    slow.arrive();
    await slow.paid;
    for (let second = 0; second < 2000; second += 1) {
      app.clock.advance(SECOND_IN_MS);
      await app.services.jobs.run("handle-webhooks");
    }
    await app.pass(DAY_IN_MS);
    app.gateway.stop();
    await app.pass(DAY_IN_MS);
    expect(await app.services.accounts.findByEmail("ada@example.org")).toBeDefined();
  });
});

function withoutId<Row extends { id: number }>(row: Row): Omit<Row, "id"> {
  const { id: _id, ...rest } = row;
  return rest;
}
