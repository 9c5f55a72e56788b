import type { Person } from "../../members/accounts/accounts.ts";
import type { AuditNote, Author } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toDay } from "../../platform/format.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import type { PlanType } from "../membership/plans.ts";
import { findLastCancelDay } from "../payments/cancelling.ts";
import type { Order } from "../payments/orders.ts";
import type { GiftsContext } from "./context.ts";
import {
  changeRecipient,
  type ChangeRecipientResult,
  countSending,
  lookAfterGifts,
  type NewRecipient,
  sendAgain,
  type SendAgainResult,
} from "./delivery.ts";
import { cancelGift, type CancelGiftResult, dismissQuestion, endGift, type EndGiftResult } from "./ending.ts";
import { createGiverLinks, findGift, findGiftByCode, type Gift, takeUpUrl, toGift } from "./gift.ts";
import {
  findGiftDraft,
  type GiftDetails,
  type GiftDraft,
  type GiftPaymentInput,
  payForGift,
  type PayGiftResult,
  purgeUnpaidGifts,
  saveGift,
  type SaveGiftResult,
  settleGift,
} from "./giving.ts";
import { forgetGiftPerson, forgetOldGifts, type GiftRecord, listGiftRecords, moveGifts } from "./personal.ts";
import { type GiftState, openStates } from "./states.ts";
import {
  checkGift,
  findOffer,
  type GiftCheck,
  takeGift,
  takeUpAsMember,
  type TakeUpResult,
  withOrders,
} from "./taking-up.ts";

/** Plans that people buy for others. The order has no term of its own; a code with one seat has the plan. */
export type Gifts = {
  isOffered: boolean;
  /** Stores the form in the browser's unpaid gift (`token`) or in a new one, whose token is for a cookie. */
  save(details: GiftDetails): Promise<SaveGiftResult>;
  /** `undefined` once an unpaid gift has expired. */
  findDraft(token: string): Promise<GiftDraft | undefined>;
  pay(token: string, payment: GiftPaymentInput): Promise<PayGiftResult>;
  settle(token: string): Promise<void>;

  /** By the token in a receipt's link. */
  findGiven(giverToken: string): Promise<GivenGift | undefined>;
  /** A member's paid gifts, the newest first. */
  listGiven(memberId: number): Promise<GivenGift[]>;
  /** At the giver's request; at most five emails a day. */
  sendAgain(giftId: number): Promise<SendAgainResult>;
  /** At the giver's request, until the gift is taken up; counts as an email. */
  changeRecipient(change: NewRecipient): Promise<ChangeRecipientResult>;
  /** At the giver's request, within 14 days of paying, until the gift is taken up. */
  cancel(giftId: number): Promise<CancelGiftResult>;

  /** For a code that was typed, or is in a link. Limited by network. */
  check(code: string, from: { address: string }): Promise<GiftCheck | TooMany>;
  /** Without a limit, for a code that a draft has. */
  findOffer(code: string, trx?: Queries): Promise<GiftCheck>;
  /** For a logged-in member. The term begins when their present ones end. */
  takeUp(taking: { code: string; memberId: number; address: string }): Promise<TakeUpResult | TooMany>;
  /** The same, in the transaction that makes the member. */
  take(taking: { code: string; memberId: number }, trx: Queries): Promise<TakeUpResult>;

  find(giftId: number): Promise<GiftDetailsForDesk | undefined>;
  findByCode(code: string): Promise<GiftDetailsForDesk | undefined>;
  sendAgainFor(giftId: number, note: AuditNote): Promise<SendAgainResult>;
  changeRecipientFor(change: NewRecipient, note: AuditNote): Promise<ChangeRecipientResult>;
  end(gift: { giftId: number; by: Author }): Promise<EndGiftResult>;
  dismiss(giftId: number, trx: Queries): Promise<boolean>;
  /** The latest first. */
  listQuestions(limit: number): Promise<GiftDetailsForDesk[]>;

  /** A job: sends the gifts of the day, reminds recipients, and ends gifts that were never taken up. */
  lookAfter(): Promise<void>;
  /** Deletes unpaid gifts, and erases the people of ended ones. */
  purge(): Promise<number>;
  listFor(person: Person): Promise<GiftRecord[]>;
  forgetPerson(person: Person, trx: Queries): Promise<void>;
  move(move: { from: number; to: number }, trx: Queries): Promise<void>;
  /** Orders of gifts that the member took up and an operator ended: restoring access leaves them out. */
  listEndedOrders(memberId: number, trx: Queries): Promise<number[]>;
};

export type GivenGift = {
  id: number;
  state: GiftState;
  planType: PlanType;
  giverName: string;
  /** Empty from a month after the end. */
  recipientName: string;
  recipientEmail: string | undefined;
  isSheet: boolean;
  message: string;
  deliverAt: Date;
  sentAt: Date | undefined;
  /** The last instant at which it can be taken up. */
  expiresAt: Date;
  /** When it was taken up, cancelled or ended. */
  closedAt: Date | undefined;
  amountInPence: number;
  receiptNumber: string;
  paidAt: Date;
  /** The last day for cancelling, such as `2026-12-11`; absent when it can't be cancelled. */
  cancelUntil: string | undefined;
  canSendAgain: boolean;
  canChangeRecipient: boolean;
  /** The code and the address of its QR code, for a sheet that can still be taken up. */
  sheet: { code: string; url: string } | undefined;
  giverToken: string;
};

