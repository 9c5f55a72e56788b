import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { advanceAttempt, beginAttempt, bindAttempt, findAttemptByGatewayId } from "./attempts.ts";
import { transact } from "./context.ts";
import { advanceOrder, findOrder, listOrdersOfDraft, lockOrder, openOrder, type NewOrder } from "./orders.ts";

describe.each(engines)("orders and attempts on %s", (engine) => {
  async function openBooks() {
    const database = await openTestDatabase(engine);
    const ctx = createTestContext(database.db);
    const now = ctx.clock().toISOString();
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
    const open = (changes: Partial<NewOrder> = {}) => transact(ctx, (trx) => openOrder(trx, { ...wanted, ...changes }));
    return { ctx, database, draftId, open };
  }

  test("ten tabs open one order; the last postal code is the one that counts", async () => {
    const { database, open } = await openBooks();
    await using _closing = database;
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await open({ postcode: "N1 9GU" })).toMatchObject({
      id: opened[0]?.id,
      postcode: "N1 9GU",
      amountInPence: 6000,
      state: "awaiting-payment",
    });
  });

  test("beside an order that is paid none is opened, however it came to be paid", async () => {
    const { ctx, database, draftId, open } = await openBooks();
    await using _closing = database;
    const first = await open();
    await advanceOrder(ctx, first.id, "given-up");
    const second = await open();
    expect(second.id).not.toBe(first.id);
    await advanceOrder(ctx, second.id, "given-up");
    // Late money.
    await advanceOrder(ctx, first.id, "paid");
    expect(await open()).toMatchObject({ id: first.id, state: "paid" });
    expect(await listOrdersOfDraft(ctx, draftId)).toHaveLength(2);
  });

  test("an order that is paid while another tab opens one is the one that tab gets", async () => {
    const { ctx, database, draftId, open } = await openBooks();
    await using _closing = database;
    const first = await open();
    const tab = Promise.withResolvers<void>();
    const paying = transact(ctx, async (trx) => {
      await advanceOrder(trx, first.id, "paid");
      tab.resolve();
      await findOrder(trx, first.id);
    });
    await tab.promise;
    const opened = await open();
    await paying;
    expect(opened).toMatchObject({ id: first.id, state: "paid" });
    expect(await listOrdersOfDraft(ctx, draftId)).toHaveLength(1);
  });

  test("an order has one live attempt, whatever begins at once; the next is numbered on", async () => {
    const { ctx, database, open } = await openBooks();
    await using _closing = database;
    const order = await open();
    const begin = () =>
      transact(ctx, async (trx) => {
        if (!(await lockOrder(trx, order.id, "awaiting-payment"))) return undefined;
        return beginAttempt(trx, { orderId: order.id, amountInPence: 6000, methodId: undefined });
      });
    const begun = await Promise.all(Array.from({ length: 10 }, begin));
    const only = begun.find((attempt) => attempt !== undefined);
    expect(begun.filter((attempt) => attempt !== undefined)).toHaveLength(1);
    await advanceAttempt(ctx, only?.id ?? 0, { event: "declined" });
    expect(await begin()).toMatchObject({ number: 2, page: "hosted", state: "started" });
  });

  test("an attempt that ends while another tab wants to begin keeps nobody waiting for each other", async () => {
    const { ctx, database, open } = await openBooks();
    await using _closing = database;
    const order = await open();
    const next = { orderId: order.id, amountInPence: 6000, methodId: undefined };
    const first = await transact(ctx, (trx) => beginAttempt(trx, next));
    const ended = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const noting = transact(ctx, async (trx) => {
      await advanceAttempt(trx, first?.id ?? 0, { event: "succeeded" });
      ended.resolve();
      // On SQLite transactions stand in a queue anyway.
      if (engine === "postgres") await held.promise;
      return advanceOrder(trx, order.id, "paid");
    });
    await ended.promise;
    const beginning = transact(ctx, async (trx) => {
      const locked = await lockOrder(trx, order.id, "awaiting-payment");
      held.resolve();
      return locked && beginAttempt(trx, next);
    });
    expect(await Promise.all([noting, beginning])).toEqual([true, undefined]);
  });

  test("what is bound to one payment at the gateway stays bound to it", async () => {
    const { ctx, database, open } = await openBooks();
    await using _closing = database;
    const order = await open();
    const attempt = await transact(ctx, (trx) =>
      beginAttempt(trx, { orderId: order.id, amountInPence: 6000, methodId: "pm_1" }),
    );
    await bindAttempt(ctx, attempt?.id ?? 0, "pay_1");
    await bindAttempt(ctx, attempt?.id ?? 0, "pay_2");
    expect(await findAttemptByGatewayId(ctx, "pay_1")).toMatchObject({ id: attempt?.id, page: "fields", number: 1 });
    expect(await findAttemptByGatewayId(ctx, "pay_2")).toBeUndefined();
  });
});
