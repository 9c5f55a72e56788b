import { expressionBuilder, type Selectable, sql } from "kysely";

import type { Person } from "../../members/accounts/accounts.ts";
import { belongsTo } from "../../members/accounts/members.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import type { Attempt } from "./attempts.ts";
import type { GatewayRefund } from "./card-gateway.ts";
import { findMove, type PartRefundEvent, type PartRefundState, partRefundStates, type PaymentState } from "./states.ts";

/** An operator's refund of a part of a charge: a row of `part_refunds`. */
export type PartRefund = {
  paymentId: number;
  /** 1 for the first of its charge. */
  number: number;
  amountInPence: number;
  state: PartRefundState;
  /** Missing until the gateway has answered. */
  refundId: string | undefined;
  createdAt: Date;
  /** Once it is `refunded`: the time of the refund. */
  updatedAt: Date;
};

/** The gateway may not know it yet. */
export function isUnsent({ state, refundId }: PartRefund): boolean {
  return state === "refunding" && refundId === undefined;
}

/** In pence: refunded, or on its way. */
export function sumPartRefunds(parts: PartRefund[]): number {
  return parts.reduce((sum, { state, amountInPence }) => (state === "refund-failed" ? sum : sum + amountInPence), 0);
}

/** The oldest first. */
export async function listPartRefunds({ db }: Context, paymentId: number): Promise<PartRefund[]> {
  const rows = db.selectFrom("partRefunds").selectAll().where("paymentId", "=", paymentId).orderBy("number");
  return (await rows.execute()).map(toPartRefund);
}

export async function listPartRefundsByOrder({ db }: Context, orderIds: number[]): Promise<Map<number, PartRefund[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("partRefunds")
    .innerJoin("payments", "payments.id", "partRefunds.paymentId")
    .selectAll("partRefunds")
    .select("payments.orderId")
    .where("payments.orderId", "in", orderIds)
    .orderBy("partRefunds.createdAt")
    .orderBy("partRefunds.number")
    .execute();
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return new Map([...byOrder].map(([orderId, own]) => [orderId, own.map(toPartRefund)]));
}

/** Last touched at `notSince` or before, the oldest first. */
export async function listPartRefundsInState(
  { db }: Context,
  { state, notSince, limit }: { state: PartRefundState; notSince: Date; limit: number },
): Promise<PartRefund[]> {
  const rows = await db
    .selectFrom("partRefunds")
    .selectAll()
    .where("state", "=", state)
    .where("updatedAt", "<=", notSince)
    .orderBy("updatedAt")
    .limit(limit)
    .execute();
  return rows.map(toPartRefund);
}

/**
 * Parts that failed without a later one in their place, and those not done since `notSince`. Parts do not matter once
 * the whole charge is refunded.
 */
export function selectStuckPartRefunds(db: Queries, { notSince, limit }: { notSince: Date; limit: number }) {
  return db
    .selectFrom("partRefunds")
    .innerJoin("payments", "payments.id", "partRefunds.paymentId")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["payments.orderId", "partRefunds.amountInPence", "orders.memberId", "orders.receiptNumber"])
    .select(["partRefunds.createdAt", sql.lit(1).as("isPart")])
    .where("partRefunds.state", "in", ["refunding", "refund-failed"])
    .where("payments.state", "=", "succeeded" satisfies PaymentState)
    .where((by) => by.or([by("partRefunds.state", "=", "refund-failed"), by("partRefunds.createdAt", "<=", notSince)]))
    .where((by) =>
      by.not(
        by.exists(
          by
            .selectFrom("partRefunds as later")
            .select("later.number")
            .whereRef("later.paymentId", "=", "partRefunds.paymentId")
            .whereRef("later.number", ">", "partRefunds.number")
            .where("partRefunds.state", "=", "refund-failed"),
        ),
      ),
    )
    .orderBy("partRefunds.createdAt")
    .limit(limit);
}

export async function isAnyPartRefundUnderWay({ db }: Context, person: Person): Promise<boolean> {
  const found = await db
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .innerJoin("partRefunds", "partRefunds.paymentId", "payments.id")
    .select("partRefunds.number")
    .where(belongsTo(person))
    .where("partRefunds.state", "=", "refunding")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The order is locked. */
export async function addPartRefund(
  ctx: Context,
  { attempt, amountInPence }: { attempt: Attempt; amountInPence: number },
): Promise<PartRefund> {
  const number = (await listPartRefunds(ctx, attempt.id)).length + 1;
  const now = ctx.clock();
  const row = await ctx.db
    .insertInto("partRefunds")
    .values({ paymentId: attempt.id, number, amountInPence, state: "refunding", createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPartRefund(row);
}

/** Moves a part to the end of the queue for lookups. */
export async function touchPartRefund({ db, clock }: Context, part: PartRefund): Promise<void> {
  const row = db.updateTable("partRefunds").set({ updatedAt: clock() }).where(isSame(part));
  await row.where("state", "<>", "refunded").execute();
}

/** Returns whether the gateway's state is new. */
export async function notePartRefund(
  { db, clock }: Context,
  part: PartRefund,
  { id: refundId, state }: Pick<GatewayRefund, "id" | "state">,
): Promise<boolean> {
  if (state === "pending") {
    await db.updateTable("partRefunds").set({ refundId }).where(isSame(part)).execute();
    return false;
  }
  const { from, to } = findMove<PartRefundState, PartRefundEvent>(
    partRefundStates,
    state === "succeeded" ? "refunded" : "refund-failed",
  );
  const { numUpdatedRows } = await db
    .updateTable("partRefunds")
    .set({ refundId, state: to, updatedAt: clock() })
    .where(isSame(part))
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Unless another process has made it meanwhile; returns whether this call failed it. */
export async function failUnsentPartRefund({ db, clock }: Context, part: PartRefund): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("partRefunds")
    .set({ state: "refund-failed", updatedAt: clock() })
    .where(isSame(part))
    .where("state", "=", "refunding")
    .where("refundId", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function isSame({ paymentId, number }: PartRefund) {
  const where = expressionBuilder<Schema, "partRefunds">();
  return where.and([where("paymentId", "=", paymentId), where("number", "=", number)]);
}

function toPartRefund(row: Selectable<Schema["partRefunds"]>): PartRefund {
  return {
    paymentId: row.paymentId,
    number: row.number,
    amountInPence: row.amountInPence,
    state: row.state,
    refundId: row.refundId ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
