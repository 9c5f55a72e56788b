import type { Selectable } from "kysely";

import type { Context } from "../../context.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { AccountType, Schema } from "../../platform/database/schema.ts";
import { plans, type PlanType } from "../membership/plans.ts";
import { findMove, orderStates, unsettledStates, type OrderEvent, type OrderState } from "./states.ts";

export type Purchase = { draftId: number; giftId?: undefined } | { draftId?: undefined; giftId: number };

/** A purchase, stored before any money moves. */
export type Order = {
  id: number;
  draftId: number | undefined;
  /** The order's member is then the giver, who gets no term. */
  giftId: number | undefined;
  memberId: number | undefined;
  accountType: AccountType;
  planType: PlanType;
  amountInPence: number;
  state: OrderState;
  email: string;
  firstName: string;
  lastName: string;
  postcode: string;
  code: string | undefined;
  site: string;
  customerId: string | undefined;
  receiptNumber: string | undefined;
  startsAt: Date | undefined;
  endsAt: Date | undefined;
  paidAt: Date | undefined;
  waivedAt: Date | undefined;
};

export type NewOrder = Purchase & {
  /** A member who renews or gives; absent for visitors. */
  memberId?: number | undefined;
  accountType: AccountType;
  planType: PlanType;
  email: string;
  firstName: string;
  lastName: string;
  postcode: string;
  code: string | undefined;
  /** The payer asks to start at once. */
  isWaived?: boolean;
  site: string;
};

/** Where all our members live (docs/behaviour.md, Plans). */
const COUNTRY = "GB";
const CURRENCY = "GBP";

/** The money has come, whatever happened to the order since. */
export function isPaid({ state }: Order): boolean {
  return state !== "awaiting-payment" && state !== "cancelled";
}

export async function findOrder({ db }: Context, id: number): Promise<Order | undefined> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toOrder(row);
}

export async function listOrdersOfPurchase({ db }: Context, { draftId, giftId }: Purchase): Promise<Order[]> {
  const orders = db.selectFrom("orders").selectAll().orderBy("id");
  const own = draftId === undefined ? orders.where("giftId", "=", giftId) : orders.where("draftId", "=", draftId);
  return (await own.execute()).map(toOrder);
}

export async function listOrdersOfMember({ db }: Context, memberId: number): Promise<Order[]> {
  return (await selectOrders(db, { memberId })).map(toOrder);
}

const selectOrders = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("orders").selectAll().where("memberId", "=", memberId).orderBy("id"),
);

/** Orders in a state since `notSince` at least, the oldest first. */
export async function listOrdersInState(
  { db }: Context,
  { state, notSince, limit }: { state: OrderState; notSince: Date; limit: number },
): Promise<Order[]> {
  const rows = await db
    .selectFrom("orders")
    .selectAll()
    .where("state", "=", state)
    .where("updatedAt", "<=", notSince)
    .orderBy("updatedAt")
    .limit(limit)
    .execute();
  return rows.map(toOrder);
}

export async function isAnyUnsettled(ctx: Context, purchase: Purchase): Promise<boolean> {
  const orders = await listOrdersOfPurchase(ctx, purchase);
  return orders.some(({ state }) => unsettledStates.includes(state));
}

/**
 * The purchase's open order, made if missing, or its paid order. A draft or gift has one open order at most, even under
 * concurrent requests. Call it in a transaction.
 */
export async function openOrder(ctx: Context, order: NewOrder): Promise<Order> {
  const { db } = ctx;
  const made = await insertOrder(ctx, { ...order, state: "awaiting-payment" })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  // Read after the insert, which waited for a concurrent payment, so this sees its result.
  const orders = await listOrdersOfPurchase(ctx, order);
  const paid = orders.find(isPaid);
  if (paid) {
    if (made) await db.deleteFrom("orders").where("id", "=", made.id).execute();
    return paid;
  }
  const opened = orders.find(({ state }) => state === "awaiting-payment");
  if (!opened) return openOrder(ctx, order);
  const { isWaived = false, postcode } = order;
  if (opened.postcode === postcode && isWaived === (opened.waivedAt !== undefined)) return opened;
  const [row] = await db
    .updateTable("orders")
    .set({ postcode, waivedAt: isWaived ? ctx.clock() : null })
    .where("id", "=", opened.id)
    .returningAll()
    .execute();
  return row ? toOrder(row) : openOrder(ctx, order);
}

