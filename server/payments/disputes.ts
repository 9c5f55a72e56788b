import type { Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Membership } from "../membership/membership.ts";
import type { Attempts } from "./attempts.ts";
import type { GatewayDispute } from "./card-gateway.ts";
import { moveOf } from "./order-states.ts";
import type { Orders } from "./orders.ts";

/**
 * A payer's bank wants a charge back (C24). While that is open the operators are told and access stays: the bank may be wrong, and
 * the payer may not even know. When it is lost the money is gone, and what the order gave ends. When it is won nothing changes.
 */
export type Disputes = {
  /** Takes in how a dispute stands; each of its states is told of once, whatever repeats and whatever order it comes in. */
  note(dispute: GatewayDispute): Promise<void>;
};

type DisputeState = GatewayDispute["state"];

/** A bank may take a charge back after all, but one that has ended somebody's access is never open again by itself. */
const disputeStates: Record<DisputeState, Partial<Record<DisputeState, DisputeState>>> = {
  open: { won: "won", lost: "lost" },
  won: { lost: "lost" },
  lost: {},
};

/** Who is said to have done it, among the operators' actions. */
const OPERATOR = "handle-notices";

type DisputeRooms = {
  db: Queries;
  clock: Clock;
  orders: Orders;
  attempts: Attempts;
  membership: Pick<Membership, "revokeOrder">;
  audit: Audit;
  log: Log;
};

export function createDisputes(rooms: DisputeRooms): Disputes {
  const { db, orders, attempts, membership, audit, log } = rooms;
  return {
    async note(dispute) {
      const attempt = await attempts.findByGatewayId(dispute.paymentId);
      const order = attempt && (await orders.find(attempt.orderId));
      // Somebody else's, at the same gateway.
      if (!attempt || !order) return;
      const isNews = await db.transaction().execute(async (trx) => {
        const row = { orderId: order.id, attemptId: attempt.id };
        if (!(await take(dispute, { ...rooms, ...row }, trx))) return false;
        const isEnded = dispute.state === "lost" && (await membership.revokeOrder(order.id, trx));
        const facts = { order: order.id, dispute: dispute.id, amountInPence: attempt.amountInPence, isEnded };
        await audit.record(
          { operator: OPERATOR, action: `dispute ${dispute.state}`, memberId: order.memberId, facts },
          trx,
        );
        return true;
      });
      if (isNews) log.warn({ order: order.id, dispute: dispute.id, state: dispute.state }, "a charge is disputed");
    },
  };
}

/** Writes down the state a dispute is in; answers whether that is new. */
async function take(
  { id, state }: GatewayDispute,
  { clock, orderId, attemptId }: DisputeRooms & { orderId: number; attemptId: number },
  trx: Queries,
): Promise<boolean> {
  const now = clock().toISOString();
  const made = await trx
    .insertInto("disputes")
    .values({ gateway_id: id, order_id: orderId, payment_id: attemptId, state, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("gateway_id")
    .executeTakeFirst();
  if (made || state === "open") return made !== undefined;
  const { from, to } = moveOf<DisputeState, DisputeState>(disputeStates, state);
  const { numUpdatedRows } = await trx
    .updateTable("disputes")
    .set({ state: to, updated_at: now })
    .where("gateway_id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
