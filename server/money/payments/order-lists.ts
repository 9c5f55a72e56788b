import { type Selectable, sql } from "kysely";

import { after as later, DAY_IN_MS, type Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Cursor } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { toOrder, type Order } from "./orders.ts";
import { listPartRefundsByOrder, sumPartRefunds } from "./part-refund-rows.ts";
import { givenBackStates, type OrderState } from "./states.ts";

export type OrdersPage = { after?: Cursor | undefined; limit: number };

/** `at`: the time that the list is ordered by; `backInPence`: refunded, or on its way. */
export type ListedOrder = Order & { at: Date; backInPence: number };

type OrderRow = Selectable<Schema["orders"]>;

async function toListed(ctx: Context, rows: OrderRow[], findInstant: (row: OrderRow) => Date): Promise<ListedOrder[]> {
  const parts = await listPartRefundsByOrder(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const order = toOrder(row);
    const isBack = givenBackStates.includes(order.state);
    const backInPence = isBack ? order.amountInPence : sumPartRefunds(parts.get(row.id) ?? []);
    return Object.assign(order, { at: findInstant(row), backInPence });
  });
}

/** Orders paid in a span, whatever happened later, the earliest first; without orders of codes. */
export async function listPaid(ctx: Context, { span, after, limit }: OrdersPage & { span: Span }) {
  let paid = ctx.db.selectFrom("orders").selectAll().where("paidAt", "<", span.to).where("amountInPence", ">", 0);
  // Not both: SQLite would scan from the beginning of the span for each page.
  paid = after
    ? paid.where(sql<boolean>`(paid_at, id) > (${after.at}, ${after.id})`)
    : paid.where("paidAt", ">=", span.from);
  const rows = await paid.orderBy("paidAt").orderBy("id").limit(limit).execute();
  return toListed(ctx, rows, ({ paidAt, updatedAt }) => paidAt ?? updatedAt);
}

/** Refunded or being refunded; the latest first. */
export function listGivenBackOrders(ctx: Context, page: OrdersPage): Promise<ListedOrder[]> {
  return listInStates(ctx, { states: givenBackStates, ...page });
}

/** As long as `records.ts` stores the person of an unpaid order. */
const UNPAID_FOR_DAYS = 30;

/** Payments that failed or are still missing, the latest of each person who has not paid since; the latest first. */
export async function listUnpaid(ctx: Context, page: OrdersPage): Promise<ListedOrder[]> {
  const since = later(ctx.clock(), -UNPAID_FOR_DAYS * DAY_IN_MS);
  return listInStates(ctx, { states: ["awaiting-payment", "cancelled"], since, isUnpaidSince: true, ...page });
}

type StatesPage = OrdersPage & { states: OrderState[]; since?: Date; isUnpaidSince?: boolean };

async function listInStates(ctx: Context, { states, since, isUnpaidSince, after, limit }: StatesPage) {
  const { db } = ctx;
  let orders = db.selectFrom("orders").selectAll().where("state", "in", states);
  if (since) orders = orders.where("updatedAt", ">", since).where("email", "!=", "");
  if (isUnpaidSince) {
    const sameSignUp = db.selectFrom("orders as paid").select("paid.id").where("paid.paidAt", "is not", null);
    const bySignUp = sameSignUp.where(sql<boolean>`paid.draft_id = orders.draft_id`);
    const byGift = sameSignUp.where(sql<boolean>`paid.gift_id = orders.gift_id`);
    const byMember = sameSignUp.where(sql<boolean>`paid.member_id = orders.member_id and paid.id > orders.id`);
    for (const paid of [bySignUp, byGift, byMember]) orders = orders.where((row) => row.not(row.exists(paid)));
  }
  if (after) orders = orders.where(sql<boolean>`(updated_at, id) < (${after.at}, ${after.id})`);
  const rows = await orders.orderBy("updatedAt", "desc").orderBy("id", "desc").limit(limit).execute();
  return toListed(ctx, rows, ({ updatedAt }) => updatedAt);
}
