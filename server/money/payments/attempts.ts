import { type Selectable, sql } from "kysely";

import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import type { Decline, GatewayRefund } from "./card-gateway.ts";
import { liveStates, findMove, paymentStates, type PaymentEvent, type PaymentState } from "./states.ts";

/** One attempt to charge a card for an order: a row of `payments`. */
export type Attempt = {
  id: number;
  orderId: number;
  number: number;
  page: "fields" | "hosted";
  methodId: string | undefined;
  gatewayId: string | undefined;
  state: PaymentState;
  amountInPence: number;
  actionUrl: string | undefined;
  decline: Decline | undefined;
  refundId: string | undefined;
  /** Known some minutes after the charge. */
  cardLast4: string | undefined;
  createdAt: Date;
};

type AttemptFacts = {
  actionUrl?: string | undefined;
  decline?: Decline | undefined;
};

export function isLive({ state }: Attempt): boolean {
  return (liveStates as readonly PaymentState[]).includes(state);
}

export async function findAttempt({ db }: Context, id: number): Promise<Attempt | undefined> {
  const row = await db.selectFrom("payments").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toAttempt(row);
}

export async function findAttemptByGatewayId({ db }: Context, gatewayId: string): Promise<Attempt | undefined> {
  const row = await db.selectFrom("payments").selectAll().where("gatewayId", "=", gatewayId).executeTakeFirst();
  return row && toAttempt(row);
}

export async function findLiveAttempt(ctx: Context, orderId: number): Promise<Attempt | undefined> {
  return (await listAttempts(ctx, orderId)).find(isLive);
}

/** The oldest first. */
export async function listAttempts({ db }: Context, orderId: number): Promise<Attempt[]> {
  const rows = await db.selectFrom("payments").selectAll().where("orderId", "=", orderId).orderBy("id").execute();
  return rows.map(toAttempt);
}

/** Attempts that were last touched at `notSince` or before, the oldest first. */
export async function listAttemptsInStates(
  { db }: Context,
  { states, notSince, limit }: { states: readonly PaymentState[]; notSince: Date; limit: number },
): Promise<Attempt[]> {
  const rows = await db
    .selectFrom("payments")
    .selectAll()
    .where("state", "in", states)
    .where("updatedAt", "<=", notSince)
    .orderBy("updatedAt")
    .limit(limit)
    .execute();
  return rows.map(toAttempt);
}

/**
 * Failed refunds, and those not done since `notSince`, when they were decided: their orders do not change afterwards.
 */
export function selectStuckAttempts(db: Queries, { notSince, limit }: { notSince: Date; limit: number }) {
  return db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["payments.orderId", "payments.amountInPence", "orders.memberId", "orders.receiptNumber"])
    .select(["payments.createdAt", sql.lit(0).as("isPart")])
    .where("payments.state", "in", ["refunding", "refund-failed"])
    .where((by) => by.or([by("payments.state", "=", "refund-failed"), by("orders.updatedAt", "<=", notSince)]))
    .orderBy("payments.id")
    .limit(limit);
}

type NewAttempt = { orderId: number; amountInPence: number; methodId: string | undefined };

/** The order is open and locked; `undefined` while another attempt is live. */
export async function beginAttempt(ctx: Context, next: NewAttempt): Promise<Attempt | undefined> {
  const earlier = await listAttempts(ctx, next.orderId);
  // Before the insert: on PostgreSQL an insert would wait for a request that ends the live one, and that one for this
  // order.
  if (earlier.some(isLive)) return undefined;
  const now = ctx.clock();
  const row = await ctx.db
    .insertInto("payments")
    .values({
      orderId: next.orderId,
      attempt: earlier.length + 1,
      page: next.methodId === undefined ? "hosted" : "fields",
      methodId: next.methodId ?? null,
      state: "started",
      amountInPence: next.amountInPence,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toAttempt(row);
}

/** Changes the state if the table of states allows it; returns whether this call did. */
export async function advanceAttempt(
  ctx: Context,
  id: number,
  { event, facts = {} }: { event: PaymentEvent; facts?: AttemptFacts },
): Promise<boolean> {
  const { from, to } = findMove<PaymentState, PaymentEvent>(paymentStates, event);
  const { numUpdatedRows } = await ctx.db
    .updateTable("payments")
    .set({ state: to, updatedAt: ctx.clock(), ...toColumns(facts) })
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the gateway's id once, in any state. */
export async function bindAttempt({ db }: Context, id: number, gatewayId: string): Promise<void> {
  const row = db.updateTable("payments").set({ gatewayId }).where("id", "=", id);
  await row.where("gatewayId", "is", null).execute();
}

/** Moves an attempt to the end of the queue for lookups. */
export async function touchAttempt({ db, clock }: Context, id: number): Promise<void> {
  await db.updateTable("payments").set({ updatedAt: clock() }).where("id", "=", id).execute();
}

/** Returns whether it is the attempt's last refund. A failed refund does not replace one that succeeded meanwhile. */
export async function noteRefund({ db }: Context, { id, refundId }: Attempt, refund: GatewayRefund): Promise<boolean> {
  const row = db.updateTable("payments").set({ refundId: refund.id }).where("id", "=", id);
  const known = [refund.id, refundId ?? refund.id];
  const isLast = row.where((by) => by.or([by("state", "<>", "refunded"), by("refundId", "in", known)]));
  const { numUpdatedRows } = await (refund.state === "failed" ? isLast : row).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Counts a repeated request: a missing answer to the other is then inconclusive. After one request `updatedAt` equals
 * `createdAt`.
 */
export async function noteRepeat({ db, clock }: Context, { id, createdAt }: Attempt): Promise<void> {
  const later = new Date(Math.max(clock().getTime(), createdAt.getTime() + 1));
  await db.updateTable("payments").set({ updatedAt: later }).where("id", "=", id).execute();
}

/** Fails an attempt without a payment, if only one request was made for it; returns whether it did. */
export async function failUnmade({ db, clock }: Context, { id, createdAt }: Attempt): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("payments")
    .set({ state: "failed", updatedAt: clock(), ...toColumns({ decline: "gateway-unavailable" }) })
    .where("id", "=", id)
    .where("state", "=", "started")
    .where("gatewayId", "is", null)
    .where("updatedAt", "=", createdAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toColumns({ actionUrl, decline }: AttemptFacts) {
  return {
    ...(actionUrl !== undefined && { actionUrl }),
    ...(decline !== undefined && { decline }),
  };
}

function toAttempt(row: Selectable<Schema["payments"]>): Attempt {
  return {
    id: row.id,
    orderId: row.orderId,
    number: row.attempt,
    page: row.page,
    methodId: row.methodId ?? undefined,
    gatewayId: row.gatewayId ?? undefined,
    state: row.state as PaymentState,
    amountInPence: row.amountInPence,
    actionUrl: row.actionUrl ?? undefined,
    decline: (row.decline as Decline | null) ?? undefined,
    refundId: row.refundId ?? undefined,
    cardLast4: row.cardLast4 || undefined,
    createdAt: row.createdAt,
  };
}
