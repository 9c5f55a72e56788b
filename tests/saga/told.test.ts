import { describe, expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import type { CardGateway } from "../../server/payments/card-gateway.ts";
import { engines } from "../helpers/databases.ts";
import { failing } from "./interference.ts";
import { readLedger } from "./ledger.ts";
import { findView, openTroubledHouse, payTooLate, settleAccounts } from "./troubled-house.ts";
import { authenticate, pay, paymentIdIn, prepareDraft } from "./visitor.ts";

/** Notices and the reconciling task (reliability C7–C10, C18, C20): late, twice, in any order, forged, or somebody else's. */
describe.each(engines)("what the gateway tells, on %s", (engine) => {
  test("a gateway that cannot be asked for one payment does not keep the others from being looked at", async () => {
    await using house = await openTroubledHouse(engine);
    const tokens = [
      await prepareDraft(house, { email: "one@example.org" }),
      await prepareDraft(house, { email: "two@example.org" }),
    ];
    for (const token of tokens) await authenticate(house, await pay(house, token, { card: "authentication" }));
    house.gateway.meddle(failing("findPayment", "before", 1));
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    const views = await Promise.all(tokens.map(async (token) => (await findView(house, token))?.state));
    expect(new Set(views)).toEqual(new Set(["completed", "unfinished"]));
    expect(await settleAccounts(house)).toMatchObject({ charges: 2, kept: [6000, 6000] });
  });

  test("a hundred pages that nobody finishes do not hide one that somebody has", async () => {
    await using house = await openTroubledHouse(engine);
    const drafts = 101;
    const { db } = house.database;
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    const [order, attempt] = await Promise.all([
      db.selectFrom("orders").selectAll().executeTakeFirstOrThrow(),
      db.selectFrom("payments").selectAll().executeTakeFirstOrThrow(),
    ]);
    // As old as ours and before it in every list.
    for (let count = 1; count < drafts; count += 1) {
      const { id } = await db
        .insertInto("orders")
        .values({ ...withoutId(order), draft_id: null, customer_id: `cus_${count}` })
        .returning("id")
        .executeTakeFirstOrThrow();
      const updatedAt = new Date(Date.parse(attempt.updated_at) - count).toISOString();
      await db
        .insertInto("payments")
        .values({ ...withoutId(attempt), order_id: id, gateway_id: `pay_${count}`, updated_at: updatedAt })
        .execute();
    }
    await authenticate(house, begun);
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    house.clock.advance(MINUTE_IN_MS);
    await house.rooms.payments.reconcile();
    expect(await findView(house, token)).toMatchObject({ state: "completed" });
  });

  test("somebody else's payment is none of ours, whatever it says of itself", async () => {
    let foreignId = "";
    await using house = await openTroubledHouse(engine, {
      wrapCards: (cards): CardGateway => ({
        ...cards,
        async startPayment(wanted) {
          // Another house at the same gateway has the same numbers, and is a moment earlier.
          const methodId = wanted.methodId;
          const foreign = await cards.startPayment({
            ...wanted,
            methodId,
            key: "elsewhere",
            customerId: "cus_elsewhere",
          });
          foreignId = foreign.id;
          await house.rooms.payments.noticeGateway.handle({ id: "evt_1", kind: "payment", subject: foreignId });
          return cards.startPayment(wanted);
        },
      }),
    });
    const token = await prepareDraft(house);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    await house.comeToRest();
    const { payments, charges } = await readLedger(house.database.db);
    expect(payments.map(({ state, gateway_id: id }) => ({ state, isForeign: id === foreignId }))).toEqual([
      { state: "succeeded", isForeign: false },
    ]);
    expect(charges.find(({ id }) => id === foreignId)?.refunds).toEqual([]);
  });

  test("a notice about a payment that we never heard of changes nothing", async () => {
    await using house = await openTroubledHouse(engine);
    const { noticeGateway } = house.rooms.payments;
    await noticeGateway.handle({ id: "evt_1", kind: "payment", subject: "pay_demo_nobody" });
    await noticeGateway.handle({ id: "evt_2", kind: "refund", subject: "re_demo_nobody" });
    await noticeGateway.handle({ id: "evt_3", kind: "other", subject: "cus_demo_nobody" });
    expect(await readLedger(house.database.db)).toMatchObject({ orders: [], payments: [] });
  });

  test("a notice that the gateway did not sign is refused, and looked at by nobody", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun);
    const body = JSON.stringify({ notices: [{ id: "evt_1", kind: "payment", subject: paymentIdIn(begun) }] });
    const { notices } = house.rooms;
    const forged = new Headers({ "Demo-Signature": "0".repeat(64) });
    expect(await notices.receive({ gateway: "demo-cards", body, headers: forged })).toBe("refused");
    expect(await notices.receive({ gateway: "demo-cards", body, headers: new Headers() })).toBe("refused");
    expect(await notices.handleWaiting()).toBe(0);
    expect(await findView(house, token)).toMatchObject({ state: "unfinished" });
  });

  test("notices that come thrice and the latest first end the same", async () => {
    await using house = await openTroubledHouse(engine, { noticeManner: { copies: 3, isReversed: true } });
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    const begun = await pay(house, token, { card: "authentication" });
    await authenticate(house, begun);
    await house.pass(SECOND_IN_MS);
    expect(await findView(house, token)).toMatchObject({ state: "completed" });
    expect(await settleAccounts(house)).toMatchObject({ charges: 1, kept: [6000] });
  });

  test("a browser that never comes back is a member within a minute, by the notice alone", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    await authenticate(house, await pay(house, token, { card: "authentication" }));
    await house.pass(SECOND_IN_MS);
    expect(await house.rooms.accounts.findByEmail("ada@example.org")).toBeDefined();
  });

  test("a gateway that is out of reach for a day loses no notice", async () => {
    await using house = await openTroubledHouse(engine);
    const token = await prepareDraft(house);
    // Given up for lost; so nothing but the notice will tell of it.
    const slow = await payTooLate(house, token);
    house.gateway.meddle((call, moment) => {
      if (call === "startPayment" && moment === "before") return;
      throw new Error("The gateway is out of reach");
    });
    slow.arrive();
    await slow.paid;
    for (let second = 0; second < 2000; second += 1) {
      house.clock.advance(SECOND_IN_MS);
      await house.rooms.tasks.run("handle-notices");
    }
    await house.pass(DAY_IN_MS);
    house.gateway.stop();
    await house.pass(DAY_IN_MS);
    expect(await house.rooms.accounts.findByEmail("ada@example.org")).toBeDefined();
  });
});

function withoutId<Row extends { id: number }>(row: Row): Omit<Row, "id"> {
  const { id: _id, ...rest } = row;
  return rest;
}
