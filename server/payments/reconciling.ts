import { after, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { isLive, type Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway } from "./card-gateway.ts";
import type { GivingUp } from "./giving-up.ts";
import type { Orders } from "./orders.ts";
import { liveStates } from "./payment-states.ts";
import type { Settlement } from "./settlement.ts";

/** A payment that is in nobody's hands for so long is looked up: less than the task's own pace, so at each of its turns. */
const LOOK_AFTER_IN_MS = 30 * SECOND_IN_MS;
/** A bank's page that was left for so long is closed, and the payment with it (GOV.UK Pay takes 90 minutes). */
export const ABANDONED_AFTER_IN_MS = 90 * MINUTE_IN_MS;
/** An order that nobody pays for goes with its draft. */
const ORDER_LIFE_IN_MS = 24 * HOUR_IN_MS;
const AT_ONCE = 100;

type ReconcilingRooms = {
  clock: Clock;
  log: Log;
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
  givingUp: GivingUp;
};

/** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
export function createReconcile(rooms: ReconcilingRooms): () => Promise<void> {
  const { clock, log, gateway, orders, attempts, settlement, givingUp } = rooms;
  return async () => {
    const now = { notSince: clock(), limit: AT_ONCE };
    for (const attempt of await attempts.listInStates(liveStates, {
      ...now,
      notSince: after(clock(), -LOOK_AFTER_IN_MS),
    })) {
      await mend({ payment: attempt.id }, () => lookAgain(attempt));
    }
    for (const order of await orders.listInState("paid", now)) {
      await mend({ order: order.id }, () => settlement.complete(order.id));
    }
    for (const attempt of await attempts.listInStates(["refunding"], now)) {
      await mend({ payment: attempt.id }, () => refundAgain(attempt));
    }
    const unmended = { ...now, notSince: after(clock(), -HOUR_IN_MS) };
    for (const attempt of await attempts.listInStates(["refund-failed"], unmended)) {
      await mend({ payment: attempt.id }, () => refundAgain(attempt));
    }
    const old = { ...now, notSince: after(clock(), -ORDER_LIFE_IN_MS) };
    for (const { id } of await orders.listInState("awaiting-payment", old)) {
      await mend({ order: id }, async () => void (await givingUp.giveUpOrder(id)));
    }
  };

  async function lookAgain(attempt: Attempt): Promise<void> {
    await attempts.touch(attempt.id);
    await settlement.look(attempt.id);
    const looked = await attempts.find(attempt.id);
    const isAbandoned = clock() >= after(attempt.createdAt, ABANDONED_AFTER_IN_MS);
    if (!looked?.gatewayId || !isLive(looked) || !isAbandoned) return;
    await settlement.note(looked.id, await gateway.cancelPayment(looked.gatewayId));
  }

  async function refundAgain(attempt: Attempt): Promise<void> {
    await attempts.touch(attempt.id);
    await settlement.refund(attempt);
  }

  /** One that cannot be mended now must not keep the others from it. */
  async function mend(facts: object, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ ...facts, error }, "a payment could not be reconciled yet");
    }
  }
}
