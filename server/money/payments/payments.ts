import type { Person } from "../../members/accounts/accounts.ts";
import type { Author } from "../../platform/audit/audit.ts";
import { after, HOUR_IN_MS, SECOND_IN_MS, type Span } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { WebhookGateway } from "../../platform/webhooks/webhooks.ts";
import { type Attempt, findAttempt, isLive, listAttemptsInStates, touchAttempt } from "./attempts.ts";
import { cancelOrder, type CancelResult } from "./cancelling.ts";
import type { CardFields } from "./card-gateway.ts";
import { type CardPayment, findByCard, noteCards, toChargeSpan } from "./cards.ts";
import { ABANDONED_AFTER_IN_MS, type CheckoutRequest } from "./charging.ts";
import { type CheckoutResult, completeFree, type GivenUp, giveUpDraft, giveUpOrder, pay } from "./checkout.ts";
import type { Fulfilment, PaymentsContext } from "./context.ts";
import { sumPaid, sumRefunded } from "./daily-sums.ts";
import {
  findOrder,
  isAnyUnsettled,
  listOrdersInState,
  listOrdersOfDraft,
  listOrdersOfMember,
  type NewOrder,
  type Order,
} from "./orders.ts";
import { type ListedOrder, listGivenBackOrders, listPaid, listUnpaid, type OrdersPage } from "./order-lists.ts";
import { giveBackPart, type GivePartResult, sendPart } from "./part-refunds.ts";
import { listPartsInState, touchPart } from "./parts.ts";
import {
  findMemberOfReceipt,
  type FoundReceipt,
  findPaymentView,
  forgetPerson,
  isAnyUnsettledFor,
  listOrderRecords,
  listReceipts,
  moveOrders,
  type OrderRecord,
  type PaymentView,
  purgeUnpaid,
  type Receipt,
} from "./records.ts";
import { giveBackCompleted, type GiveBackResult, listStuckRefunds, refundAttempt } from "./refunds.ts";
import { completeOrder, handleEvent, lookUpPayment, notePayment, settleDraft } from "./settlement.ts";
import { givenBackStates, liveStates, type PartState, type PaymentState } from "./states.ts";

