import { type Selectable, sql } from "kysely";

import { displayFullName } from "../../members/accounts/profile-fields.ts";
import type { Person } from "../../members/accounts/accounts.ts";
import { belongsTo } from "../../members/accounts/members.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType, Schema } from "../../platform/database/schema.ts";
import { formatPence } from "../../platform/format.ts";
import { plans } from "../membership/plans.ts";
import { CORPORATE_PLAN_LABEL } from "../membership/cover.ts";
import { findLastCancelDay } from "./cancelling.ts";
import { isLive, listAttempts, type Attempt } from "./attempts.ts";
import type { Decline } from "./card-gateway.ts";
import { listOrdersOfMember, listOrdersOfPurchase, toOrder, type Order, type Purchase } from "./orders.ts";
import {
  isAnyPartRefundUnderWay,
  listPartRefundsByOrder,
  type PartRefund,
  sumPartRefunds,
} from "./part-refund-rows.ts";
import { orderLabels } from "./labels.ts";
import { type DisputeState, unsettledStates, type OrderState } from "./states.ts";

export type PaymentView =
  | { state: "none" }
  /** Declined, failed or given up: nothing was taken. */
  | { state: "failed"; decline: Decline }
  /** Begun on a page of the bank or the gateway; the payer can return there. */
  | { state: "unfinished"; actionUrl: string }
  /** Unknown yet: the page may only say that we are checking. */
  | { state: "checking" }
  | { state: "completed"; receiptNumber: string; amountInPence: number; startsAt: Date; endsAt: Date }
  /** Paid, but no account could be made: the money is refunded. */
  | { state: "refunded"; amountInPence: number };

/** The state of the order that has come furthest. */
export async function findPaymentView(ctx: Context, purchase: Purchase): Promise<PaymentView> {
  const orders = await listOrdersOfPurchase(ctx, purchase);
  const order = orders.toSorted((a, b) => weights[b.state] - weights[a.state] || b.id - a.id)[0];
  if (!order || order.state === "cancelled") return { state: "none" };
  const { amountInPence, receiptNumber, startsAt, endsAt } = order;
  // A completed order that an operator refunded later still counts.
  if (receiptNumber && startsAt && endsAt) {
    return { state: "completed", receiptNumber, amountInPence, startsAt, endsAt };
  }
  if (order.state === "paid") return { state: "checking" };
  if (order.state !== "awaiting-payment") return { state: "refunded", amountInPence };
  const last = (await listAttempts(ctx, order.id)).at(-1);
  if (!last) return { state: "none" };
  if (last.state === "authenticating" && last.actionUrl) return { state: "unfinished", actionUrl: last.actionUrl };
  if (isLive(last) || last.state === "succeeded") return { state: "checking" };
  if (last.state !== "failed" && last.state !== "cancelled") return { state: "refunded", amountInPence };
  return { state: "failed", decline: last.decline ?? "cancelled" };
}

const weights: Record<OrderState, number> = {
  cancelled: 0,
  "awaiting-payment": 1,
  refunded: 2,
  "refund-failed": 2,
  "refund-pending": 2,
  paid: 3,
  completed: 4,
};

/** Only completed orders have one. */
export type Receipt = {
  orderId: number;
  number: string;
  paidAt: Date;
  /** With its refund: "Yearly, £10 refunded". */
  planLabel: string;
  amountInPence: number;
  /** The money may be refunded or claimed back. */
  state: OrderState;
  /** The payer's bank claims the money, or has it. */
  dispute: DisputeState | undefined;
  /** Refunded or on its way, while the term continues. */
  partsInPence: number;
  startsAt: Date;
  endsAt: Date;
  name: string;
  email: string;
  postcode: string;
  accountType: AccountType;
  isWaived: boolean;
  /** The last day for cancelling, such as `2026-12-11`; missing where it was never possible, or is done. */
  cancelUntil: string | undefined;
};

export async function listReceipts(ctx: Context, memberId: number): Promise<Receipt[]> {
  const orders = await listOrdersOfMember(ctx, memberId);
  const partRefunds = await listPartRefundsByOrder(
    ctx,
    orders.map(({ id }) => id),
  );
  const disputes = await listOwnDisputes(ctx, memberId);
  return orders.flatMap((order) => {
    const receipt = toReceipt(order, sumPartRefunds(partRefunds.get(order.id) ?? []));
    return receipt ? [{ ...receipt, dispute: disputes.get(order.id) }] : [];
  });
}

async function listOwnDisputes({ db }: Context, memberId: number): Promise<Map<number, DisputeState>> {
  const rows = await db
    .selectFrom("disputes")
    .innerJoin("orders", "orders.id", "disputes.orderId")
    .select(["disputes.orderId", "disputes.state"])
    .where("orders.memberId", "=", memberId)
    .orderBy("disputes.createdAt")
    .execute();
  return new Map(rows.map(({ orderId, state }) => [orderId, state as DisputeState]));
}

export function toReceipt(order: Order, partsInPence = 0): Receipt | undefined {
  const { receiptNumber: number, paidAt, startsAt, endsAt } = order;
  if (!number || !paidAt || !startsAt || !endsAt) return undefined;
  return {
    orderId: order.id,
    number,
    paidAt,
    planLabel: orderLabel(order, partsInPence),
    amountInPence: order.amountInPence,
    state: order.state,
    dispute: undefined,
    partsInPence,
    startsAt,
    endsAt,
    name: displayFullName(order),
    email: order.email,
    postcode: order.postcode,
    accountType: order.accountType,
    isWaived: order.waivedAt !== undefined,
    cancelUntil: findLastCancelDay(order),
  };
}

