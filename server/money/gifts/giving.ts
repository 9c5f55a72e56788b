import { randomBytes } from "node:crypto";

import { checkName, cleanName } from "../../members/accounts/profile-fields.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { cleanEmail, isEmail } from "../../platform/email-address.ts";
import { toDay } from "../../platform/format.ts";
import { addMonths, fromWall } from "../../platform/london-calendar.ts";
import { toNetwork, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { cleanText } from "../../platform/text.ts";
import { findPlan, plans, type PlanType } from "../membership/plans.ts";
import { PAYING_LIFE_IN_MS } from "../payments/charging.ts";
import type { CheckoutResult } from "../payments/checkout.ts";
import type { PaymentView } from "../payments/records.ts";
import type { GiftsContext } from "./context.ts";
import { WAITS_MONTHS } from "./delivery.ts";
import { changeGift, createGiverLinks, type Gift, type GiftColumns, toGift } from "./gift.ts";

/** In characters. */
const MESSAGE_MAX_LENGTH = 300;
/** The latest arrival, in months from today. */
const AHEAD_MONTHS = 12;
const ARRIVES_AT = "08:00:00.000";
const DRAFT_LIFE_IN_MS = DAY_IN_MS;
const TOKEN_BYTES = 32;

export type GiftDetails = {
  token: string | undefined;
  /** The giver's, if logged in: the receipt then goes to the account's address. */
  memberId: number | undefined;
  /** A number, or the digits that a form sends. */
  planType: unknown;
  giverName: string;
  giverEmail: string;
  recipientName: string;
  /** A sheet has no address and no day. */
  isSheet: boolean;
  recipientEmail: string;
  /** At most 300 characters; may be empty. */
  message: string;
  /** In London, such as `2026-12-24`; at most 12 months ahead. */
  day: string;
  address: string;
  site: string;
};

export type GiftDetailsRefusal =
  | "plan-missing"
  | "giver-name-missing"
  | "giver-name-long"
  | "giver-email-invalid"
  | "recipient-name-missing"
  | "recipient-name-long"
  | "recipient-email-invalid"
  | "message-long"
  | "day-invalid";

export type SaveGiftResult =
  | { ok: true; token: string; expiresAt: Date }
  | { ok: false; reason: "refused"; refusals: GiftDetailsRefusal[] }
  /** A payment of this gift is under way or done. */
  | { ok: false; reason: "paying" }
  | { ok: false; reason: "not-offered" }
  | TooMany;

const LIMITS = {
  details: { attempts: 120, windowInMs: HOUR_IN_MS },
  paymentsFromNetwork: { attempts: 60, windowInMs: HOUR_IN_MS },
  paymentsOfGift: { attempts: 12, windowInMs: 15 * MINUTE_IN_MS },
};

/** Checks all fields at once, then stores them in the browser's unpaid gift or in a new one. */
export async function saveGift(ctx: GiftsContext, details: GiftDetails): Promise<SaveGiftResult> {
  if (!ctx.isOffered) return { ok: false, reason: "not-offered" };
  const tooMany = await ctx.rateLimiter.count(`gift details ${toNetwork(details.address)}`, LIMITS.details);
  if (tooMany) return tooMany;
  const member = details.memberId === undefined ? undefined : await ctx.accounts.findMember(details.memberId);
  const typed = { ...details, giverEmail: member?.email ?? details.giverEmail };
  const refusals = listRefusals(typed, ctx.clock());
  const plan = findPlan(details.planType);
  if (refusals.length > 0 || !plan) return { ok: false, reason: "refused", refusals };
  const before = details.token === undefined ? undefined : await findUnpaid(ctx, details.token);
  if (before && (await ctx.payments.giveUp({ giftId: before.id })) !== "given-up")
    return { ok: false, reason: "paying" };
  const columns = { ...toColumns(typed, ctx.clock()), planType: plan.type, giverMemberId: member?.id ?? null };
  return store(ctx, columns, { before, token: details.token });
}

function listRefusals(details: GiftDetails, now: Date): GiftDetailsRefusal[] {
  const [giver, recipient] = [checkName(details.giverName), checkName(details.recipientName)];
  const message = Array.from(cleanText(details.message));
  const refusals: (GiftDetailsRefusal | false | undefined)[] = [
    !findPlan(details.planType) && "plan-missing",
    giver && `giver-name-${giver}`,
    !isEmail(cleanEmail(details.giverEmail)) && "giver-email-invalid",
    recipient && `recipient-name-${recipient}`,
    !details.isSheet && !isEmail(cleanEmail(details.recipientEmail)) && "recipient-email-invalid",
    message.length > MESSAGE_MAX_LENGTH && "message-long",
    !details.isSheet && toArrival(details.day, now) === undefined && "day-invalid",
  ];
  return refusals.filter((refusal) => refusal !== false && refusal !== undefined);
}

/** 08:00 in London on a day from today to 12 months ahead. */
function toArrival(day: string, now: Date): Date | undefined {
  const wall = new Date(`${day}T${ARRIVES_AT}Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(day);
  // Days compare as text.
  return isDay && day >= toDay(now) && day <= toDay(addMonths(now, AHEAD_MONTHS)) ? fromWall(wall) : undefined;
}

function toColumns(details: GiftDetails, now: Date): GiftColumns {
  const { isSheet } = details;
  return {
    giverName: cleanName(details.giverName),
    giverEmail: cleanEmail(details.giverEmail),
    recipientName: cleanName(details.recipientName),
    recipientEmail: isSheet ? null : cleanEmail(details.recipientEmail),
    isSheet: isSheet ? 1 : 0,
    message: cleanText(details.message),
    deliverAt: (isSheet ? undefined : toArrival(details.day, now)) ?? now,
    site: details.site,
  };
}

async function store(
  ctx: GiftsContext,
  columns: GiftColumns,
  { before, token }: { before: Gift | undefined; token: string | undefined },
): Promise<SaveGiftResult> {
  const now = ctx.clock();
  const expiresAt = after(now, DRAFT_LIFE_IN_MS);
  if (before && token !== undefined) {
    const changed = await changeGift(ctx, before.id, { states: ["draft"], columns: { ...columns, expiresAt } });
    return changed ? { ok: true, token, expiresAt } : { ok: false, reason: "paying" };
  }
  const made = randomBytes(TOKEN_BYTES).toString("base64url");
  const times = { expiresAt, createdAt: now, updatedAt: now };
  await ctx.db
    .insertInto("gifts")
    .values({ ...(columns as NewColumns), ...times, tokenHash: toTokenHash(ctx, made), state: "draft", sendings: 0 })
    .execute();
  return { ok: true, token: made, expiresAt };
}

type NewColumns = Required<
  Pick<
    GiftColumns,
    "planType" | "giverName" | "giverEmail" | "recipientName" | "isSheet" | "message" | "deliverAt" | "site"
  >
>;

function toTokenHash({ keyedHash }: GiftsContext, token: string): string {
  return keyedHash("gift")(token);
}

async function findUnpaid(ctx: GiftsContext, token: string): Promise<Gift | undefined> {
  const gift = await findByToken(ctx, token);
  return gift?.state === "draft" && gift.expiresAt > ctx.clock() ? gift : undefined;
}

async function findByToken(ctx: GiftsContext, token: string): Promise<Gift | undefined> {
  const all = ctx.db.selectFrom("gifts").selectAll();
  const row = await all.where("tokenHash", "=", toTokenHash(ctx, token)).executeTakeFirst();
  return row && toGift(row);
}

/** A gift for the browser that buys it. */
export type GiftDraft = {
  planType: PlanType;
  amountInPence: number;
  giverName: string;
  giverEmail: string;
  recipientName: string;
  recipientEmail: string | undefined;
  isSheet: boolean;
  message: string;
  day: string;
  /** Until when it can be taken up, if it is paid now. */
  waitsUntil: Date;
  postcode: string | undefined;
  payment: GiftPayment;
};

export type GiftPayment =
  | Exclude<PaymentView, { state: "completed" }>
  | { state: "completed"; receiptNumber: string; amountInPence: number; giverToken: string };

/** `undefined` once an unpaid one has expired. */
export async function findGiftDraft(ctx: GiftsContext, token: string): Promise<GiftDraft | undefined> {
  const gift = await findByToken(ctx, token);
  if (!gift || (gift.state === "draft" && gift.expiresAt <= ctx.clock())) return undefined;
  const { planType, giverName, giverEmail, recipientName, recipientEmail, isSheet, message, deliverAt } = gift;
  const isPaid = gift.state !== "draft";
  return {
    planType,
    amountInPence: plans[planType].chargeInPence,
    giverName,
    giverEmail,
    recipientName,
    recipientEmail,
    isSheet,
    message,
    day: toDay(deliverAt),
    waitsUntil: isPaid ? gift.expiresAt : addMonths(deliverAt, WAITS_MONTHS),
    postcode: await ctx.payments.findPostcode({ giftId: gift.id }),
    payment: await findPayment(ctx, gift),
  };
}

async function findPayment(ctx: GiftsContext, { id }: Gift): Promise<GiftPayment> {
  const order = await ctx.payments.findGiftOrder(id);
  if (order?.receiptNumber !== undefined) {
    const { receiptNumber, amountInPence } = order;
    return { state: "completed", receiptNumber, amountInPence, giverToken: createGiverLinks(ctx).make(id) };
  }
  const view = await ctx.payments.findView({ giftId: id });
  return view.state === "completed" ? { state: "checking" } : view;
}

export type GiftPaymentInput = {
  postcode: string;
  methodId: string | undefined;
  /** The card fields found a mistake, so nothing is charged. */
  isCardWrong?: boolean;
  /** The plan that the page shows. Another plan, chosen in another tab, is not charged. */
  shownPlanType: PlanType | undefined;
  address: string;
  returnUrl: string;
  cancelUrl: string;
};

export type PayGiftResult =
  | CheckoutResult
  | { ok: false; reason: "no-gift" | "plan-changed" }
  | { ok: false; reason: "incomplete"; missing: ("card-missing" | "postcode-missing")[] }
  | TooMany;

/** Repeated clicks charge a card once. Givers keep their right to cancel. */
export async function payForGift(ctx: GiftsContext, token: string, input: GiftPaymentInput): Promise<PayGiftResult> {
  const gift = await findByToken(ctx, token);
  if (!gift || (gift.state === "draft" && gift.expiresAt <= ctx.clock())) return { ok: false, reason: "no-gift" };
  if (gift.state !== "draft") return { ok: true, next: "completed" };
  const tooMany =
    (await ctx.rateLimiter.count(`gift payment ${toNetwork(input.address)}`, LIMITS.paymentsFromNetwork)) ??
    (await ctx.rateLimiter.count(`gift payment of ${gift.id}`, LIMITS.paymentsOfGift));
  if (tooMany) {
    // Do not ask a giver who may have paid to try again.
    return (await findPayment(ctx, gift)).state === "checking" ? { ok: true, next: "checking" } : tooMany;
  }
  const postcode = cleanText(input.postcode);
  const missing = [
    ...(input.isCardWrong ? ["card-missing" as const] : []),
    ...(postcode === "" ? ["postcode-missing" as const] : []),
  ];
  if (missing.length > 0) return { ok: false, reason: "incomplete", missing };
  if (input.shownPlanType !== gift.planType) return { ok: false, reason: "plan-changed" };
  // The gift must exist until the payment has ended.
  const expiresAt = after(ctx.clock(), PAYING_LIFE_IN_MS);
  if (gift.expiresAt < expiresAt) await changeGift(ctx, gift.id, { states: ["draft"], columns: { expiresAt } });
  return ctx.payments.pay({
    order: {
      giftId: gift.id,
      memberId: gift.giverMemberId,
      accountType: "individual",
      planType: gift.planType,
      email: gift.giverEmail,
      firstName: gift.giverName,
      lastName: "",
      postcode,
      code: undefined,
      site: gift.site,
    },
    methodId: input.methodId,
    returnUrl: input.returnUrl,
    cancelUrl: input.cancelUrl,
    productName: ctx.productName,
  });
}

export async function settleGift(ctx: GiftsContext, token: string): Promise<void> {
  const gift = await findByToken(ctx, token);
  if (gift) await ctx.payments.settle({ giftId: gift.id });
}

const PURGED_AT_ONCE = 500;

/** Deletes unpaid gifts without a payment under way; returns how many. */
export async function purgeUnpaidGifts(ctx: GiftsContext): Promise<number> {
  const drafts = ctx.db.selectFrom("gifts").select("id").where("state", "=", "draft");
  const expired = await drafts.where("expiresAt", "<=", ctx.clock()).limit(PURGED_AT_ONCE).execute();
  let count = 0;
  for (const { id } of expired) {
    if (await ctx.payments.isAnyUnsettled({ giftId: id })) continue;
    const unpaid = ctx.db.deleteFrom("gifts").where("id", "=", id).where("state", "=", "draft");
    count += Number((await unpaid.executeTakeFirst()).numDeletedRows);
  }
  return count;
}
