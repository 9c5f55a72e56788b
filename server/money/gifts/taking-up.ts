import { HOUR_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { toNetwork, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { gifts as words } from "../../refusals.ts";
import { plans, type PlanType } from "../membership/plans.ts";
import { transact } from "../payments/context.ts";
import type { GiftContext, GiftsContext } from "./context.ts";
import { advanceGift, findGiftByCode, type Gift, giverUrl } from "./gift.ts";

export type GiftOffer = {
  code: string;
  giverName: string;
  recipientName: string;
  message: string;
  planType: PlanType;
  expiresAt: Date;
};

export type GiftFault = "unknown" | "not-yet" | "taken-up" | "over";

export type GiftRefusal = { ok: false; reason: GiftFault; message: string };

export type GiftCheck = { ok: true; gift: GiftOffer } | GiftRefusal;

/** How many codes a network may try: they are as good as money. */
const LOOK_UPS = { attempts: 60, windowInMs: HOUR_IN_MS };

export async function checkGift(
  ctx: GiftsContext,
  { code, address }: { code: string; address: string },
): Promise<GiftCheck | TooMany> {
  const tooMany = await ctx.rateLimiter.count(`gift code ${toNetwork(address)}`, LOOK_UPS);
  return tooMany ?? findOffer(ctx, code);
}

export async function findOffer(ctx: GiftContext, code: string): Promise<GiftCheck> {
  const gift = await findTyped(ctx, code);
  const fault = findFault(gift, ctx.clock());
  if (fault || !gift?.code) return refuse(fault ?? "unknown");
  const { giverName, recipientName, message, planType, expiresAt } = gift;
  return { ok: true, gift: { code: gift.code, giverName, recipientName, message, planType, expiresAt } };
}

async function findTyped(ctx: GiftContext, typed: string): Promise<Gift | undefined> {
  const code = await ctx.codes.gifts.find(typed, ctx.db);
  return code === undefined ? undefined : findGiftByCode(ctx, code);
}

function findFault(gift: Gift | undefined, now: Date): GiftFault | undefined {
  switch (gift?.state) {
    case "sent":
      return gift.expiresAt > now ? undefined : "over";
    case "waiting":
      return "not-yet";
    case "taken-up":
      return "taken-up";
    case "cancelled":
    case "refunded":
    case "expired":
    case "ended":
      return "over";
    case "draft":
    case undefined:
      return "unknown";
  }
}

function refuse(reason: GiftFault): GiftRefusal {
  return { ok: false, reason, message: words[reason] };
}

export type TakeUpResult = { ok: true; planType: PlanType; startsAt: Date; endsAt: Date } | GiftRefusal;

/**
 * Takes a gift up for a member, in a transaction: one of all who have the link gets it. The term begins now, or when
 * the member's present terms end; a company's seat ends when it begins. A repeat by the same member returns the same
 * result.
 */
export async function takeGift(
  ctx: GiftContext & { findOrderId: FindOrderId },
  { code: typed, memberId }: { code: string; memberId: number },
): Promise<TakeUpResult> {
  const { db, clock, codes, membership } = ctx;
  const now = clock();
  const found = await findTyped(ctx, typed);
  if (!found) return refuse("unknown");
  const columns = { takerId: memberId, closedAt: now };
  // A code of an earlier recipient is void.
  const gift = await advanceGift(ctx, found.id, { event: "taken-up", columns, only: { code: found.code, after: now } });
  if (!gift?.code) return answerTaken(ctx, { typed, memberId });
  ctx.reach("gift-claiming");
  if (!(await codes.gifts.claim(gift.code, db))) throw new Error("A gift was taken up whose code is not valid");
  const orderId = await ctx.findOrderId(gift.id, db);
  const startsAt = (await membership.findCoverEnd(memberId, db)) ?? now;
  const endsAt = addMonths(startsAt, plans[gift.planType].months);
  await codes.endSeat({ memberId, endsAt: startsAt }, db);
  await membership.grant({ memberId, planType: gift.planType, startsAt, endsAt, orderId }, db);
  await ctx.emails.giftTakenUp({ gift, link: giverUrl(ctx, gift) }, db);
  ctx.reach("gift-taking");
  return { ok: true, planType: gift.planType, startsAt, endsAt };
}

/** The order that paid for a gift: its term is granted once, as every order's. */
export type FindOrderId = (giftId: number, trx: GiftContext["db"]) => Promise<number | undefined>;

/** Another request was faster: the same member's, or another person's. */
async function answerTaken(
  ctx: GiftContext & { findOrderId: FindOrderId },
  { typed, memberId }: { typed: string; memberId: number },
): Promise<TakeUpResult> {
  const gift = await findTyped(ctx, typed);
  if (gift?.state === "taken-up" && gift.takerId === memberId) {
    const orderId = await ctx.findOrderId(gift.id, ctx.db);
    const term = (await ctx.membership.listFor(memberId, ctx.db)).find((each) => each.orderId === orderId);
    if (term) return { ok: true, planType: term.planType, startsAt: term.startsAt, endsAt: term.endsAt };
  }
  return refuse(findFault(gift, ctx.clock()) ?? "over");
}

export async function takeUpAsMember(
  ctx: GiftsContext,
  taking: { code: string; memberId: number; address: string },
): Promise<TakeUpResult | TooMany> {
  const tooMany = await ctx.rateLimiter.count(`gift code ${toNetwork(taking.address)}`, LOOK_UPS);
  if (tooMany) return tooMany;
  const taken = await transact(ctx, (trx) => takeGift(withOrders(trx), taking));
  ctx.reach("gift-taken");
  if (taken.ok) ctx.log.info({ member: taking.memberId }, "a gift was taken up");
  return taken;
}

export function withOrders(ctx: GiftsContext): GiftsContext & { findOrderId: FindOrderId } {
  return { ...ctx, findOrderId: async (giftId, trx) => (await ctx.payments.findGiftOrder(giftId, trx))?.id };
}
