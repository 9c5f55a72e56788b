import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
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
