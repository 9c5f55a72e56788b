import { after, SECOND_IN_MS } from "../../platform/clock.ts";
import {
  beginAttempt,
  findAttempt,
  findLiveAttempt,
  isLive,
  listAttempts,
  noteRepeat,
  type Attempt,
} from "./attempts.ts";
import type { Decline } from "./card-gateway.ts";
import { charge, type CheckoutRequest } from "./charging.ts";
import { logJoining, transact, type Fulfilment, type PaymentsContext } from "./context.ts";
import {
  addPaidOrder,
  advanceOrder,
  findOrder,
  isPaid,
  listOrdersOfPurchase,
  lockOrder,
  noteCompletion,
  openOrder,
  type NewOrder,
  type Order,
  type Purchase,
} from "./orders.ts";
import { completeOrder, lookUpPayment, notePayment } from "./settlement.ts";

export type CheckoutResult =
  /** `checking`: unknown yet, or the money is being refunded: the page looks again. */
  | { ok: true; next: "completed" | "checking" }
  | { ok: true; next: "continue"; url: string }
  | { ok: false; reason: "declined"; decline: Decline };

/** Within this time a second click repeats the first, and a gateway call may still be under way. */
const IN_FLIGHT_IN_MS = 60 * SECOND_IN_MS;

/**
 * Takes a card payment for a draft or a gift. Order and attempts are stored before the gateway is called, so an interrupted
 * payment can be looked up; an order has one live attempt at most, so nothing is charged twice (C1–C6, C13, C19).
 */
export async function pay(ctx: PaymentsContext, request: CheckoutRequest): Promise<CheckoutResult> {
  const order = await openWanted(ctx, request.order);
  ctx.reach("order-opened");
  // Paid in another tab, or before a crash: nothing is left to charge for.
  if (!isOpen(order)) await completeOrder(ctx, order.id);
  if (!isOpen(order) || !isFor(request.order, order)) return findResult(ctx, order.id);

  const attempt = await chooseAttempt(ctx, order, request);
  if (attempt) await charge(ctx, { order, attempt, request });
  return findResult(ctx, order.id);
}

/** Gives up an open order for something else, which another tab has left. */
async function openWanted(ctx: PaymentsContext, wanted: NewOrder): Promise<Order> {
  const open = () =>
    transact(ctx, async (trx) => {
      const opened = await openOrder(trx, wanted);
      ctx.reach("order-opening");
      return opened;
    });
  const opened = await open();
  const isOther = isOpen(opened) && !isFor(wanted, opened);
  return isOther && (await giveUpOrder(ctx, opened.id)) === "given-up" ? open() : opened;
}

/** The live attempt after a second click, else the next one. */
async function chooseAttempt(
  ctx: PaymentsContext,
  order: Order,
  request: CheckoutRequest,
): Promise<Attempt | undefined> {
  const before = await findLiveAttempt(ctx, order.id);
  if (before && isRepeat(ctx, before)) return repeat(ctx, before);
  if (before && (await stopAttempt(ctx, before)) !== "stopped") return undefined;
  const begun = await begin(ctx, order, request);
  if (begun) return begun;
  // Another tab was faster.
  const other = await findLiveAttempt(ctx, order.id);
  return other && repeat(ctx, other);
}

async function repeat(ctx: PaymentsContext, attempt: Attempt): Promise<Attempt> {
  await noteRepeat(ctx, attempt);
  return attempt;
}

/** A second click or tab while the first request is under way; a later click means another card. */
function isRepeat({ clock }: PaymentsContext, attempt: Attempt): boolean {
  const isYoung = clock() < after(attempt.createdAt, IN_FLIGHT_IN_MS);
  return attempt.state === "processing" || (attempt.state === "started" && isYoung);
}

function begin(ctx: PaymentsContext, order: Order, { methodId }: CheckoutRequest): Promise<Attempt | undefined> {
  return transact(ctx, async (trx) => {
    if (!(await lockOrder(trx, order.id, "awaiting-payment"))) return undefined;
    return beginAttempt(trx, { orderId: order.id, amountInPence: order.amountInPence, methodId });
  });
}