/** Orders and their payments by card, including what an interruption has left unfinished. */
export type Payments = {
  cardFields: CardFields;
  /** Charges the card, or says how to go on. */
  pay(request: CheckoutRequest): Promise<CheckoutResult>;
  /** Completes an order that a company pays for; all of it or nothing. */
  completeFree(order: NewOrder): Promise<Fulfilment>;
  /** Gives up what a draft has not paid yet. */
  giveUp(draftId: number): Promise<GivenUp>;
  settle(draftId: number): Promise<void>;
  findView(draftId: number): Promise<PaymentView>;
  /** The postal code of the draft's last order. */
  findPostcode(draftId: number): Promise<string | undefined>;
  /** Whether money of a draft is on its way, in either direction. */
  isAnyUnsettled(draftId: number): Promise<boolean>;
  /** The code that a member's last corporate order used. */
  findLastCode(memberId: number): Promise<string | undefined>;
  /** The completed orders of a member that a code paid for, oldest first, each with the code as it was typed. */
  listCodeOrders(memberId: number, trx?: Queries): Promise<{ orderId: number; code: string }[]>;
  /** A member's last order that was completed after an instant by another draft than `besides`. */
  findCompletedSince(
    memberId: number,
    order: { since: Date; besides: number },
  ): Promise<{ receiptNumber: string; paidAt: Date } | undefined>;
  listReceipts(memberId: number): Promise<Receipt[]>;
  /** A member's own receipt; the number of another member's receipt finds nothing. */
  findReceipt(memberId: number, number: string): Promise<Receipt | undefined>;
  /** A person's orders, oldest first, each with its attempts and disputes; orders that came to nothing count too. */
  listFor(person: Person): Promise<OrderRecord[]>;
  /** Whether money of a person is on its way, in either direction. */
  isAnyUnsettledFor(person: Person, trx?: Queries): Promise<boolean>;
  /**
   * Removes a person from their orders; what tax law requires stays: number, dates and amount. Answers the ids of their customers at
   * the card gateway, which stores data of its own.
   */
  forgetPerson(person: Person, trx: Queries): Promise<string[]>;
  /** Gives a person's orders, with all that hangs on them, to another account of theirs. */
  moveOrders(person: Person, to: number, trx: Queries): Promise<void>;
  /** Removes the person from orders that came to nothing a month ago; answers of how many. */
  purge(): Promise<number>;
  reconcile(): Promise<void>;
  /** Gives a completed order's money back at an operator's request, and ends its term (`refunds.ts`). */
  giveBack(refund: { orderId: number; by: Author }): Promise<GiveBackResult>;
  /** Cancels a member's own order within the days that they have for it, and gives all of its money back (`cancelling.ts`). */
  cancel(order: { memberId: number; receiptNumber: string }): Promise<CancelResult>;
  /** Gives a part of it back, and leaves the term (`part-refunds.ts`). */
  giveBackPart(refund: { orderId: number; amountInPence: number; by: Author }): Promise<GivePartResult>;
  /** A member's orders whose money went back or is on its way: none of them gives access again. */
  listGivenBack(memberId: number, trx?: Queries): Promise<number[]>;
  /** The member of a completed order that a receipt's number, or its last digits, name. */
  findMemberOfReceipt(text: string): Promise<FoundReceipt | undefined>;
  /** The job that stores the last four digits of the cards that were charged; answers of how many. */
  noteCards(): Promise<number>;
  /** The payments that a bank statement has under a day, by cards that end in four digits; the latest first (`cards.ts`). */
  findByCard(card: { last4: string; day: Span }): Promise<CardPayment[]>;
  /** For lists (`order-lists.ts`). */
  listPaid(page: OrdersPage & { span: Span }): Promise<ListedOrder[]>;
  listGivenBackOrders(page: OrdersPage): Promise<ListedOrder[]>;
  listUnpaid(page: OrdersPage): Promise<ListedOrder[]>;
  /** The sums that were paid for orders in a span, and that were refunded, in pence. */
  sumPaid(span: Span): Promise<number>;
  sumRefunded(span: Span): Promise<number>;
  /** An order by its number, whatever its state. */
  findOrder(orderId: number): Promise<Order | undefined>;
  listStuck(): Promise<{ orderId: number; amountInPence: number }[]>;
  webhookGateway: WebhookGateway;
};