function orderLabel({ accountType, planType, state }: Order, partsInPence: number): string {
  const label = accountType === "corporate" ? CORPORATE_PLAN_LABEL : plans[planType].label;
  if (state === "completed") return partsInPence > 0 ? `${label}, ${formatPence(partsInPence)} refunded` : label;
  return `${label}, ${orderLabels[state]}`;
}

/** Of a member's order or of a gift. `isWhole`: the text has the whole number, not the last digits alone. */
export type FoundReceipt = ({ memberId: number } | { giftId: number }) & { number: string; isWhole: boolean };

/** Accepts other dashes, spaces, small letters, or the last digits alone. */
export async function findByReceipt({ db }: Context, text: string): Promise<FoundReceipt | undefined> {
  const typed = text
    .normalize("NFKC")
    .replace(/\p{Pd}/gu, "-")
    .replace(/\s/g, "")
    .toUpperCase();
  const [whole] = /F?D-\d{4}-\d{6,9}(?!\d)/.exec(typed) ?? [];
  const [, digits] = /^0*(\d{1,9})$/.exec(typed) ?? [];
  if (whole === undefined && digits === undefined) return undefined;
  const orders = db.selectFrom("orders").select(["memberId", "giftId", "receiptNumber"]);
  // The digits are the order's number. A whole number may be of a provider, which counts its own orders.
  const found =
    whole === undefined ? orders.where("id", "=", Number(digits)) : orders.where("receiptNumber", "=", whole);
  const { memberId, giftId, receiptNumber: number } = (await found.executeTakeFirst()) ?? {};
  if (!number?.endsWith(whole ?? typed)) return undefined;
  const isWhole = whole !== undefined;
  // Where a member gives, the order has both.
  if (giftId) return { giftId, number, isWhole };
  return memberId ? { memberId, number, isWhole } : undefined;
}

/** All that is stored about an order, for an export. */
export type OrderRecord = {
  order: Order;
  currency: string;
  country: string;
  createdAt: Date;
  completedAt: Date | undefined;
  payments: Attempt[];
  /** Parts that operators refunded while the term continued. */
  /** In the JSON of an export (docs/personal-data.md), so it has the name that it always had. */
  parts: PartRefund[];
  leftInPence: number;
  disputes: DisputeRecord[];
};

export type DisputeRecord = { gatewayId: string; state: string; createdAt: Date; updatedAt: Date };

/** The oldest first, with those that came to nothing. */
export async function listOrderRecords(ctx: Context, person: Person): Promise<OrderRecord[]> {
  return toRecords(ctx, await ctx.db.selectFrom("orders").selectAll().where(belongsTo(person)).orderBy("id").execute());
}

export async function findOrderRecord(ctx: Context, id: number): Promise<OrderRecord | undefined> {
  const rows = await ctx.db.selectFrom("orders").selectAll().where("id", "=", id).execute();
  return (await toRecords(ctx, rows))[0];
}

async function toRecords(ctx: Context, rows: Selectable<Schema["orders"]>[]): Promise<OrderRecord[]> {
  const partRefunds = await listPartRefundsByOrder(
    ctx,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => ({
      order: toOrder(row),
      currency: row.currency,
      country: row.country,
      createdAt: row.createdAt,
      completedAt: row.completedAt ?? undefined,
      payments: await listAttempts(ctx, row.id),
      parts: partRefunds.get(row.id) ?? [],
      leftInPence: row.amountInPence - sumPartRefunds(partRefunds.get(row.id) ?? []),
      disputes: await listDisputes(ctx, row.id),
    })),
  );
}

async function listDisputes({ db }: Context, orderId: number): Promise<DisputeRecord[]> {
  const rows = await db.selectFrom("disputes").selectAll().where("orderId", "=", orderId).execute();
  return rows.map(({ gatewayId, state, createdAt, updatedAt }) => ({
    gatewayId,
    state,
    createdAt,
    updatedAt,
  }));
}

export async function isAnyUnsettledFor(ctx: Context, person: Person): Promise<boolean> {
  const orders = ctx.db.selectFrom("orders").select("id").where(belongsTo(person));
  const unsettled = await orders.where("state", "in", unsettledStates).limit(1).executeTakeFirst();
  return unsettled !== undefined || isAnyPartRefundUnderWay(ctx, person);
}

const blank = { email: "", firstName: "", lastName: "", postcode: "" };

export async function moveOrders(trx: Queries, person: Person, to: number): Promise<void> {
  await trx.updateTable("orders").set({ memberId: to }).where(belongsTo(person)).execute();
}

/** Returns the person's customers at the card gateway. */
export async function forgetPerson({ db }: Context, person: Person): Promise<string[]> {
  const orders = db.updateTable("orders").set(blank).where(belongsTo(person));
  const rows = await orders.returning(["id", "customerId"]).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.updateTable("payments").set({ cardLast4: "" }).where("orderId", "in", ids).execute();
  return rows.flatMap(({ customerId }) => customerId ?? []);
}

/** Long enough for questions about a failed payment, and for a bank to change its mind. */
const UNPAID_STORED_FOR_DAYS = 30;

/** Erases the person from orders cancelled `UNPAID_STORED_FOR_DAYS` ago; returns from how many. */
export async function purgeUnpaid({ db, clock }: Context): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set(blank)
    // Literals, as `orders_to_forget` has them.
    .where("state", "=", sql.lit("cancelled" satisfies OrderState))
    .where("updatedAt", "<=", after(clock(), -UNPAID_STORED_FOR_DAYS * DAY_IN_MS))
    .where("email", "!=", sql.lit(""))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
