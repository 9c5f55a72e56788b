import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { ada, authenticate, pay, prepareDraft } from "../../tests/saga/visitor.ts";
import { HOUR_IN_MS } from "../clock.ts";
import { addMonths } from "../membership/plans.ts";
import { createAttempts } from "./attempts.ts";
import type { NewOrder } from "./order-rows.ts";
import { createOrders } from "./orders.ts";

describe.each(engines)("orders and attempts on %s", (engine) => {
  async function openBooks() {
    const database = await openTestDatabase(engine);
    const parts = { db: database.db, clock: createTestClock() };
    const now = parts.clock().toISOString();
    const { id: draftId } = await database.db
      .insertInto("drafts")
      .values({
        token_hash: "x",
        purpose: "join",
        state: "open",
        account_type: "individual",
        email: "ada@example.org",
        first_name: "Ada",
        last_name: "Lovell",
        site: "http://dormouse.test/",
        created_at: now,
        expires_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const wanted: NewOrder = {
      draftId,
      accountType: "individual",
      planType: 3,
      email: "ada@example.org",
      firstName: "Ada",
      lastName: "Lovell",
      postcode: "EX1 1AA",
      code: undefined,
      site: "http://dormouse.test/",
    };
    const orders = createOrders(parts);
    const transact = <Result>(work: (trx: typeof database.db) => Promise<Result>) =>
      database.db.transaction().execute(work);
    return { ...parts, database, wanted, orders, attempts: createAttempts(parts), transact };
  }

  test("ten tabs open one order; the last postal code is the one that counts", async () => {
    const { database, orders, wanted, transact } = await openBooks();
    await using _closing = database;
    const opened = await Promise.all(Array.from({ length: 10 }, () => transact((trx) => orders.open(wanted, trx))));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await transact((trx) => orders.open({ ...wanted, postcode: "N1 9GU" }, trx))).toMatchObject({
      id: opened[0]?.id,
      postcode: "N1 9GU",
      amountInPence: 6000,
      state: "awaiting-payment",
    });
  });

  test("beside an order that is paid none is opened, however it came to be paid", async () => {
    const { database, orders, wanted, transact } = await openBooks();
    await using _closing = database;
    const first = await transact((trx) => orders.open(wanted, trx));
    await orders.advance(first.id, "given-up", database.db);
    const second = await transact((trx) => orders.open(wanted, trx));
    expect(second.id).not.toBe(first.id);
    await orders.advance(second.id, "given-up", database.db);
    // Late money.
    await orders.advance(first.id, "paid", database.db);
    expect(await transact((trx) => orders.open(wanted, trx))).toMatchObject({ id: first.id, state: "paid" });
    expect(await orders.listOfDraft(wanted.draftId)).toHaveLength(2);
  });

  test("an order that is paid while another tab opens one is the one that tab gets", async () => {
    const { database, orders, wanted, transact } = await openBooks();
    await using _closing = database;
    const first = await transact((trx) => orders.open(wanted, trx));
    const tab = Promise.withResolvers<void>();
    const paying = transact(async (trx) => {
      await orders.advance(first.id, "paid", trx);
      tab.resolve();
      await orders.find(first.id, trx);
    });
    await tab.promise;
    const opened = await transact((trx) => orders.open(wanted, trx));
    await paying;
    expect(opened).toMatchObject({ id: first.id, state: "paid" });
    expect(await orders.listOfDraft(wanted.draftId)).toHaveLength(1);
  });

  test("an order has one live attempt, whatever begins at once; the next is numbered on", async () => {
    const { database, orders, attempts, wanted, transact } = await openBooks();
    await using _closing = database;
    const order = await transact((trx) => orders.open(wanted, trx));
    const begin = () =>
      transact(async (trx) => {
        if (!(await orders.lock(order.id, "awaiting-payment", trx))) return undefined;
        return attempts.begin({ orderId: order.id, amountInPence: 6000, methodId: undefined }, trx);
      });
    const begun = await Promise.all(Array.from({ length: 10 }, begin));
    const only = begun.find((attempt) => attempt !== undefined);
    expect(begun.filter((attempt) => attempt !== undefined)).toHaveLength(1);
    await attempts.advance(only?.id ?? 0, { event: "declined" }, database.db);
    expect(await begin()).toMatchObject({ number: 2, page: "hosted", state: "started" });
  });

  test("an attempt that ends while another tab wants to begin keeps nobody waiting for each other", async () => {
    const { database, orders, attempts, wanted, transact } = await openBooks();
    await using _closing = database;
    const order = await transact((trx) => orders.open(wanted, trx));
    const next = { orderId: order.id, amountInPence: 6000, methodId: undefined };
    const first = await transact((trx) => attempts.begin(next, trx));
    const ended = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const noting = transact(async (trx) => {
      await attempts.advance(first?.id ?? 0, { event: "succeeded" }, trx);
      ended.resolve();
      // On SQLite transactions stand in a queue anyway.
      if (engine === "postgres") await held.promise;
      return orders.advance(order.id, "paid", trx);
    });
    await ended.promise;
    const beginning = transact(async (trx) => {
      const locked = await orders.lock(order.id, "awaiting-payment", trx);
      held.resolve();
      return locked && attempts.begin(next, trx);
    });
    expect(await Promise.all([noting, beginning])).toEqual([true, undefined]);
  });

  test("what is bound to one payment at the gateway stays bound to it", async () => {
    const { database, orders, attempts, wanted, transact } = await openBooks();
    await using _closing = database;
    const order = await transact((trx) => orders.open(wanted, trx));
    const attempt = await transact((trx) =>
      attempts.begin({ orderId: order.id, amountInPence: 6000, methodId: "pm_1" }, trx),
    );
    await attempts.bind(attempt?.id ?? 0, "pay_1");
    await attempts.bind(attempt?.id ?? 0, "pay_2");
    expect(await attempts.findByGatewayId("pay_1")).toMatchObject({ id: attempt?.id, page: "fields", number: 1 });
    expect(await attempts.findByGatewayId("pay_2")).toBeUndefined();
  });
});

describe.each(engines)("the books of payments on %s", (engine) => {
  test("a member finds their own receipts and nobody else's", async () => {
    await using house = await openHouse(engine);
    const { accounts, codes, payments } = house.rooms;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    await pay(house, await prepareDraft(house, { planType: 2 }), { shownPlanType: 2, postcode: " EX1 1AA " });
    const company = { accountType: "corporate" as const, code: "NIGHT-SHIFT", email: "bea@example.org" };
    await pay(house, await prepareDraft(house, company), { card: "hosted" });
    const [one = 0, other = 0] = await Promise.all(
      [ada.email, "bea@example.org"].map(async (email) => (await accounts.findByEmail(email))?.id),
    );
    expect(await payments.findReceipt(one, "D-2026-000001")).toEqual({
      number: "D-2026-000001",
      paidAt: house.clock(),
      planLabel: "3 Monthly",
      amountInPence: 3000,
      startsAt: house.clock(),
      endsAt: addMonths(house.clock(), 3),
      name: "Ada Lovell",
      email: ada.email,
      postcode: "EX1 1AA",
      accountType: "individual",
    });
    expect(await payments.findReceipt(other, "D-2026-000001")).toBeUndefined();
    expect(await payments.listReceipts(other)).toMatchObject([
      { number: "D-2026-000002", planLabel: "12 Month Subscription", amountInPence: 0, accountType: "corporate" },
    ]);
    expect(await payments.findLastCode(other)).toBe("NIGHT-SHIFT");
    expect(await payments.findLastCode(one)).toBeUndefined();
  });

  test("money under way is known from the first press to the last word about it", async () => {
    await using house = await openHouse(engine);
    const { payments } = house.rooms;
    const token = await prepareDraft(house);
    const { id } = await house.database.db.selectFrom("drafts").select("id").executeTakeFirstOrThrow();
    expect(await payments.isAnyUnsettled(id)).toBe(false);
    const begun = await pay(house, token, { card: "authentication" });
    expect(await payments.isAnyUnsettled(id)).toBe(true);
    expect(await payments.findView(id)).toMatchObject({ state: "unfinished" });
    expect(await payments.findPostcode(id)).toBe("EX1 1AA");
    await authenticate(house, begun, false);
    await payments.settle(id);
    expect(await payments.findView(id)).toEqual({ state: "failed", decline: "authentication-failed" });
    expect(await payments.isAnyUnsettled(id)).toBe(true);
    expect(await payments.giveUp(id)).toBe("given-up");
    expect(await payments.isAnyUnsettled(id)).toBe(false);
    expect(await payments.findView(id)).toEqual({ state: "none" });
    await pay(house, token);
    expect(await payments.giveUp(id)).toBe("paid");
    expect(await payments.isAnyUnsettled(id)).toBe(false);
  });

  test("late money for an order that was given up is not overlooked when the next one is given up too", async () => {
    await using house = await openHouse(engine);
    const { db } = house.database;
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    const { id } = await db.selectFrom("drafts").select("id").executeTakeFirstOrThrow();
    await house.rooms.payments.giveUp(id);
    await pay(house, token, { card: "declined" });
    await db.updateTable("orders").set({ state: "paid" }).where("state", "=", "cancelled").execute();
    expect(await house.rooms.payments.giveUp(id)).toBe("paid");
  });

  test("an order that nobody pays for is closed after a day, and its bank's page with it", async () => {
    await using house = await openHouse(engine);
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    await house.pass(24 * HOUR_IN_MS - 1);
    const states = async () => (await house.database.db.selectFrom("orders").select("state").execute())[0]?.state;
    expect(await states()).toBe("awaiting-payment");
    await house.pass(1);
    expect(await states()).toBe("cancelled");
  });
});