export function createPayments(ctx: PaymentsContext): Payments {
  const { gateway, refunds } = ctx;
  return {
    get cardFields() {
      return gateway.fields;
    },
    pay: (request) => pay(ctx, request),
    completeFree: (order) => completeFree(ctx, order),
    giveUp: (draftId) => giveUpDraft(ctx, draftId),
    settle: (draftId) => settleDraft(ctx, draftId),
    findView: (draftId) => findPaymentView(ctx, draftId),
    findPostcode: async (draftId) => (await listOrdersOfDraft(ctx, draftId)).at(-1)?.postcode,
    isAnyUnsettled: (draftId) => isAnyUnsettled(ctx, draftId),
    findLastCode: async (memberId) => (await listOrdersOfMember(ctx, memberId)).findLast(({ code }) => code)?.code,
    async listCodeOrders(memberId, trx = ctx.db) {
      const orders = await listOrdersOfMember({ ...ctx, db: trx }, memberId);
      return orders.flatMap(({ id, code, state }) => (code && state === "completed" ? [{ orderId: id, code }] : []));
    },
    async findCompletedSince(memberId, { since, besides }) {
      const orders = await listOrdersOfMember(ctx, memberId);
      const bought = orders.flatMap(({ state, draftId, receiptNumber, paidAt }) =>
        state === "completed" && draftId !== besides && receiptNumber && paidAt && paidAt > since
          ? [{ receiptNumber, paidAt }]
          : [],
      );
      return bought.at(-1);
    },
    listReceipts: (memberId) => listReceipts(ctx, memberId),
    findReceipt: async (memberId, number) =>
      (await listReceipts(ctx, memberId)).find((receipt) => receipt.number === number),
    listFor: (person) => listOrderRecords(ctx, person),
    isAnyUnsettledFor: (person, trx = ctx.db) => isAnyUnsettledFor({ ...ctx, db: trx }, person),
    forgetPerson: (person, trx) => forgetPerson({ ...ctx, db: trx }, person),
    moveOrders: (person, to, trx) => moveOrders(trx, person, to),
    purge: () => purgeUnpaid(ctx),
    giveBack: (refund) => giveBackCompleted(ctx, refund),
    cancel: (order) => cancelOrder(ctx, order),
    giveBackPart: (refund) => giveBackPart(ctx, refund),
    listGivenBack: (memberId, trx = ctx.db) => listGivenBack({ ...ctx, db: trx }, memberId),
    findMemberOfReceipt: (text) => findMemberOfReceipt(ctx, text),
    reconcile: () => reconcile(ctx),
    noteCards: () => noteCards(ctx),
    findByCard: ({ last4, day }) => findByCard(ctx, { last4, span: toChargeSpan(day) }),
    listPaid: (page) => listPaid(ctx, page),
    listGivenBackOrders: (page) => listGivenBackOrders(ctx, page),
    listUnpaid: (page) => listUnpaid(ctx, page),
    sumPaid: (span) => sumPaid(ctx, span),
    sumRefunded: (span) => sumRefunded(ctx, span),
    findOrder: (orderId) => findOrder(ctx, orderId),
    listStuck: () => listStuckRefunds(ctx),
    webhookGateway: {
      name: gateway.name,
      read: (body, headers) => refunds?.readEvents(body, headers),
      listSince: async (since) => (await refunds?.listEventsSince(since)) ?? [],
      handle: (webhook) => handleEvent(ctx, webhook),
    },
  };
}

async function listGivenBack(ctx: PaymentsContext, memberId: number): Promise<number[]> {
  const orders = await listOrdersOfMember(ctx, memberId);
  return orders.filter(({ state }) => givenBackStates.includes(state)).map(({ id }) => id);
}

/** A payment without news for this long is looked up: less than the interval of the job, so in each of its runs. */
const LOOK_AFTER_IN_MS = 30 * SECOND_IN_MS;
/** An order that stays unpaid for this long is closed, as its draft is. */
const ORDER_LIFE_IN_MS = 24 * HOUR_IN_MS;
const AT_ONCE = 100;

/** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
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
  const repairParts = async (state: PartState, ageInMs: number) => {
    for (const part of await listPartsInState(ctx, { state, ...ago(ageInMs) })) {
      await repair(ctx, { payment: part.paymentId, part: part.number }, async () => {
        await touchPart(ctx, part);
        await sendPart(ctx, part);
      });
    }
  };
  await repairAttempts({ states: liveStates, ageInMs: LOOK_AFTER_IN_MS }, lookAgain);
  for (const { id } of await listOrdersInState(ctx, { state: "paid", ...ago(0) })) {
    await repair(ctx, { order: id }, () => completeOrder(ctx, id));
  }
  await repairAttempts({ states: ["refunding"], ageInMs: 0 }, refundAttempt);
  await repairAttempts({ states: ["refund-failed"], ageInMs: HOUR_IN_MS }, refundAttempt);
  await repairParts("refunding", 0);
  await repairParts("refund-failed", HOUR_IN_MS);
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

/** One that cannot be repaired now must not hold up the others. */
async function repair({ log }: PaymentsContext, facts: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ ...facts, error }, "a payment could not be reconciled yet");
  }
}
