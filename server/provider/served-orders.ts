import type { Member } from "../members/accounts/accounts.ts";
import { holdMember } from "../members/accounts/members.ts";
import { after, DAY_IN_MS } from "../platform/clock.ts";
import { toCodeKey } from "../money/companies/labels.ts";
import type { Context } from "../context.ts";
import { REMIND_BEFORE_IN_MS } from "../money/membership/membership.ts";
import type { Membership } from "../money/membership/membership.ts";
import type { PlanType } from "../money/membership/plans.ts";
import { isLive } from "../money/payments/attempts.ts";
import type { Decline } from "../money/payments/card-gateway.ts";
import type { CheckoutResult } from "../money/payments/checkout.ts";
import type { Payments } from "../money/payments/payments.ts";
import type { OrderRecord } from "../money/payments/records.ts";
import type { RateLimiter, TooMany } from "../platform/rate-limit/rate-limit.ts";
import { listDraftsFor } from "../money/sign-up/sign-up.ts";
import { addDraft, removeDraft } from "../money/sign-up/drafts.ts";
import { CORPORATE_PLAN } from "../money/sign-up/paying.ts";
import { countPayment } from "../money/sign-up/verification.ts";
import type { PreparedPayment } from "./payment-references.ts";
import { cleanText } from "../platform/text.ts";

/**
 * An order that a member's front places: a renewal draft of ours, so the payments module alone decides about price,
 * payment and consequences.
 */
export type OrderInput = {
  member: Member;
  isEmailVerified: boolean;
  what: PlanInput | CodeInput;
  address: string;
  site: string;
  /** Where a bank or the gateway returns the browser, for a draft. */
  toReturnUrls: (draftId: number) => { returnUrl: string; cancelUrl: string };
};

export type PlanInput = { kind: "plan"; planType: PlanType; methodId: string | undefined; postcode: string };
export type CodeInput = { kind: "code"; code: string; postcode: string };

export type OrderStatus = { orderId: number; state: "completed" | "checking" | "continue"; url: string | undefined };

export type OrderResult =
  | ({ ok: true } & OrderStatus)
  | { ok: false; reason: "declined"; decline: Decline }
  | { ok: false; reason: "code-refused"; message: string }
  /** It was paid, but not usable: the money is refunded. */
  | { ok: false; reason: "refunded" }
  | { ok: false; reason: "unverified" | "postcode-missing" | "member-gone" }
  | TooMany;

type OrdersContext = Context & {
  membership: Membership;
  payments: Payments;
  rateLimiter: RateLimiter;
  productName: string;
};

/** How long the same payment method means the same order. */
const SAME_METHOD_FOR_IN_MS = DAY_IN_MS;

/** A repeat with the same payment method or code is the same order: it is never charged twice. */
export async function placeOrder(ctx: OrdersContext, input: OrderInput): Promise<OrderResult> {
  const { member, what, address, site } = input;
  if (!input.isEmailVerified && !(await isProved(ctx, member))) return { ok: false, reason: "unverified" };
  if (what.kind === "plan" && cleanText(what.postcode) === "") return { ok: false, reason: "postcode-missing" };
  const draft = await openDraft(ctx, member, site);
  // After the draft is there: an order whose draft had ended by then is visible now.
  const same = await findSame(ctx, input);
  if (same) {
    if (draft.isNew) await removeDraft(ctx, draft.id);
    return toResult(same);
  }
  const tooMany = await countPayment(ctx, { address, draftId: draft.id });
  if (tooMany) return tooMany;
  return what.kind === "code"
    ? takeSeat(ctx, input, { ...what, draftId: draft.id })
    : charge(ctx, input, { ...what, draftId: draft.id });
}

/** Looks up a member's payments under way, and finishes paid ones. */
export async function settleMember(ctx: OrdersContext, member: Member): Promise<void> {
  for (const { order } of await listRecords(ctx, member)) {
    if (order.draftId !== undefined) await ctx.payments.settle({ draftId: order.draftId });
  }
}

export async function findStatus(
  ctx: OrdersContext,
  { methodId, preparedAt }: PreparedPayment,
  member: Member | undefined,
): Promise<OrderStatus | undefined> {
  if (!member) return undefined;
  const records = await listRecords(ctx, member);
  const placed = records.findLast(({ createdAt, payments: attempts }) => {
    // An order may be older than the preparation of its next try.
    const isSince = createdAt >= preparedAt || attempts.some((attempt) => attempt.createdAt >= preparedAt);
    return methodId === undefined ? isSince : attempts.some((attempt) => attempt.methodId === methodId);
  });
  if (!placed || placed.order.state === "cancelled") return undefined;
  if (placed.order.draftId !== undefined) await ctx.payments.settle({ draftId: placed.order.draftId });
  const settled = (await listRecords(ctx, member)).find(({ order }) => order.id === placed.order.id);
  return settled && (!isOpen(settled) || settled.payments.some(isLive)) ? toStatus(settled) : undefined;
}

/** Our own pages prove an address before the account exists; a member with a subscription was proved then. */
async function isProved({ membership }: OrdersContext, { id }: Member): Promise<boolean> {
  return (await membership.listFor(id)).length > 0;
}

