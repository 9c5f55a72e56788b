import type { Person } from "../../members/accounts/accounts.ts";
import type { Author } from "../../platform/audit/audit.ts";
import { after, HOUR_IN_MS, SECOND_IN_MS, type Span } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { WebhookGateway } from "../../platform/webhooks/webhooks.ts";
import { type Attempt, findAttempt, isLive, listAttemptsInStates, touchAttempt } from "./attempts.ts";
import { cancelOrder } from "./cancelling.ts";
import { findByCard, noteCards, toChargeSpan } from "./card-payments.ts";
import { ABANDONED_AFTER_IN_MS, type CheckoutRequest } from "./charging.ts";
import { completeFree, giveUpOrder, giveUpPurchase, pay } from "./checkout.ts";
import type { PaymentsContext } from "./context.ts";
import { countGifts, sumPaid, sumRefunded } from "./daily-sums.ts";
import {
  findOrder,
  isAnyUnsettled,
  listOrdersInState,
  listOrdersOfPurchase,
  listOrdersOfMember,
  type NewOrder,
  type Purchase,
} from "./orders.ts";
import { listGivenBackOrders, listPaid, listUnpaid, type OrdersPage } from "./order-lists.ts";
import { makePartRefund, sendPartRefund } from "./part-refunds.ts";
import { listPartRefundsInState, touchPartRefund } from "./part-refund-rows.ts";
import {
  findByReceipt,
  findPaymentView,
  forgetPerson,
  isAnyUnsettledFor,
  findOrderRecord,
  listOrderRecords,
  listReceipts,
  moveOrders,
  purgeUnpaid,
} from "./records.ts";
import { giveBackCompleted, type GiveBackInput, listStuckRefunds, refundAttempt } from "./refunds.ts";
import { completeOrder, handleEvent, lookUpPayment, notePayment, settlePurchase } from "./settlement.ts";
import { givenBackStates, liveStates, type PartRefundState, type PaymentState } from "./states.ts";

/** Orders and their card payments, and the repair of interrupted ones. */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments(ctx: PaymentsContext) {
  const { gateway } = ctx;
  return {
    get cardFields() {
      return gateway.fields;
    },
    /** Returns how the payer continues, if at all. */
    pay: (request: CheckoutRequest) => pay(ctx, request),
    completeFree: (order: NewOrder) => completeFree(ctx, order),
    giveUp: (purchase: Purchase) => giveUpPurchase(ctx, purchase),
    settle: (purchase: Purchase) => settlePurchase(ctx, purchase),
    findView: (purchase: Purchase) => findPaymentView(ctx, purchase),
    findPostcode: async (purchase: Purchase) => (await listOrdersOfPurchase(ctx, purchase)).at(-1)?.postcode,
    isAnyUnsettled: (purchase: Purchase) => isAnyUnsettled(ctx, purchase),
    /** The order that paid for a gift, even if it was refunded since. */
    findGiftOrder: async (giftId: number, trx: Queries = ctx.db) =>
      (await listOrdersOfPurchase({ ...ctx, db: trx }, { giftId })).find((order) => order.receiptNumber !== undefined),
    findLastCode: async (memberId: number) =>
      (await listOrdersOfMember(ctx, memberId)).findLast(({ code }) => code)?.code,
    /** Completed orders that a code paid for, the oldest first, with the code as typed. */
    async listCodeOrders(memberId: number, trx: Queries = ctx.db): Promise<{ orderId: number; code: string }[]> {
      const orders = await listOrdersOfMember({ ...ctx, db: trx }, memberId);
      return orders.flatMap(({ id, code, state }) => (code && state === "completed" ? [{ orderId: id, code }] : []));
    },
    findCompletedSince: (memberId: number, order: { since: Date; besides: number }) =>
      findCompletedSince(ctx, memberId, order),
    listReceipts: (memberId: number) => listReceipts(ctx, memberId),
    findReceipt: async (memberId: number, number: string) =>
      (await listReceipts(ctx, memberId)).find((receipt) => receipt.number === number),
    /** The oldest first, with attempts, disputes and unpaid orders. */
    listFor: (person: Person) => listOrderRecords(ctx, person),
    findRecord: (orderId: number) => findOrderRecord(ctx, orderId),
    /** A person's money is on its way, in either direction. */
    isAnyUnsettledFor: (person: Person, trx: Queries = ctx.db) => isAnyUnsettledFor({ ...ctx, db: trx }, person),
    /**
     * Erases a person from orders; tax law keeps number, dates and amount. Returns their customers at the card gateway.
     */
    forgetPerson: (person: Person, trx: Queries) => forgetPerson({ ...ctx, db: trx }, person),
    moveOrders: (person: Person, to: number, trx: Queries) => moveOrders(trx, person, to),
    /** Erases the person from orders that came to nothing a month ago; returns from how many. */
    purge: () => purgeUnpaid(ctx),
    reconcile: () => reconcile(ctx),
    /** A whole refund; the term ends (`refunds.ts`). */
    giveBack: (refund: GiveBackInput) => giveBackCompleted(ctx, refund),
    /** A member's own refund, within the days allowed (`cancelling.ts`). */
    cancel: (order: { memberId: number; receiptNumber: string }) => cancelOrder(ctx, order),
    /** An operator's refund of a part; the term continues (`part-refunds.ts`). */
    makePartRefund: (refund: { orderId: number; amountInPence: number; by: Author }) => makePartRefund(ctx, refund),
    /** Orders whose money was or is being refunded: none of them gives access again. */
    listGivenBack: (memberId: number, trx: Queries = ctx.db) => listGivenBack({ ...ctx, db: trx }, memberId),
    /** By a receipt's number, or its last digits. */
    findByReceipt: (text: string) => findByReceipt(ctx, text),
    /** A job: stores missing digits of charged cards; returns for how many. */
    noteCards: () => noteCards(ctx),
    /** Payments that a bank statement may show on a day, by the card's digits; the latest first (`card-payments.ts`). */
    findByCard: ({ last4, day }: { last4: string; day: Span }) => findByCard(ctx, { last4, span: toChargeSpan(day) }),
    listPaid: (page: OrdersPage & { span: Span }) => listPaid(ctx, page),
    listGivenBackOrders: (page: OrdersPage) => listGivenBackOrders(ctx, page),
    listUnpaid: (page: OrdersPage) => listUnpaid(ctx, page),
    /** In pence. */
    sumPaid: (span: Span) => sumPaid(ctx, span),
    sumRefunded: (span: Span) => sumRefunded(ctx, span),
    countGifts: (span: Span) => countGifts(ctx, span),
    findOrder: (orderId: number) => findOrder(ctx, orderId),
    listStuck: () => listStuckRefunds(ctx),
    webhookGateway: toWebhookGateway(ctx),
  };
}

