import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { isLive, toAttempt, toColumns, type Attempt, type AttemptFacts } from "./attempt-rows.ts";
import type { GatewayRefund } from "./card-gateway.ts";
import { moveOf } from "./order-states.ts";
import { paymentStates, type PaymentEvent, type PaymentState } from "./payment-states.ts";

type Parts = { db: Queries; clock: Clock };

/** The attempts' own queries, over the table `payments`. */
export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(parts: Parts) {
  const finding = createFinding(parts);
  return { ...finding, ...createMoving(parts, finding), ...createAsking(parts) };
}

function createFinding({ db }: Parts) {
  async function findBy(column: "id" | "gateway_id" | "refund_id", value: number | string) {
    const row = await db.selectFrom("payments").selectAll().where(column, "=", value).executeTakeFirst();
    return row && toAttempt(row);
  }

  async function listOfOrder(orderId: number, on: Queries = db): Promise<Attempt[]> {
    const rows = await on.selectFrom("payments").selectAll().where("order_id", "=", orderId).orderBy("id").execute();
    return rows.map(toAttempt);
  }

  return {
    listOfOrder,
    find: (id: number) => findBy("id", id),
    findByGatewayId: (gatewayId: string) => findBy("gateway_id", gatewayId),
    findByRefundId: (refundId: string) => findBy("refund_id", refundId),

    findLive: async (orderId: number) => (await listOfOrder(orderId)).find(isLive),

    async findByNumber(orderId: number, number: number): Promise<Attempt | undefined> {
      const attempts = await listOfOrder(orderId);
      return attempts.find((attempt) => attempt.number === number);
    },

    async listInStates(states: readonly PaymentState[], { notSince, limit }: { notSince: Date; limit: number }) {
      const rows = await db
        .selectFrom("payments")
        .selectAll()
        .where("state", "in", states)
        .where("updated_at", "<=", notSince.toISOString())
        .orderBy("updated_at")
        .limit(limit)
        .execute();
      return rows.map(toAttempt);
    },

    /** What was to go back, and could not, or has not since that moment: an order rests from when that was decided. */
    async listStuck({ notSince, limit }: { notSince: Date; limit: number }): Promise<Attempt[]> {
      const rows = await db
        .selectFrom("payments")
        .innerJoin("orders", "orders.id", "payments.order_id")
        .selectAll("payments")
        .where("payments.state", "in", ["refunding", "refund-failed"])
        .where((by) =>
          by.or([by("payments.state", "=", "refund-failed"), by("orders.updated_at", "<=", notSince.toISOString())]),
        )
        .orderBy("payments.id")
        .limit(limit)
        .execute();
      return rows.map(toAttempt);
    },

    async isAnyLive(orderId: number, on: Queries): Promise<boolean> {
      const attempts = await listOfOrder(orderId, on);
      return attempts.some(isLive);
    },
  };
}

function createMoving({ db, clock }: Parts, { listOfOrder }: ReturnType<typeof createFinding>) {
  return {
    /** Writes the next attempt of an order that is open and locked; `undefined` when another one is still live. */
    async begin(next: { orderId: number; amountInPence: number; methodId: string | undefined }, on: Queries) {
      const earlier = await listOfOrder(next.orderId, on);
      // Asked before inserting: on PostgreSQL an insert would wait for whoever ends the live one, and they for this order.
      if (earlier.some(isLive)) return undefined;
      const now = clock().toISOString();
      const row = await on
        .insertInto("payments")
        .values({
          order_id: next.orderId,
          attempt: earlier.length + 1,
          page: next.methodId === undefined ? "hosted" : "fields",
          method_id: next.methodId ?? null,
          state: "started",
          amount_in_pence: next.amountInPence,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toAttempt(row);
    },

    /** Moves an attempt on if the table of states lets it, with what was learnt; answers whether this call did. */
    async advance(id: number, { event, facts = {} }: { event: PaymentEvent; facts?: AttemptFacts }, on: Queries) {
      const { from, to } = moveOf<PaymentState, PaymentEvent>(paymentStates, event);
      const { numUpdatedRows } = await on
        .updateTable("payments")
        .set({ state: to, updated_at: clock().toISOString(), ...toColumns(facts) })
        .where("id", "=", id)
        .where("state", "in", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Notes the gateway's id, once, whatever state the attempt is in. */
    async bind(id: number, gatewayId: string): Promise<void> {
      const row = db.updateTable("payments").set({ gateway_id: gatewayId }).where("id", "=", id);
      await row.where("gateway_id", "is", null).execute();
    },

    /** Puts an attempt at the end of what is looked at, so that many of them take turns. */
    async touch(id: number): Promise<void> {
      await db.updateTable("payments").set({ updated_at: clock().toISOString() }).where("id", "=", id).execute();
    },

    /**
     * Notes an attempt's last refund; answers whether this is it. A failed one says nothing about another that has brought the money
     * back since the attempt was read.
     */
    async noteRefund({ id, refundId }: Attempt, refund: GatewayRefund, on: Queries): Promise<boolean> {
      const row = on.updateTable("payments").set({ refund_id: refund.id }).where("id", "=", id);
      const known = [refund.id, refundId ?? refund.id];
      const isLast = row.where((by) => by.or([by("state", "<>", "refunded"), by("refund_id", "in", known)]));
      const { numUpdatedRows } = await (refund.state === "failed" ? isLast : row).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/** How often an attempt's payment was asked for: `updated_at` is its beginning for as long as that was once. */
function createAsking({ db, clock }: Parts) {
  return {
    /** Notes that one more press asks for this attempt: no answer to another press is then the last word about it. */
    async noteRepeat({ id, createdAt }: Attempt): Promise<void> {
      const later = new Date(Math.max(clock().getTime(), createdAt.getTime() + 1));
      await db.updateTable("payments").set({ updated_at: later.toISOString() }).where("id", "=", id).execute();
    },

    /** Fails an attempt for which no payment was made, if one press alone has asked for it; answers whether it did. */
    async failUnmade({ id, createdAt }: Attempt): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("payments")
        .set({ state: "failed", updated_at: clock().toISOString(), ...toColumns({ decline: "gateway-unavailable" }) })
        .where("id", "=", id)
        .where("state", "=", "started")
        .where("gateway_id", "is", null)
        .where("updated_at", "=", createdAt.toISOString())
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