async function findResult(ctx: PaymentsContext, orderId: number): Promise<CheckoutResult> {
  const order = await findOrder(ctx, orderId);
  if (order?.state === "completed") return { ok: true, next: "completed" };
  const last = (await listAttempts(ctx, orderId)).at(-1);
  if (order?.state === "cancelled" && !last) return { ok: false, reason: "declined", decline: "cancelled" };
  if (!last || !order || isPaid(order)) return { ok: true, next: "checking" };
  if (last.state === "authenticating" && last.actionUrl) return { ok: true, next: "continue", url: last.actionUrl };
  if (last.state !== "failed" && last.state !== "cancelled") return { ok: true, next: "checking" };
  return { ok: false, reason: "declined", decline: last.decline ?? "cancelled" };
}

function isOpen({ state }: Order): boolean {
  return state === "awaiting-payment";
}

/** The same purchase by the same person. */
function isFor(wanted: NewOrder, order: Order): boolean {
  const { planType, email, firstName, lastName } = order;
  const isSamePerson = wanted.email === email && wanted.firstName === firstName && wanted.lastName === lastName;
  return isSamePerson && wanted.planType === planType;
}

/** A company pays: all of it, or nothing and the reason. */
export async function completeFree(ctx: PaymentsContext, order: NewOrder): Promise<Fulfilment> {
  let fulfilment: Fulfilment | undefined;
  try {
    await transact(ctx, async (trx) => {
      const paid = await addPaidOrder(trx, order);
      fulfilment = await ctx.fulfil(paid, trx.db);
      if (!fulfilment.ok) throw new RolledBack();
      await advanceOrder(trx, paid.id, "completed");
      const completed = await noteCompletion(trx, paid.id, fulfilment);
      await ctx.emails.receipt(completed, trx.db);
      ctx.reach("order-completing");
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  if (!fulfilment) throw new Error("A transaction has not run");
  if (fulfilment.ok) logJoining(ctx, fulfilment);
  return fulfilment;
}

/** Ends a transaction without a fault. */
class RolledBack extends Error {}

/** `paid`: the money is here. `unknown`: the gateway did not answer, or is charging now. */
export type GivenUp = "given-up" | "paid" | "unknown";

/** Gives up unpaid orders of a draft or gift, so that nothing more is charged for it. */
export async function giveUpPurchase(ctx: PaymentsContext, purchase: Purchase): Promise<GivenUp> {
  const orders = await listOrdersOfPurchase(ctx, purchase);
  const opened = orders.find(isOpen);
  const given = opened ? await giveUpOrder(ctx, opened.id) : "given-up";
  // Late money may have paid for an order that was given up before.
  return orders.some(isPaid) ? "paid" : given;
}

export async function giveUpOrder(ctx: PaymentsContext, orderId: number): Promise<GivenUp> {
  const live = await findLiveAttempt(ctx, orderId);
  const stopped = live ? await stopAttempt(ctx, live) : "stopped";
  if (stopped !== "stopped") return stopped;
  return (await closeOrder(ctx, orderId)) ? "given-up" : "unknown";
}

async function stopAttempt(ctx: PaymentsContext, attempt: Attempt): Promise<"stopped" | "paid" | "unknown"> {
  try {
    await lookUpPayment(ctx, attempt.id);
    const looked = await findAttempt(ctx, attempt.id);
    if (looked?.gatewayId && isLive(looked)) {
      await notePayment(ctx, attempt.id, await ctx.gateway.cancelPayment(looked.gatewayId));
    }
  } catch {
    return "unknown";
  }
  const now = await findAttempt(ctx, attempt.id);
  if (!now || isLive(now)) return "unknown";
  return now.state === "failed" || now.state === "cancelled" ? "stopped" : "paid";
}

/** Closes an order without a live attempt. The lock comes first: no attempt can begin in between. */
function closeOrder(ctx: PaymentsContext, orderId: number): Promise<boolean> {
  return transact(ctx, async (trx) => {
    const locked = await lockOrder(trx, orderId, "awaiting-payment");
    if (!locked || (await findLiveAttempt(trx, orderId))) return false;
    return advanceOrder(trx, orderId, "given-up");
  });
}
