import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import type { Engine } from "../../platform/database/database.ts";
import { advanceAttempt, beginAttempt, bindAttempt, findAttemptByGatewayId } from "./attempts.ts";
import { transact } from "./context.ts";
import { advanceOrder, findOrder, listOrdersOfPurchase, lockOrder, openOrder, type NewOrder } from "./orders.ts";

async function openBooks(engine: Engine) {
  const app = await openApp({ engine });
  const { ctx, db } = app;
  const now = ctx.clock();
  const person = { email: "ada@example.org", firstName: "Ada", lastName: "Lovell", site: "http://dormouse.test/" };
  const draft = { tokenHash: "x", purpose: "join", state: "open", accountType: "individual" } as const;
  const { id: draftId } = await db
    .insertInto("drafts")
    .values({ ...person, ...draft, createdAt: now, expiresAt: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  const wanted = {
    draftId,
    accountType: "individual" as const,
    planType: 3 as const,
    email: "ada@example.org",
    firstName: "Ada",
    lastName: "Lovell",
    postcode: "EX1 1AA",
    code: undefined,
    site: "http://dormouse.test/",
  };
  const open = (changes: Partial<Omit<NewOrder, "draftId" | "giftId">> = {}) =>
    transact(ctx, (trx) => openOrder(trx, { ...wanted, ...changes }));
  const countOrders = async () => (await listOrdersOfPurchase(ctx, { draftId })).length;
  const next = (orderId: number, methodId?: string) => ({ orderId, amountInPence: 6000, methodId });
  return { ...app, open, countOrders, next };
}

describe.each(engines)("orders and attempts on %s", (engine) => {
  test("ten tabs open one order; the last postal code is the one that counts", async () => {
    await using books = await openBooks(engine);
    const { open } = books;
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    const order = { id: opened[0]?.id, postcode: "N1 9GU", amountInPence: 6000, state: "awaiting-payment" };
    expect(await open({ postcode: "N1 9GU" })).toMatchObject(order);
  });

  test("no order is opened beside a paid one, however it came to be paid", async () => {
    await using books = await openBooks(engine);
    const { ctx, open } = books;
    const first = await open();
    await advanceOrder(ctx, first.id, "given-up");
    const second = await open();
    expect(second.id).not.toBe(first.id);
    await advanceOrder(ctx, second.id, "given-up");
    // Late money.
    await advanceOrder(ctx, first.id, "paid");
    expect(await open()).toMatchObject({ id: first.id, state: "paid" });
    expect(await books.countOrders()).toBe(2);
  });

  test("a tab that opens an order while another pays gets the paid one", async () => {
    await using books = await openBooks(engine);
    const { ctx, open } = books;
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
    expect(await books.countOrders()).toBe(1);
  });

  test("an order has one live attempt, however many begin at once, and the next has the next number", async () => {
    await using books = await openBooks(engine);
    const { ctx, open } = books;
    const order = await open();
    const begin = () =>
      transact(ctx, async (trx) => {
        if (!(await lockOrder(trx, order.id, "awaiting-payment"))) return undefined;
        return beginAttempt(trx, books.next(order.id));
      });
    const begun = await Promise.all(Array.from({ length: 10 }, begin));
    const only = begun.find((attempt) => attempt !== undefined);
    expect(begun.filter((attempt) => attempt !== undefined)).toHaveLength(1);
    await advanceAttempt(ctx, only?.id ?? 0, { event: "declined" });
    expect(await begin()).toMatchObject({ number: 2, page: "hosted", state: "started" });
  });

  test("an attempt that ends while another tab begins one does not deadlock", async () => {
    await using books = await openBooks(engine);
    const { ctx, open } = books;
    const order = await open();
    const first = await transact(ctx, (trx) => beginAttempt(trx, books.next(order.id)));
    const ended = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const noting = transact(ctx, async (trx) => {
      await advanceAttempt(trx, first?.id ?? 0, { event: "succeeded" });
      ended.resolve();
      // On SQLite transactions are queued anyway.
      if (engine === "postgres") await held.promise;
      return advanceOrder(trx, order.id, "paid");
    });
    await ended.promise;
    const beginning = transact(ctx, async (trx) => {
      const locked = await lockOrder(trx, order.id, "awaiting-payment");
      held.resolve();
      return locked && beginAttempt(trx, books.next(order.id));
    });
    expect(await Promise.all([noting, beginning])).toEqual([true, undefined]);
  });

  test("an attempt stays bound to its payment at the gateway", async () => {
    await using books = await openBooks(engine);
    const { ctx, open } = books;
    const order = await open();
    const attempt = await transact(ctx, (trx) => beginAttempt(trx, books.next(order.id, "pm_1")));
    await bindAttempt(ctx, attempt?.id ?? 0, "pay_1");
    await bindAttempt(ctx, attempt?.id ?? 0, "pay_2");
    expect(await findAttemptByGatewayId(ctx, "pay_1")).toMatchObject({ id: attempt?.id, page: "fields", number: 1 });
    expect(await findAttemptByGatewayId(ctx, "pay_2")).toBeUndefined();
  });
});
