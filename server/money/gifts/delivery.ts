import type { AuditNote } from "../../platform/audit/audit.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { cleanEmail, isEmail } from "../../platform/email-address.ts";
import { toDay } from "../../platform/format.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { checkName, cleanName } from "../../members/accounts/profile-fields.ts";
import { CANCELLING_DAYS } from "../payments/cancelling.ts";
import { type Fulfilment, transact } from "../payments/context.ts";
import { type Order, toReceiptNumber } from "../payments/orders.ts";
import type { GiftContext, GiftsContext } from "./context.ts";
import { advanceGift, changeGift, findGift, type Gift, giverUrl, oneMoreSending, toGift } from "./gift.ts";
import { openStates } from "./states.ts";

/** How long a gift can be taken up after it has arrived. */
export const WAITS_MONTHS = 12;

/** In the order's transaction: makes the code of a paid gift, writes its receipt, and sends it if its day has come. */
export async function fulfilGift(ctx: GiftContext, order: Order): Promise<Fulfilment> {
  const { db, clock, codes } = ctx;
  const found = order.giftId === undefined ? undefined : await findGift(ctx, order.giftId);
  if (!found) return { ok: false, reason: "gift-gone" };
  const now = clock();
  const deliverAt = found.isSheet || found.deliverAt < now ? now : found.deliverAt;
  const expiresAt = addMonths(deliverAt, WAITS_MONTHS);
  const code = await codes.gifts.create({ planType: order.planType, startsAt: deliverAt, endsAt: expiresAt }, db);
  const columns = { planType: order.planType, deliverAt, expiresAt, code };
  const gift = await advanceGift(ctx, found.id, { event: "bought", columns });
  if (!gift) return { ok: false, reason: "already-completed" };
  ctx.reach("gift-buying");
  const receiptNumber = toReceiptNumber(order.id, now);
  const paidAt = order.paidAt ?? now;
  const cancelUntil = toDay(after(new Date(`${toDay(paidAt)}T12:00:00.000Z`), CANCELLING_DAYS * DAY_IN_MS));
  const { amountInPence } = order;
  const link = giverUrl(ctx, gift);
  await ctx.emails.giftReceipt({ gift, link, receiptNumber, amountInPence, paidAt, cancelUntil }, db);
  if (deliverAt <= now) await deliver(ctx, gift);
  return { ok: true, isGift: true, receiptNumber };
}

/** Emails a gift whose day has come; returns whether this call did. Call it in a transaction. */
async function deliver(ctx: GiftContext, { id, isSheet }: Gift): Promise<boolean> {
  const sendings = isSheet ? {} : { sendings: 1 };
  const sent = await advanceGift(ctx, id, { event: "sent", columns: { sentAt: ctx.clock(), ...sendings } });
  if (!sent) return false;
  await ctx.emails.gift(sent, ctx.db);
  ctx.reach("gift-sending");
  return true;
}

const AT_ONCE = 100;

export async function lookAfterGifts(ctx: GiftsContext): Promise<void> {
  const work = [deliverDue, remindEarly, remindLate, expireDue];
  for (const each of work) while (await each(ctx));
}

async function workOn(
  ctx: GiftsContext,
  due: Gift[],
  work: (trx: GiftsContext, gift: Gift) => Promise<unknown>,
): Promise<boolean> {
  for (const gift of due) await transact(ctx, (trx) => work(trx, gift));
  return due.length === AT_ONCE;
}

async function deliverDue(ctx: GiftsContext): Promise<boolean> {
  const waiting = ctx.db.selectFrom("gifts").selectAll().where("state", "=", "waiting");
  const due = await waiting.where("deliverAt", "<=", ctx.clock()).orderBy("deliverAt").limit(AT_ONCE).execute();
  const hasMore = await workOn(ctx, due.map(toGift), deliver);
  if (due.length > 0) ctx.reach("gift-sent");
  return hasMore;
}

const REMIND_AFTER_DAYS = 14;
const REMIND_MONTHS_BEFORE = 1;

async function remindEarly(ctx: GiftsContext): Promise<boolean> {
  const since = after(ctx.clock(), -REMIND_AFTER_DAYS * DAY_IN_MS);
  const sent = ctx.db.selectFrom("gifts").selectAll().where("state", "=", "sent").where("remindedAt", "is", null);
  const due = await sent.where("sentAt", "<=", since).limit(AT_ONCE).execute();
  return workOn(ctx, due.map(toGift), (trx, gift) => remind(trx, gift, "early"));
}

async function remindLate(ctx: GiftsContext): Promise<boolean> {
  const until = addMonths(ctx.clock(), REMIND_MONTHS_BEFORE);
  const sent = ctx.db.selectFrom("gifts").selectAll().where("state", "=", "sent").where("endRemindedAt", "is", null);
  const due = await sent.where("expiresAt", "<=", until).limit(AT_ONCE).execute();
  return workOn(ctx, due.map(toGift), (trx, gift) => remind(trx, gift, "late"));
}

