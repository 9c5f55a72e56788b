import { after, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { NoticeGateway } from "../notices/notices.ts";
import type { PaymentView } from "../sign-up/sign-up.ts";
import { isLive } from "./attempt-rows.ts";
import { createAttempts } from "./attempts.ts";
import type { CardFields, CardGateway } from "./card-gateway.ts";
import { createCheckout, type Checkout } from "./checkout.ts";
import type { OrderState } from "./order-states.ts";
import { type NewOrder } from "./order-rows.ts";
import { createOrders } from "./orders.ts";
import { liveStates } from "./payment-states.ts";
import { createReceipts, type Receipts } from "./receipts.ts";
import { createPaymentRecords, type PaymentRecords } from "./records.ts";
import type { ReachPoint } from "./saga-points.ts";
import { createSettlement, type Fulfil, type Fulfilment, type PaymentLetters } from "./settlement.ts";

/** Money: what is bought, how it is paid, what becomes of what was cut off in between. */
export type Payments = Checkout &
  Receipts &
  PaymentRecords & {
    cardFields: CardFields;
    /** Completes an order that a company pays for; all of it or nothing. */
    completeFree(order: NewOrder): Promise<Fulfilment>;
    /** Looks at the gateway for a payment of the draft that is under way, and finishes what follows. */
    settle(draftId: number): Promise<void>;
    findView(draftId: number): Promise<PaymentView>;
    /** The postal code of the draft's last order. */
    findPostcode(draftId: number): Promise<string | undefined>;
    /** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
    reconcile(): Promise<void>;
    /** Whether money of a draft is on its way, in either direction. */
    isAnyUnsettled(draftId: number): Promise<boolean>;
    /** The code that a member's last corporate order used. */
    findLastCode(memberId: number): Promise<string | undefined>;
    /** Charges that could not be sent back: somebody must look at the gateway. */
    listStuck(): Promise<{ orderId: number; amountInPence: number }[]>;
    noticeGateway: NoticeGateway;
  };

/** A payment that is in nobody's hands for so long is looked up: less than the task's own pace, so at each of its turns. */
const LOOK_AFTER_IN_MS = 30 * SECOND_IN_MS;
/** A bank's page that was left for so long is closed, and the payment with it (GOV.UK Pay takes 90 minutes). */
const ABANDONED_AFTER_IN_MS = 90 * MINUTE_IN_MS;
/** An order that nobody pays for goes with its draft. */
const ORDER_LIFE_IN_MS = 24 * HOUR_IN_MS;
const AT_ONCE = 100;

export type PaymentsSetting = {
  db: Queries;
  clock: Clock;
  gateway: CardGateway;
  fulfil: Fulfil;
  letters: PaymentLetters;
  log: Log;
  reach: ReachPoint;
};

export function createPayments(setting: PaymentsSetting): Payments {
  const { db, clock, gateway, fulfil, log, reach } = setting;
  const orders = createOrders(setting);
  const attempts = createAttempts(setting);
  const settlement = createSettlement({ ...setting, orders, attempts });
  const checkout = createCheckout({ db, clock, gateway, orders, attempts, settlement, reach });

  return {
    ...checkout,
    ...createReceipts({ orders }),
    ...createPaymentRecords({ db, attempts }),
    cardFields: gateway.fields,

    completeFree: (order) => completeFree(order),

    async settle(draftId) {
      for (const order of await orders.listOfDraft(draftId)) {
        if (order.state === "paid") await settlement.complete(order.id);
        if (order.state !== "awaiting-payment") continue;
        const live = (await attempts.listOfOrder(order.id)).find(isLive);
        // A gateway that cannot be asked leaves things as they are; the page says "checking".
        if (live) await settlement.look(live.id).catch(() => undefined);
      }
    },

    findView,
    findPostcode: async (draftId) => (await orders.listOfDraft(draftId)).at(-1)?.postcode,
    reconcile,

    isAnyUnsettled: (draftId) => orders.isAnyUnsettled(draftId),
    findLastCode: async (memberId) => (await orders.listOfMember(memberId)).findLast(({ code }) => code)?.code,

    async listStuck() {
      const stuck = await attempts.listInStates(["refund-failed"], { notSince: clock(), limit: AT_ONCE });
      return stuck.map(({ orderId, amountInPence }) => ({ orderId, amountInPence }));
    },

    noticeGateway: {
      name: gateway.name,
      read: (body, headers) => gateway.readNotices(body, headers),
      async handle({ kind, subject }) {
        if (kind === "payment") await handlePayment(subject);
        if (kind === "refund") {
          const refund = await gateway.findRefund(subject);
          if (refund) await settlement.noteRefund(refund);
        }
      },
    },
  };

  async function completeFree(order: NewOrder): Promise<Fulfilment> {
    let fulfilment: Fulfilment | undefined;
    try {
      await db.transaction().execute(async (trx) => {
        const paid = await orders.addPaid(order, trx);
        fulfilment = await fulfil(paid, trx);
        if (!fulfilment.ok) throw new RolledBack();
        await orders.advance(paid.id, "completed", trx);
        await orders.noteCompletion(paid.id, fulfilment, trx);
        reach("order-completing");
      });
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
    if (!fulfilment) throw new Error("A transaction has not run");
    return fulfilment;
  }

  /** By its id if we noted it, else by what it says of itself; a payment of somebody else's is none of ours. */
  async function handlePayment(paymentId: string): Promise<void> {
    const payment = await gateway.findPayment(paymentId);
    if (!payment) return;
    const attempt =
      (await attempts.findByGatewayId(paymentId)) ??
      (payment.orderId !== undefined && payment.attempt !== undefined
        ? await attempts.findByNumber(payment.orderId, payment.attempt)
        : undefined);
    if (attempt) await settlement.note(attempt.id, payment);
  }

  async function findView(draftId: number): Promise<PaymentView> {
    const all = await orders.listOfDraft(draftId);
    const order = all.toSorted((a, b) => weights[b.state] - weights[a.state] || b.id - a.id)[0];
    if (!order || order.state === "cancelled") return { state: "none" };
    const { amountInPence, receiptNumber, startsAt, endsAt } = order;
    if (order.state === "completed" && receiptNumber && startsAt && endsAt) {
      return { state: "completed", receiptNumber, amountInPence, startsAt, endsAt };
    }
    if (order.state === "paid") return { state: "checking" };
    if (order.state !== "awaiting-payment") return { state: "refunded", amountInPence };
    const last = (await attempts.listOfOrder(order.id)).at(-1);
    if (!last) return { state: "none" };
    if (last.state === "authenticating" && last.actionUrl) return { state: "unfinished", actionUrl: last.actionUrl };
    if (isLive(last) || last.state === "succeeded") return { state: "checking" };
    if (last.state !== "failed" && last.state !== "cancelled") return { state: "refunded", amountInPence };
    return { state: "failed", decline: last.decline ?? "cancelled" };
  }

  async function reconcile(): Promise<void> {
    const quiet = { notSince: after(clock(), -LOOK_AFTER_IN_MS), limit: AT_ONCE };
    for (const attempt of await attempts.listInStates(liveStates, quiet)) {
      await mend({ payment: attempt.id }, async () => {
        await attempts.touch(attempt.id);
        await settlement.look(attempt.id);
        const looked = await attempts.find(attempt.id);
        const isAbandoned = clock() >= after(attempt.createdAt, ABANDONED_AFTER_IN_MS);
        if (!looked?.gatewayId || !isLive(looked) || !isAbandoned) return;
        await settlement.note(looked.id, await gateway.cancelPayment(looked.gatewayId));
      });
    }
    for (const order of await orders.listInState("paid", { notSince: clock(), limit: AT_ONCE })) {
      await mend({ order: order.id }, () => settlement.complete(order.id));
    }
    for (const attempt of await attempts.listInStates(["refunding"], { notSince: clock(), limit: AT_ONCE })) {
      await mend({ payment: attempt.id }, async () => {
        await attempts.touch(attempt.id);
        await settlement.refund(attempt);
      });
    }
    const old = { notSince: after(clock(), -ORDER_LIFE_IN_MS), limit: AT_ONCE };
    for (const { id } of await orders.listInState("awaiting-payment", old)) {
      await mend({ order: id }, async () => void (await checkout.giveUpOrder(id)));
    }
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

/** Ends a transaction without a fault. */
class RolledBack extends Error {}

/** Of several orders of one draft the one that says most. */
const weights: Record<OrderState, number> = {
  cancelled: 0,
  "awaiting-payment": 1,
  refunded: 2,
  "refund-failed": 2,
  "refund-pending": 2,
  paid: 3,
  completed: 4,
};