async function findSame(ctx: OrdersContext, { member, what }: OrderInput): Promise<OrderRecord | undefined> {
  const held = await ctx.membership.listFor(member.id);
  const isRevoked = ({ order }: OrderRecord) =>
    held.some(({ orderId, revokedAt }) => orderId === order.id && revokedAt);
  const records = await listRecords(ctx, member);
  return records.find(
    // A revoked seat is taken again; one payment is not charged again.
    (record) => isSameOrder(ctx, record, what) && !isOpen(record) && !(what.kind === "code" && isRevoked(record)),
  );
}

function isSameOrder({ clock }: OrdersContext, record: OrderRecord, what: OrderInput["what"]): boolean {
  const { order, createdAt } = record;
  if (what.kind === "code") {
    const isSameCode = order.code !== undefined && toCodeKey(order.code) === toCodeKey(what.code);
    const renewsFrom = order.endsAt && after(order.endsAt, -REMIND_BEFORE_IN_MS);
    return isSameCode && renewsFrom !== undefined && clock() < renewsFrom;
  }
  const isYoung = clock() < after(createdAt, SAME_METHOD_FOR_IN_MS);
  return isYoung && what.methodId !== undefined && record.payments.some(({ methodId }) => methodId === what.methodId);
}

/** Without gifts, which are bought on our own pages. */
async function listRecords({ payments }: OrdersContext, { id, email }: Member): Promise<OrderRecord[]> {
  const records = await payments.listFor({ memberId: id, email });
  return records.filter(({ order }) => order.giftId === undefined);
}

async function takeSeat(
  ctx: OrdersContext,
  { member, site }: OrderInput,
  { draftId, code, postcode }: CodeInput & { draftId: number },
): Promise<OrderResult> {
  const { payments } = ctx;
  const { email, firstName, lastName } = member;
  // Money for a plan may be on its way for the same draft.
  if ((await payments.giveUp({ draftId })) !== "given-up") return findNewestStatus(ctx, { member, draftId });
  const order = { draftId, accountType: "corporate" as const, planType: CORPORATE_PLAN, code: cleanText(code), site };
  const done = await payments.completeFree({ ...order, email, firstName, lastName, postcode });
  if (done.ok || done.reason === "already-completed") return findNewestStatus(ctx, { member, draftId });
  if (done.reason === "code-refused") return { ok: false, reason: done.reason, message: done.message } as const;
  return { ok: false, reason: "member-gone" } as const;
}

async function charge(
  ctx: OrdersContext,
  { member, site, toReturnUrls }: OrderInput,
  { planType, methodId, postcode, draftId }: PlanInput & { draftId: number },
): Promise<OrderResult> {
  const { payments, productName } = ctx;
  const { email, firstName, lastName } = member;
  const result = await payments.pay({
    order: {
      draftId,
      accountType: "individual",
      planType,
      email,
      firstName,
      lastName,
      postcode: cleanText(postcode),
      code: undefined,
      site,
    },
    methodId,
    ...toReturnUrls(draftId),
    productName,
  });
  if (!result.ok) return result;
  return findNewestStatus(ctx, { member, draftId }, result);
}

async function findNewestStatus(
  ctx: OrdersContext,
  { member, draftId }: { member: Member; draftId: number },
  result?: CheckoutResult,
): Promise<OrderResult> {
  const record = (await listRecords(ctx, member)).findLast(({ order }) => order.draftId === draftId);
  if (!record) return { ok: false, reason: "member-gone" };
  return result?.ok && result.next === "continue"
    ? { ok: true, orderId: record.order.id, state: "continue", url: result.url }
    : toResult(record);
}

function isOpen({ order }: OrderRecord): boolean {
  return order.state === "awaiting-payment" || order.state === "cancelled";
}

function toResult(record: OrderRecord): OrderResult {
  const isSentBack = ["refund-pending", "refunded", "refund-failed"].includes(record.order.state);
  return isSentBack ? { ok: false, reason: "refunded" } : { ok: true, ...toStatus(record) };
}

function toStatus({ order, payments }: OrderRecord): OrderStatus {
  if (order.state === "completed") return { orderId: order.id, state: "completed", url: undefined };
  const url = payments.findLast(({ state }) => state === "authenticating")?.actionUrl;
  return { orderId: order.id, state: url === undefined ? "checking" : "continue", url };
}

/** For a member of another front; concurrent calls get the same draft. */
function openDraft(ctx: Context, member: Member, site: string): Promise<{ id: number; isNew: boolean }> {
  const { id: memberId, email, firstName, lastName } = member;
  return ctx.db.transaction().execute(async (trx) => {
    await holdMember(memberId, trx);
    const inTransaction = { ...ctx, db: trx };
    const open = (await listDraftsFor(inTransaction, { memberId, email })).find(
      ({ draft, expiresAt }) =>
        draft.purpose === "renew" &&
        draft.state === "open" &&
        draft.memberId === memberId &&
        draft.site === site &&
        expiresAt > ctx.clock(),
    );
    if (open) return { id: open.draft.id, isNew: false };
    const details = { email, firstName, lastName, accountType: "individual" as const, code: undefined, site };
    const renewal = { purpose: "renew" as const, memberId, protectedPassword: undefined, isVerified: true };
    const { id } = await addDraft(inTransaction, { ...details, ...renewal });
    return { id, isNew: true };
  });
}
