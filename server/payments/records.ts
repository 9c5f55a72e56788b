import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { toEmailKey } from "../accounts/rules.ts";
import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import { toOrder, unsettledStates, type Order } from "./order-rows.ts";

/** A person in our books: what they ordered, and how to take them out of it. Orders that came to nothing count too. */
export type PaymentRecords = {
  /** Oldest first, each with its attempts at paying. */
  listFor(person: Person): Promise<OrderRecord[]>;
  /** Whether money of theirs is on its way, in either direction. */
  isAnyUnsettledFor(person: Person, trx: Queries): Promise<boolean>;
  /**
   * Takes the person out of their orders; what tax law wants kept stays: number, dates and amount. Answers what they are called at
   * the card gateway, which holds data of its own.
   */
  forgetPerson(person: Person, trx: Queries): Promise<string[]>;
  /** Takes whoever it was out of orders that came to nothing `UNPAID_KEPT_FOR_DAYS` ago; answers of how many. */
  purge(): Promise<number>;
};

export type OrderRecord = {
  order: Order;
  currency: string;
  country: string;
  createdAt: Date;
  completedAt: Date | undefined;
  payments: Attempt[];
  disputes: DisputeRecord[];
};

export type DisputeRecord = { gatewayId: string; state: string; createdAt: Date; updatedAt: Date };

/** As long as anybody asks why a payment did not go through, or a bank may still change its mind. */
const UNPAID_KEPT_FOR_DAYS = 30;

const blank = { email: "", first_name: "", last_name: "", postcode: "" };

type Parts = { db: Queries; clock: Clock; attempts: Attempts };

export function createPaymentRecords({ db, clock, attempts }: Parts): PaymentRecords {
  async function listDisputes(orderId: number): Promise<DisputeRecord[]> {
    const rows = await db.selectFrom("disputes").selectAll().where("order_id", "=", orderId).execute();
    return rows.map(({ gateway_id: gatewayId, state, created_at, updated_at }) => ({
      gatewayId,
      state,
      createdAt: new Date(created_at),
      updatedAt: new Date(updated_at),
    }));
  }

  return {
    async listFor(person) {
      const rows = await db.selectFrom("orders").selectAll().where(isOf(person)).orderBy("id").execute();
      return Promise.all(
        rows.map(async (row) => {
          const { currency, country } = row;
          const completedAt = row.completed_at === null ? undefined : new Date(row.completed_at);
          const payments = await attempts.listOfOrder(row.id);
          const disputes = await listDisputes(row.id);
          const createdAt = new Date(row.created_at);
          return { order: toOrder(row), currency, country, createdAt, completedAt, payments, disputes };
        }),
      );
    },

    async isAnyUnsettledFor(person, trx) {
      const unsettled = trx.selectFrom("orders").select("id").where(isOf(person));
      return (await unsettled.where("state", "in", unsettledStates).limit(1).executeTakeFirst()) !== undefined;
    },

    async forgetPerson(person, trx) {
      const rows = await trx.updateTable("orders").set(blank).where(isOf(person)).returning("customer_id").execute();
      return rows.flatMap(({ customer_id: customerId }) => customerId ?? []);
    },

    async purge() {
      const { numUpdatedRows } = await db
        .updateTable("orders")
        .set(blank)
        .where("state", "=", "cancelled")
        .where("updated_at", "<=", after(clock(), -UNPAID_KEPT_FOR_DAYS * DAY_IN_MS).toISOString())
        .where("email", "!=", "")
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

/** A renewal has its member's number from the start, another order once it is completed; what came to nothing before is known by the address. */
function isOf({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "orders">();
  return where.or([
    where("member_id", "=", memberId),
    where.and([where("member_id", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}
