import type { Person } from "../accounts/accounts.ts";
import type { Queries } from "../database/database.ts";
import type { WebhookGateway } from "../webhooks/webhooks.ts";
import type { CardFields } from "./card-gateway.ts";
import type { CheckoutRequest } from "./charging.ts";
import { type CheckoutResult, completeFree, type GivenUp, giveUpDraft, pay } from "./checkout.ts";
import type { Fulfilment, PaymentsContext } from "./context.ts";
import { isAnyUnsettled, listOrdersOfDraft, listOrdersOfMember, type NewOrder } from "./orders.ts";
import { reconcile } from "./reconciling.ts";
import {
  findPaymentView,
  forgetPerson,
  isAnyUnsettledFor,
  listOrderRecords,
  listReceipts,
  type OrderRecord,
  type PaymentView,
  purgeUnpaid,
  type Receipt,
} from "./records.ts";
import { listStuckRefunds } from "./refunds.ts";
import { handleEvent, settleDraft } from "./settlement.ts";

/** Orders and their payments by card, including what an interruption has left unfinished. */
export type Payments = {
  cardFields: CardFields;
  /** Charges the card, or says how to go on. */
  pay(request: CheckoutRequest): Promise<CheckoutResult>;
  /** Completes an order that a company pays for; all of it or nothing. */
  completeFree(order: NewOrder): Promise<Fulfilment>;
  /** Gives up what a draft has not paid yet. */
  giveUp(draftId: number): Promise<GivenUp>;
  /** Looks up a payment of the draft that is under way, and finishes what follows. */
  settle(draftId: number): Promise<void>;
  findView(draftId: number): Promise<PaymentView>;
  /** The postal code of the draft's last order. */
  findPostcode(draftId: number): Promise<string | undefined>;
  /** Whether money of a draft is on its way, in either direction. */
  isAnyUnsettled(draftId: number): Promise<boolean>;
  /** The code that a member's last corporate order used. */
  findLastCode(memberId: number): Promise<string | undefined>;
  listReceipts(memberId: number): Promise<Receipt[]>;
  /** A member's own receipt; the number of another member's receipt finds nothing. */
  findReceipt(memberId: number, number: string): Promise<Receipt | undefined>;
  /** A person's orders, oldest first, each with its attempts and disputes; orders that came to nothing count too. */
  listFor(person: Person): Promise<OrderRecord[]>;
  /** Whether money of a person is on its way, in either direction. */
  isAnyUnsettledFor(person: Person, trx: Queries): Promise<boolean>;
  /**
   * Removes a person from their orders; what tax law requires stays: number, dates and amount. Answers the ids of their customers at
   * the card gateway, which stores data of its own.
   */
  forgetPerson(person: Person, trx: Queries): Promise<string[]>;
  /** Removes the person from orders that came to nothing a month ago; answers of how many. */
  purge(): Promise<number>;
  /** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
  reconcile(): Promise<void>;
  /** Charges that could not be sent back, or are not back after an hour: an operator must look at the gateway. */
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
    listReceipts: (memberId) => listReceipts(ctx, memberId),
    findReceipt: async (memberId, number) =>
      (await listReceipts(ctx, memberId)).find((receipt) => receipt.number === number),
    listFor: (person) => listOrderRecords(ctx, person),
    isAnyUnsettledFor: (person, trx) => isAnyUnsettledFor({ ...ctx, db: trx }, person),
    forgetPerson: (person, trx) => forgetPerson({ ...ctx, db: trx }, person),
    purge: () => purgeUnpaid(ctx),
    reconcile: () => reconcile(ctx),
    listStuck: () => listStuckRefunds(ctx),
    webhookGateway: {
      name: gateway.name,
      read: (body, headers) => refunds?.readEvents(body, headers),
      listSince: async (since) => (await refunds?.listEventsSince(since)) ?? [],
      handle: (webhook) => handleEvent(ctx, webhook),
    },
  };
}