export async function addPaidOrder(ctx: Context, order: NewOrder): Promise<Order> {
  return toOrder(
    await insertOrder(ctx, { ...order, state: "paid" })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

function insertOrder({ db, clock }: Context, order: NewOrder & { state: OrderState }) {
  const now = clock();
  const isCompanys = order.accountType === "corporate";
  return db.insertInto("orders").values({
    draftId: order.draftId ?? null,
    giftId: order.giftId ?? null,
    memberId: order.memberId ?? null,
    accountType: order.accountType,
    planType: order.planType,
    amountInPence: isCompanys ? 0 : plans[order.planType].chargeInPence,
    currency: CURRENCY,
    state: order.state,
    email: order.email,
    firstName: order.firstName,
    lastName: order.lastName,
    postcode: order.postcode,
    country: COUNTRY,
    code: order.code ?? null,
    waivedAt: order.isWaived ? now : null,
    site: order.site,
    createdAt: now,
    updatedAt: now,
    paidAt: order.state === "paid" ? now : null,
  });
}

/** By the table of states; returns whether this call did it. */
export async function advanceOrder({ db, clock }: Context, id: number, event: OrderEvent): Promise<boolean> {
  const { from, to } = findMove<OrderState, OrderEvent>(orderStates, event);
  const now = clock();
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({
      state: to,
      updatedAt: now,
      ...(event === "paid" && { paidAt: now }),
      ...(event === "completed" && { completedAt: now }),
    })
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks until the transaction ends; `undefined` when the order is in another state. */
export async function lockOrder({ db, clock }: Context, id: number, state: OrderState): Promise<Order | undefined> {
  const row = await db
    .updateTable("orders")
    .set({ updatedAt: clock() })
    .where("id", "=", id)
    .where("state", "=", state)
    .returningAll()
    .executeTakeFirst();
  return row && toOrder(row);
}

/** Stores the gateway's customer once; returns the stored one, which may be another request's. */
export async function noteCustomer({ db }: Context, id: number, customerId: string): Promise<string> {
  const row = db.updateTable("orders").set({ customerId }).where("id", "=", id);
  await row.where("customerId", "is", null).execute();
  const noted = await db.selectFrom("orders").select("customerId").where("id", "=", id).executeTakeFirst();
  return noted?.customerId ?? customerId;
}

/** A gift's order keeps its giver as member, and has no term. */
type Completion = { memberId?: number; startsAt?: Date; endsAt?: Date; receiptNumber?: string };

/** Stores the member and the term, and assigns the receipt number. */
export async function noteCompletion({ db, clock }: Context, id: number, done: Completion): Promise<Order> {
  const row = await db
    .updateTable("orders")
    .set({
      ...(done.memberId !== undefined && { memberId: done.memberId }),
      receiptNumber: done.receiptNumber ?? toReceiptNumber(id, clock()),
      startsAt: done.startsAt ?? null,
      endsAt: done.endsAt ?? null,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toOrder(row);
}

/** `D-2026-000042`: unique and stable for each order. */
export function toReceiptNumber(orderId: number, now: Date): string {
  return `D-${now.getUTCFullYear()}-${String(orderId).padStart(6, "0")}`;
}

export function toOrder(row: Selectable<Schema["orders"]>): Order {
  return {
    id: row.id,
    draftId: row.draftId ?? undefined,
    giftId: row.giftId ?? undefined,
    memberId: row.memberId ?? undefined,
    accountType: row.accountType,
    planType: row.planType as PlanType,
    amountInPence: row.amountInPence,
    state: row.state as OrderState,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    postcode: row.postcode,
    code: row.code ?? undefined,
    site: row.site,
    customerId: row.customerId ?? undefined,
    receiptNumber: row.receiptNumber ?? undefined,
    startsAt: row.startsAt ?? undefined,
    endsAt: row.endsAt ?? undefined,
    paidAt: row.paidAt ?? undefined,
    waivedAt: row.waivedAt ?? undefined,
  };
}
