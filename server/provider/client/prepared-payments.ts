import type { Selectable } from "kysely";

import type { Schema } from "../../database/schema.ts";
import type { Context } from "../../context.ts";

/** A payment that was prepared at the provider: it is written down before the provider is asked to take it. */
export type PreparedPayment = {
  key: string;
  orderId: number;
  attempt: number;
  memberId: number;
  paymentId: string;
  amountInPence: number;
  preparedAt: Date;
};

type RowContext = Pick<Context, "db">;

const rows = ({ db }: RowContext) => db.selectFrom("provider_payments").selectAll();

export async function findPrepared(ctx: RowContext, key: string): Promise<PreparedPayment | undefined> {
  const row = await rows(ctx).where("key", "=", key).executeTakeFirst();
  return row && toPrepared(row);
}

export async function findPreparedById(ctx: RowContext, paymentId: string): Promise<PreparedPayment | undefined> {
  const row = await rows(ctx).where("payment_id", "=", paymentId).orderBy("prepared_at", "desc").executeTakeFirst();
  return row && toPrepared(row);
}

/** Notes one, once; answers the one that counts, which another press may have noted before. */
export async function notePrepared(
  ctx: Pick<Context, "db" | "clock">,
  payment: Omit<PreparedPayment, "preparedAt">,
): Promise<PreparedPayment> {
  await ctx.db
    .insertInto("provider_payments")
    .values({
      key: payment.key,
      order_id: payment.orderId,
      attempt: payment.attempt,
      member_id: payment.memberId,
      payment_id: payment.paymentId,
      amount_in_pence: payment.amountInPence,
      provider_order_id: null,
      prepared_at: ctx.clock().toISOString(),
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const noted = await findPrepared(ctx, payment.key);
  if (!noted) throw new Error("A prepared payment was not noted");
  return noted;
}

/** Notes the provider's number of the order that a payment was placed for. */
export async function noteProviderOrder(
  { db }: RowContext,
  { key, providerOrderId }: { key: string; providerOrderId: number },
): Promise<void> {
  const noted = db.updateTable("provider_payments").set({ provider_order_id: providerOrderId });
  await noted.where("key", "=", key).execute();
}

export async function findProviderOrder({ db }: RowContext, orderId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("provider_payments")
    .select("provider_order_id")
    .where("order_id", "=", orderId)
    .where("provider_order_id", "is not", null)
    .orderBy("attempt", "desc")
    .executeTakeFirst();
  return row?.provider_order_id ?? undefined;
}

export async function listPrepared(
  ctx: RowContext,
  { orderId, memberId }: { orderId: number; memberId: number },
): Promise<PreparedPayment[]> {
  const of = await rows(ctx).where("order_id", "=", orderId).where("member_id", "=", memberId).execute();
  return of.map(toPrepared);
}

/** Whether others than this one were prepared for its member. */
export async function isAnyOtherPrepared(ctx: RowContext, { key, memberId }: PreparedPayment): Promise<boolean> {
  const other = rows(ctx).where("member_id", "=", memberId).where("key", "!=", key);
  return (await other.limit(1).executeTakeFirst()) !== undefined;
}

function toPrepared(row: Selectable<Schema["provider_payments"]>): PreparedPayment {
  return {
    key: row.key,
    orderId: row.order_id,
    attempt: row.attempt,
    memberId: row.member_id,
    paymentId: row.payment_id,
    amountInPence: row.amount_in_pence,
    preparedAt: new Date(row.prepared_at),
  };
}
