import type { Person } from "../../members/accounts/accounts.ts";
import type { AuditNote, Author } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import { toDay } from "../../platform/format.ts";
import type { PlanType } from "../membership/plans.ts";
import { findLastCancelDay } from "../payments/cancelling.ts";
import type { Order } from "../payments/orders.ts";
import type { GiftsContext } from "./context.ts";
import { changeRecipient, countSending, lookAfterGifts, type NewRecipient, sendAgain } from "./delivery.ts";
import { cancelGift, dismissQuestion, endGift } from "./ending.ts";
import { createGiverLinks, findGift, findGiftByCode, type Gift, takeUpUrl, toGift } from "./gift.ts";
import {
  findGiftDraft,
  type GiftDetails,
  type GiftPaymentInput,
  payForGift,
  purgeUnpaidGifts,
  saveGift,
  settleGift,
} from "./giving.ts";
import { forgetGiftPerson, forgetOldGifts, listGiftRecords, moveGifts } from "./personal.ts";
import { type GiftState, openStates } from "./states.ts";
import { checkGift, findOffer, takeGift, takeUpAsMember, withOrders } from "./taking-up.ts";

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
  expiresAt: Date;
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

/** Plans that people buy for others. The order has no term of its own; a code with one seat has the plan. */
export type Gifts = ReturnType<typeof createGifts>;

export function createGifts(ctx: GiftsContext) {
  const { db } = ctx;
  return {
    isOffered: ctx.isOffered,
    /** Stores the form in the browser's unpaid gift (`token`) or in a new one, whose token is for a cookie. */
    save: (details: GiftDetails) => saveGift(ctx, details),
    /** `undefined` once an unpaid gift has expired. */
    findDraft: (token: string) => findGiftDraft(ctx, token),
    pay: (token: string, payment: GiftPaymentInput) => payForGift(ctx, token, payment),
    settle: (token: string) => settleGift(ctx, token),
    /** By the token in a receipt's link. */
    async findGiven(giverToken: string): Promise<GivenGift | undefined> {
      const id = createGiverLinks(ctx).read(giverToken);
      const gift = id === undefined ? undefined : await findGift(ctx, id);
      return gift && toGiven(ctx, gift);
    },
    /** A member's paid gifts, the newest first. */
    listGiven: (memberId: number) => listGiven(ctx, memberId),
    /** At the giver's request; at most five emails a day. */
    sendAgain: async (giftId: number) => (await countSending(ctx, giftId)) ?? sendAgain(ctx, giftId),
    /** At the giver's request, until the gift is taken up; counts as an email. */
    changeRecipient: async (change: NewRecipient) =>
      (await countSending(ctx, change.giftId)) ?? changeRecipient(ctx, change),
    /** At the giver's request, within 14 days of paying, until the gift is taken up. */
    cancel: (giftId: number) => cancelGift(ctx, giftId),
    /** For a code that was typed, or is in a link. Limited by network. */
    check: (code: string, { address }: { address: string }) => checkGift(ctx, { code, address }),
    /** Without a limit, for a code that a draft has. */
    findOffer: (code: string, trx: Queries = db) => findOffer({ ...ctx, db: trx }, code),
    /** For a logged-in member. The term begins when their present ones end. */
    takeUp: (taking: { code: string; memberId: number; address: string }) => takeUpAsMember(ctx, taking),
    /** The same, in the transaction that makes the member. */
    take: (taking: { code: string; memberId: number }, trx: Queries) =>
      takeGift(withOrders({ ...ctx, db: trx }), taking),
    async find(giftId: number): Promise<GiftDetailsForDesk | undefined> {
      const gift = await findGift(ctx, giftId);
      return gift && toDeskDetails(ctx, gift);
    },
    async findByCode(typed: string): Promise<GiftDetailsForDesk | undefined> {
      const code = await ctx.codes.gifts.find(typed);
      const gift = code === undefined ? undefined : await findGiftByCode(ctx, code);
      return gift && toDeskDetails(ctx, gift);
    },
    sendAgainFor: (giftId: number, note: AuditNote) => sendAgain(ctx, giftId, note),
    changeRecipientFor: (change: NewRecipient, note: AuditNote) => changeRecipient(ctx, change, note),
    end: (gift: { giftId: number; by: Author }) => endGift(ctx, gift),
    dismiss: (giftId: number, trx: Queries) => dismissQuestion(ctx, giftId, trx),
    listQuestions: (limit: number) => listQuestions(ctx, limit),
    /** A job: sends the gifts of the day, reminds recipients, and ends gifts that were never taken up. */
    lookAfter: () => lookAfterGifts(ctx),
    /** Deletes unpaid gifts, and erases the people of ended ones. */
    purge: async () => (await purgeUnpaidGifts(ctx)) + (await forgetOldGifts(ctx)),
    listFor: (person: Person) => listGiftRecords(db, person),
    forgetPerson: (person: Person, trx: Queries) => forgetGiftPerson(trx, person),
    move: (move: { from: number; to: number }, trx: Queries) => moveGifts(trx, move),
    /** Orders of gifts that the member took up and an operator ended: restoring access leaves them out. */
    async listEndedOrders(memberId: number, trx: Queries): Promise<number[]> {
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

const selectQuestioned = prepareQuery((db, { limit }: { limit: number }) =>
  db.selectFrom("gifts").selectAll().where("question", "is not", null).orderBy("updatedAt", "desc").limit(limit),
);

async function listQuestions(ctx: GiftsContext, limit: number): Promise<GiftDetailsForDesk[]> {
  const rows = await selectQuestioned(ctx.db, { limit });
  return Promise.all(rows.map((row) => toDeskDetails(ctx, toGift(row))));
}
