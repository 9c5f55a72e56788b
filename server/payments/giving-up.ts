import type { Queries } from "../database/database.ts";
import { isLive, type Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway } from "./card-gateway.ts";
import { isPaid } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import type { Settlement } from "./settlement.ts";

/** Makes sure that nothing more is charged for what nobody wants any more. */
export type GivingUp = {
  /** Gives up what a draft has not paid yet. */
  giveUp(draftId: number): Promise<GivenUp>;
  giveUpOrder(orderId: number): Promise<GivenUp>;
  /** Ends a live attempt; the order stays open. */
  stop(attempt: Attempt): Promise<"stopped" | "paid" | "unknown">;
};

/** `paid`: the money is here. `unknown`: the gateway did not say, or it is being charged now. */
export type GivenUp = "given-up" | "paid" | "unknown";

type GivingUpRooms = {
  db: Queries;
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
};

export function createGivingUp({ db, gateway, orders, attempts, settlement }: GivingUpRooms): GivingUp {
  return { giveUp, giveUpOrder, stop };

  async function giveUp(draftId: number): Promise<GivenUp> {
    const drafted = await orders.listOfDraft(draftId);
    const opened = drafted.find(({ state }) => state === "awaiting-payment");
    const given = opened ? await giveUpOrder(opened.id) : "given-up";
    // Late money may have paid for an order that was given up before.
    return drafted.some(isPaid) ? "paid" : given;
  }

  async function giveUpOrder(orderId: number): Promise<GivenUp> {
    const live = await attempts.findLive(orderId);
    const stopped = live ? await stop(live) : "stopped";
    if (stopped !== "stopped") return stopped;
    return (await close(orderId)) ? "given-up" : "unknown";
  }

  async function stop(attempt: Attempt): Promise<"stopped" | "paid" | "unknown"> {
    try {
      await settlement.look(attempt.id);
      const looked = await attempts.find(attempt.id);
      if (looked?.gatewayId && isLive(looked)) {
        await settlement.note(attempt.id, await gateway.cancelPayment(looked.gatewayId));
      }
    } catch {
      return "unknown";
    }
    const now = await attempts.find(attempt.id);
    if (!now || isLive(now)) return "unknown";
    return now.state === "failed" || now.state === "cancelled" ? "stopped" : "paid";
  }

  /** Closes an order that nothing is being charged for. It is held first: no attempt can begin in between. */
  function close(orderId: number): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const held = await orders.lock(orderId, "awaiting-payment", trx);
      if (!held || (await attempts.isAnyLive(orderId, trx))) return false;
      return orders.advance(orderId, "given-up", trx);
    });
  }
}
