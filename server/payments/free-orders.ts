import type { Queries } from "../database/database.ts";
import type { NewOrder } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import type { ReachPoint } from "./saga-points.ts";
import type { Fulfil, Fulfilment, PaymentLetters } from "./settlement.ts";

type FreeOrderRooms = {
  db: Queries;
  orders: Orders;
  fulfil: Fulfil;
  letters: Pick<PaymentLetters, "receipt">;
  reach: ReachPoint;
};

/** `unreachable`: whoever has the codes gave no answer. Asked again, they take no second seat. */
export type FreeOrderResult = Fulfilment | { ok: false; reason: "unreachable" };

/** Completes an order that a company pays for: all of it, or nothing and the reason. */
export async function completeFreeOrder(
  order: NewOrder,
  { db, orders, fulfil, letters, reach }: FreeOrderRooms,
): Promise<Fulfilment> {
  let fulfilment: Fulfilment | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      const paid = await orders.addPaid(order, trx);
      fulfilment = await fulfil(paid, trx);
      if (!fulfilment.ok) throw new RolledBack();
      await orders.advance(paid.id, "completed", trx);
      const completed = await orders.noteCompletion(paid.id, fulfilment, trx);
      await letters.receipt(completed, trx);
      reach("order-completing");
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  if (!fulfilment) throw new Error("A transaction has not run");
  return fulfilment;
}

/** Ends a transaction without a fault. */
class RolledBack extends Error {}