async function remind(ctx: GiftsContext, { id }: Gift, when: "early" | "late"): Promise<void> {
  const now = ctx.clock();
  const isEarly = when === "early";
  const claimed = await ctx.db
    .updateTable("gifts")
    .set({ [isEarly ? "remindedAt" : "endRemindedAt"]: now, updatedAt: now })
    .where("id", "=", id)
    .where("state", "=", "sent")
    .where(isEarly ? "remindedAt" : "endRemindedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!claimed) return;
  const gift = toGift(claimed);
  // After a long outage it may be over, or both may be due: then one email is enough.
  const isOver = gift.expiresAt <= now || (isEarly && gift.expiresAt <= addMonths(now, REMIND_MONTHS_BEFORE));
  if (!isOver) await ctx.emails.giftReminder({ gift, when, link: giverUrl(ctx, gift) }, ctx.db);
}

async function expireDue(ctx: GiftsContext): Promise<boolean> {
  const sent = ctx.db.selectFrom("gifts").selectAll().where("state", "=", "sent");
  const due = await sent.where("expiresAt", "<=", ctx.clock()).orderBy("expiresAt").limit(AT_ONCE).execute();
  return workOn(ctx, due.map(toGift), async (trx, { id }) => {
    const columns = { closedAt: ctx.clock(), question: "never-taken-up" };
    const gift = await advanceGift(trx, id, { event: "expired", columns });
    if (gift) await trx.emails.giftEnded({ gift, link: giverUrl(ctx, gift) }, trx.db);
    trx.reach("gift-expiring");
  });
}

export type SendAgainResult =
  | { ok: true; to: string }
  /** `sheet`: the gift has no address. `not-sent`: its day has not come. `over`: it was taken up, or has ended. */
  | { ok: false; reason: "sheet" | "not-sent" | "over" }
  | TooMany;

/** Limits the giver's requests, who could otherwise fill an inbox. */
const SENDINGS = { attempts: 5, windowInMs: DAY_IN_MS };

export function countSending({ rateLimiter }: GiftsContext, giftId: number): Promise<TooMany | undefined> {
  return rateLimiter.count(`gift sending ${giftId}`, SENDINGS);
}

/** Sends the same email with the same code again. */
export function sendAgain(ctx: GiftsContext, giftId: number, note?: AuditNote): Promise<SendAgainResult> {
  return transact(ctx, async (trx): Promise<SendAgainResult> => {
    const found = await findGift(trx, giftId);
    if (found?.isSheet) return { ok: false, reason: "sheet" };
    if (found?.state === "waiting") return { ok: false, reason: "not-sent" };
    if (found?.recipientEmail === undefined) return { ok: false, reason: "over" };
    const gift = await countOneMore(trx, giftId);
    if (!gift?.recipientEmail) return { ok: false, reason: "over" };
    await trx.emails.gift(gift, trx.db);
    await note?.(trx.db);
    return { ok: true, to: gift.recipientEmail };
  });
}

async function countOneMore({ db, clock }: GiftsContext, giftId: number): Promise<Gift | undefined> {
  const row = db.updateTable("gifts").set({ sendings: oneMoreSending, updatedAt: clock() }).where("id", "=", giftId);
  const sent = await row.where("state", "=", "sent").returningAll().executeTakeFirst();
  return sent && toGift(sent);
}

export type NewRecipient = { giftId: number; recipientName: string; recipientEmail: string };

export type ChangeRecipientResult =
  /** `isSent`: the email has gone to the new address; otherwise it goes on its day. */
  | { ok: true; isSent: boolean }
  | { ok: false; reason: "name-missing" | "name-long" | "email-invalid" | "sheet" | "over" }
  | TooMany;

/**
 * Possible until the gift is taken up. Voids the earlier code, so that the person at the earlier address can no longer
 * use it.
 */
export function changeRecipient(
  ctx: GiftsContext,
  { giftId, ...wanted }: NewRecipient,
  note?: AuditNote,
): Promise<ChangeRecipientResult> {
  const recipientName = cleanName(wanted.recipientName);
  const recipientEmail = cleanEmail(wanted.recipientEmail);
  const fault = checkName(recipientName);
  if (fault) return Promise.resolve({ ok: false, reason: `name-${fault}` });
  if (!isEmail(recipientEmail)) return Promise.resolve({ ok: false, reason: "email-invalid" });
  return transact(ctx, async (trx): Promise<ChangeRecipientResult> => {
    // Lock first: a recipient who takes it up at the same time wins.
    const gift = await changeGift(trx, giftId, { states: openStates });
    if (!gift) return { ok: false, reason: "over" };
    if (gift.isSheet) return { ok: false, reason: "sheet" };
    const isSent = gift.state === "sent";
    const code = isSent ? await renewCode(trx, gift) : gift.code;
    const columns = { recipientName, recipientEmail, code: code ?? null, ...(isSent && { remindedAt: null }) };
    await changeGift(trx, giftId, { states: openStates, columns });
    trx.reach("gift-moving");
    const sent = isSent ? await countOneMore(trx, giftId) : undefined;
    if (sent) await trx.emails.gift(sent, trx.db);
    await note?.(trx.db);
    return { ok: true, isSent };
  });
}

async function renewCode({ db, codes, clock }: GiftsContext, { planType, code, expiresAt }: Gift): Promise<string> {
  if (code !== undefined) await codes.gifts.end(code, db);
  return codes.gifts.create({ planType, startsAt: clock(), endsAt: expiresAt }, db);
}