export type GiftDetailsForDesk = Gift & { order: Order | undefined };

export function createGifts(ctx: GiftsContext): Gifts {
  const { db } = ctx;
  return {
    isOffered: ctx.isOffered,
    save: (details) => saveGift(ctx, details),
    findDraft: (token) => findGiftDraft(ctx, token),
    pay: (token, payment) => payForGift(ctx, token, payment),
    settle: (token) => settleGift(ctx, token),
    async findGiven(giverToken) {
      const id = createGiverLinks(ctx).read(giverToken);
      const gift = id === undefined ? undefined : await findGift(ctx, id);
      return gift && toGiven(ctx, gift);
    },
    listGiven: (memberId) => listGiven(ctx, memberId),
    sendAgain: async (giftId) => (await countSending(ctx, giftId)) ?? sendAgain(ctx, giftId),
    changeRecipient: async (change) => (await countSending(ctx, change.giftId)) ?? changeRecipient(ctx, change),
    cancel: (giftId) => cancelGift(ctx, giftId),
    check: (code, { address }) => checkGift(ctx, { code, address }),
    findOffer: (code, trx = db) => findOffer({ ...ctx, db: trx }, code),
    takeUp: (taking) => takeUpAsMember(ctx, taking),
    take: (taking, trx) => takeGift(withOrders({ ...ctx, db: trx }), taking),
    async find(giftId) {
      const gift = await findGift(ctx, giftId);
      return gift && toDeskDetails(ctx, gift);
    },
    async findByCode(typed) {
      const code = await ctx.codes.gifts.find(typed);
      const gift = code === undefined ? undefined : await findGiftByCode(ctx, code);
      return gift && toDeskDetails(ctx, gift);
    },
    sendAgainFor: (giftId, note) => sendAgain(ctx, giftId, note),
    changeRecipientFor: (change, note) => changeRecipient(ctx, change, note),
    end: (gift) => endGift(ctx, gift),
    dismiss: (giftId, trx) => dismissQuestion(ctx, giftId, trx),
    listQuestions: (limit) => listQuestions(ctx, limit),
    lookAfter: () => lookAfterGifts(ctx),
    purge: async () => (await purgeUnpaidGifts(ctx)) + (await forgetOldGifts(ctx)),
    listFor: (person) => listGiftRecords(db, person),
    forgetPerson: (person, trx) => forgetGiftPerson(trx, person),
    move: (move, trx) => moveGifts(trx, move),
    async listEndedOrders(memberId, trx) {
      const ended = trx.selectFrom("gifts").select("id").where("takerId", "=", memberId).where("state", "=", "ended");
      const orders = [];
      for (const { id } of await ended.execute()) orders.push(await ctx.payments.findGiftOrder(id, trx));
      return orders.flatMap((order) => order?.id ?? []);
    },
  };
}

async function listGiven(ctx: GiftsContext, memberId: number): Promise<GivenGift[]> {
  const own = ctx.db.selectFrom("gifts").selectAll().where("giverMemberId", "=", memberId);
  const rows = await own.where("state", "!=", "draft").orderBy("id", "desc").execute();
  const given = await Promise.all(rows.map((row) => toGiven(ctx, toGift(row))));
  return given.filter((gift) => gift !== undefined);
}

async function toGiven(ctx: GiftsContext, gift: Gift): Promise<GivenGift | undefined> {
  const order = await ctx.payments.findGiftOrder(gift.id);
  if (!order?.receiptNumber || !order.paidAt) return undefined;
  const { id, state, planType, giverName, recipientName, recipientEmail, isSheet, message } = gift;
  const isOpen = openStates.includes(state);
  const lastDay = isOpen ? findLastCancelDay(order) : undefined;
  return {
    id,
    state,
    planType,
    giverName,
    recipientName,
    recipientEmail,
    isSheet,
    message,
    deliverAt: gift.deliverAt,
    sentAt: gift.sentAt,
    expiresAt: gift.expiresAt,
    closedAt: gift.closedAt,
    amountInPence: order.amountInPence,
    receiptNumber: order.receiptNumber,
    paidAt: order.paidAt,
    cancelUntil: lastDay && toDay(ctx.clock()) <= lastDay ? lastDay : undefined,
    canSendAgain: state === "sent" && !isSheet && recipientEmail !== undefined,
    canChangeRecipient: isOpen && !isSheet,
    sheet: state === "sent" && isSheet && gift.code ? { code: gift.code, url: takeUpUrl(gift) } : undefined,
    giverToken: createGiverLinks(ctx).make(id),
  };
}

async function toDeskDetails(ctx: GiftsContext, gift: Gift): Promise<GiftDetailsForDesk> {
  return { ...gift, order: await ctx.payments.findGiftOrder(gift.id) };
}

async function listQuestions(ctx: GiftsContext, limit: number): Promise<GiftDetailsForDesk[]> {
  const questioned = ctx.db.selectFrom("gifts").selectAll().where("question", "is not", null);
  const rows = await questioned.orderBy("updatedAt", "desc").limit(limit).execute();
  return Promise.all(rows.map((row) => toDeskDetails(ctx, toGift(row))));
}
