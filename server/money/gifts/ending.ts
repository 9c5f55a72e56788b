import type { Author } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toDay } from "../../platform/format.ts";
import { findLastCancelDay } from "../payments/cancelling.ts";
import { transact } from "../payments/context.ts";
import type { Order } from "../payments/orders.ts";
import type { GiveBackResult } from "../payments/refunds.ts";
import type { GiftContext, GiftsContext } from "./context.ts";
import { advanceGift, changeGift, findGift, type Gift } from "./gift.ts";

/**
 * The order's money is refunded, or lost to a dispute: a gift that was not taken up ends, and operators are asked about
 * one that was. Part of the order's transaction.
 */
export async function endGiftOrder(
  ctx: GiftContext,
  { giftId }: Order,
  why: "refunded" | "disputed",
): Promise<boolean> {
  if (giftId === undefined) return false;
  const columns = { closedAt: ctx.clock(), question: null };
  const ended = await advanceGift(ctx, giftId, { event: "refunded", columns });
  if (ended?.code) await ctx.codes.gifts.end(ended.code, ctx.db);
  if (ended) return true;
  if (await changeGift(ctx, giftId, { states: ["taken-up"], columns: { question: why } })) return false;
  // Its giver or an operator has ended it in this transaction.
  return true;
}

export type CancelGiftResult =
  | { ok: true; amountInPence: number }
  /** `too-late`: the 14 days are over. `not-cancellable`: it is unpaid, or has ended. */
  | { ok: false; reason: "taken-up" | "too-late" | "not-cancellable" | "part-under-way" };

/** Cancels a gift that was not taken up, for its giver: all of the money is refunded. */
export async function cancelGift(ctx: GiftsContext, giftId: number): Promise<CancelGiftResult> {
  const gift = await findGift(ctx, giftId);
  if (gift?.state === "taken-up") return { ok: false, reason: "taken-up" };
  const order = await ctx.payments.findGiftOrder(giftId);
  const lastDay = order && findLastCancelDay(order);
  if (!gift || !order || !lastDay) return { ok: false, reason: "not-cancellable" };
  // Days compare as text.
  if (toDay(ctx.clock()) > lastDay) return { ok: false, reason: "too-late" };
  const result = await ctx.payments.giveBack({
    orderId: order.id,
    by: { operator: BY_THE_GIVER },
    cause: "cancelled",
    claim: (trx) => claimCancelled({ ...ctx, db: trx }, giftId),
  });
  if (result.ok) return result;
  if (result.reason === "part-under-way") return { ok: false, reason: result.reason };
  const now = await findGift(ctx, giftId);
  return { ok: false, reason: now?.state === "taken-up" ? "taken-up" : "not-cancellable" };
}

/** The author in the audit log. */
const BY_THE_GIVER = "the giver";

async function claimCancelled(ctx: GiftsContext, giftId: number): Promise<boolean> {
  const cancelled = await advanceGift(ctx, giftId, { event: "cancelled", columns: { closedAt: ctx.clock() } });
  if (cancelled?.code) await ctx.codes.gifts.end(cancelled.code, ctx.db);
  if (cancelled) ctx.reach("gift-cancelling");
  return cancelled !== undefined;
}

export type EndGiftResult =
  /** `amountInPence`: the refund, or 0 where the money was refunded before. `isTermEnded`: it had been taken up. */
  | { ok: true; amountInPence: number; isTermEnded: boolean }
  | { ok: false; reason: "over" | Extract<GiveBackResult, { ok: false }>["reason"] };

/** Ends a gift for an operator: its code is void, or its term ends, and the rest of the money is refunded. */
export async function endGift(
  ctx: GiftsContext,
  { giftId, by }: { giftId: number; by: Author },
): Promise<EndGiftResult> {
  const gift = await findGift(ctx, giftId);
  const order = await ctx.payments.findGiftOrder(giftId);
  if (!gift || !order) return { ok: false, reason: "over" };
  const isTermEnded = gift.state === "taken-up";
  const isMoneyGone = gift.question === "refunded" || gift.question === "disputed";
  const result = isMoneyGone
    ? await endTerm(ctx, { gift, order, by })
    : await ctx.payments.giveBack({
        orderId: order.id,
        by,
        ...(isTermEnded && { claim: (trx: Queries) => claimEnded({ ...ctx, db: trx }, { giftId, order }) }),
      });
  ctx.reach("gift-ended");
  if (result.ok) return { ...result, isTermEnded };
  return { ok: false, reason: result.reason === "not-completed" ? "over" : result.reason };
}

async function claimEnded(ctx: GiftsContext, { giftId, order }: { giftId: number; order: Order }): Promise<boolean> {
  const columns = { closedAt: ctx.clock(), question: null };
  if (!(await advanceGift(ctx, giftId, { event: "ended", columns }))) return false;
  await ctx.membership.revokeOrder(order.id, ctx.db);
  ctx.reach("gift-ending");
  return true;
}

function endTerm(
  ctx: GiftsContext,
  { gift, order, by }: { gift: Gift; order: Order; by: Author },
): Promise<{ ok: true; amountInPence: number } | { ok: false; reason: "over" }> {
  return transact(ctx, async (trx) => {
    if (!(await claimEnded(trx, { giftId: gift.id, order }))) return { ok: false, reason: "over" } as const;
    const facts = { gift: gift.id, order: order.id, isEnded: true };
    await ctx.audit.record({ ...by, action: "gift end", memberId: gift.takerId, facts }, trx.db);
    return { ok: true, amountInPence: 0 } as const;
  });
}

/** Leaves the gift as it is, because an operator has looked at it; returns whether there was a question. */
export async function dismissQuestion({ clock }: GiftsContext, giftId: number, trx: Queries): Promise<boolean> {
  const questioned = trx.updateTable("gifts").set({ question: null, updatedAt: clock() }).where("id", "=", giftId);
  return (await questioned.where("question", "is not", null).executeTakeFirst()).numUpdatedRows > 0n;
}
