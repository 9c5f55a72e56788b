import type { Selectable } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Payments that were prepared at the provider: each is written down before it is asked to take one. */
export type PreparedPayments = {
  find(key: string): Promise<PreparedPayment | undefined>;
  findByPaymentId(paymentId: string): Promise<PreparedPayment | undefined>;
  /** Notes one, once; answers the one that counts, which another press may have noted before. */
  note(payment: Omit<PreparedPayment, "preparedAt">): Promise<PreparedPayment>;
  /** Notes the provider's number of the order that it was placed for. */
  noteOrder(key: string, providerOrderId: number): Promise<void>;
  /** That number, as part of somebody's transaction. */
  findProviderOrder(orderId: number, trx: Queries): Promise<number | undefined>;
  listOf(order: { orderId: number; memberId: number }): Promise<PreparedPayment[]>;
  /** Whether others than this one were prepared for its member. */
  isAnyOther(payment: PreparedPayment): Promise<boolean>;
};

export type PreparedPayment = {
  key: string;
  orderId: number;
  attempt: number;
  memberId: number;
  paymentId: string;
  amountInPence: number;
  preparedAt: Date;
};

export function createPreparedPayments({ db, clock }: { db: Queries; clock: Clock }): PreparedPayments {
  const rows = () => db.selectFrom("provider_payments").selectAll();

  async function find(key: string): Promise<PreparedPayment | undefined> {
    const row = await rows().where("key", "=", key).executeTakeFirst();
    return row && toPrepared(row);
  }

  return {
    find,

    async findByPaymentId(paymentId) {
      const row = await rows().where("payment_id", "=", paymentId).orderBy("prepared_at", "desc").executeTakeFirst();
      return row && toPrepared(row);
    },

    async note(payment) {
      await db
        .insertInto("provider_payments")
        .values({
          key: payment.key,
          order_id: payment.orderId,
          attempt: payment.attempt,
          member_id: payment.memberId,
          payment_id: payment.paymentId,
          amount_in_pence: payment.amountInPence,
          provider_order_id: null,
          prepared_at: clock().toISOString(),
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
      const noted = await find(payment.key);
      if (!noted) throw new Error("A prepared payment was not noted");
      return noted;
    },

    async noteOrder(key, providerOrderId) {
      const noted = db.updateTable("provider_payments").set({ provider_order_id: providerOrderId });
      await noted.where("key", "=", key).execute();
    },

    async findProviderOrder(orderId, trx) {
      const row = await trx
        .selectFrom("provider_payments")
        .select("provider_order_id")
        .where("order_id", "=", orderId)
        .where("provider_order_id", "is not", null)
        .orderBy("attempt", "desc")
        .executeTakeFirst();
      return row?.provider_order_id ?? undefined;
    },

    async listOf({ orderId, memberId }) {
      const of = await rows().where("order_id", "=", orderId).where("member_id", "=", memberId).execute();
      return of.map(toPrepared);
    },

    async isAnyOther({ key, memberId }) {
      const other = rows().where("member_id", "=", memberId).where("key", "!=", key);
      return (await other.limit(1).executeTakeFirst()) !== undefined;
    },
  };
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