/** A member's last order completed after an instant by another draft than `besides`. */
async function findCompletedSince(
  ctx: PaymentsContext,
  memberId: number,
  { since, besides }: { since: Date; besides: number },
): Promise<{ receiptNumber: string; paidAt: Date } | undefined> {
  const orders = await listOrdersOfMember(ctx, memberId);
  const bought = orders.flatMap(({ state, draftId, giftId, receiptNumber, paidAt }) =>
    state === "completed" && !giftId && draftId !== besides && receiptNumber && paidAt && paidAt > since
      ? [{ receiptNumber, paidAt }]
      : [],
  );
  return bought.at(-1);
}

function toWebhookGateway(ctx: PaymentsContext): WebhookGateway {
  const { gateway, refunds } = ctx;
  return {
    name: gateway.name,
    read: (body, headers) => refunds?.readEvents(body, headers),
    listSince: async (since) => (await refunds?.listEventsSince(since)) ?? [],
    handle: (webhook) => handleEvent(ctx, webhook),
  };
}

async function listGivenBack(ctx: PaymentsContext, memberId: number): Promise<number[]> {
  const orders = await listOrdersOfMember(ctx, memberId);
  return orders.filter(({ state }) => givenBackStates.includes(state)).map(({ id }) => id);
}

/** A payment without events for this long is looked up: less than the interval of the job, so in each of its runs. */
const LOOK_AFTER_IN_MS = 30 * SECOND_IN_MS;
/** An order unpaid for this long is closed, as its draft is. */
const ORDER_LIFE_IN_MS = 24 * HOUR_IN_MS;
const AT_ONCE = 100;

/** Finishes what crashes, lost answers and closed tabs left: run every minute (C2–C7, C16, C17, C19). */
async function reconcile(ctx: PaymentsContext): Promise<void> {
  const ago = (ms: number) => ({ notSince: after(ctx.clock(), -ms), limit: AT_ONCE });
  const repairAttempts = async (
    which: { states: readonly PaymentState[]; ageInMs: number },
    work: (ctx: PaymentsContext, attempt: Attempt) => Promise<void>,
  ) => {
    for (const attempt of await listAttemptsInStates(ctx, { ...which, ...ago(which.ageInMs) })) {
      await repair(ctx, { payment: attempt.id }, async () => {
        await touchAttempt(ctx, attempt.id);
        await work(ctx, attempt);
      });
    }
  };
  const repairPartRefunds = async (state: PartRefundState, ageInMs: number) => {
    for (const part of await listPartRefundsInState(ctx, { state, ...ago(ageInMs) })) {
      await repair(ctx, { payment: part.paymentId, part: part.number }, async () => {
        await touchPartRefund(ctx, part);
        await sendPartRefund(ctx, part);
      });
    }
  };
  await repairAttempts({ states: liveStates, ageInMs: LOOK_AFTER_IN_MS }, lookAgain);
  for (const { id } of await listOrdersInState(ctx, { state: "paid", ...ago(0) })) {
    await repair(ctx, { order: id }, () => completeOrder(ctx, id));
  }
  await repairAttempts({ states: ["refunding"], ageInMs: 0 }, refundAttempt);
  await repairAttempts({ states: ["refund-failed"], ageInMs: HOUR_IN_MS }, refundAttempt);
  await repairPartRefunds("refunding", 0);
  await repairPartRefunds("refund-failed", HOUR_IN_MS);
  for (const { id } of await listOrdersInState(ctx, { state: "awaiting-payment", ...ago(ORDER_LIFE_IN_MS) })) {
    await repair(ctx, { order: id }, async () => void (await giveUpOrder(ctx, id)));
  }
}

async function lookAgain(ctx: PaymentsContext, attempt: Attempt): Promise<void> {
  await lookUpPayment(ctx, attempt.id);
  const looked = await findAttempt(ctx, attempt.id);
  const isAbandoned = ctx.clock() >= after(attempt.createdAt, ABANDONED_AFTER_IN_MS);
  if (!looked?.gatewayId || !isLive(looked) || !isAbandoned) return;
  await notePayment(ctx, looked.id, await ctx.gateway.cancelPayment(looked.gatewayId));
}

/** One failure must not block the others. */
async function repair({ log }: PaymentsContext, facts: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ ...facts, error }, "a payment could not be reconciled yet");
  }
}
