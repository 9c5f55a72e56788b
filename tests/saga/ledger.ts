import { z } from "zod";

import type { Queries } from "../../server/platform/database/database.ts";
import { orderStates, paymentStates, type OrderState, type PaymentState } from "../../server/money/payments/states.ts";

/** The gateway's books beside ours. The gateway's are what really happened. */
export type Ledger = Awaited<ReturnType<typeof readLedger>>;

/** A charge of the gateway, with its refunds. */
export type Charge = { id: string; orderId: number; draftId: number | null; amountInPence: number; refunds: number[] };

const payBody = z.object({ id: z.string(), state: z.string(), amountInPence: z.int(), orderId: z.int() });
const refundBody = z.object({ paymentId: z.string(), amountInPence: z.int() });

export async function readLedger(db: Queries) {
  const objects = await db.selectFrom("demoObjects").selectAll().execute();
  const orders = await db.selectFrom("orders").selectAll().orderBy("id").execute();
  const pays = objects
    .filter(({ kind }) => kind === "pay")
    .map(({ id, body }) => payBody.parse(Object.assign(JSON.parse(body) as object, { id })));
  const refunds = objects.filter(({ kind }) => kind === "re").map(({ body }) => refundBody.parse(JSON.parse(body)));
  const charges: Charge[] = pays
    .filter(({ state }) => state === "succeeded")
    .map(({ id, orderId, amountInPence }) => ({
      id,
      orderId,
      draftId: orders.find((order) => order.id === orderId)?.draftId ?? null,
      amountInPence,
      refunds: refunds.filter(({ paymentId }) => paymentId === id).map((refund) => refund.amountInPence),
    }));
  return {
    charges,
    pays,
    orders,
    customers: objects.filter(({ kind }) => kind === "cus"),
    payments: await db.selectFrom("payments").selectAll().orderBy("id").execute(),
    partRefunds: await db.selectFrom("partRefunds").selectAll().orderBy("createdAt").orderBy("number").execute(),
    subscriptions: await db.selectFrom("subscriptions").selectAll().orderBy("id").execute(),
    members: await db.selectFrom("members").selectAll().orderBy("id").execute(),
    drafts: await db.selectFrom("drafts").selectAll().orderBy("id").execute(),
    emails: await db.selectFrom("emails").selectAll().orderBy("id").execute(),
    seats: await db.selectFrom("seats").selectAll().execute(),
    gifts: await db.selectFrom("gifts").selectAll().orderBy("id").execute(),
    codes: await db.selectFrom("codes").selectAll().orderBy("id").execute(),
  };
}

export function findRemainder({ amountInPence, refunds }: Charge): number {
  return amountInPence - refunds.reduce((sum, refund) => sum + refund, 0);
}

/** Everything wrong with the money of an app at rest; empty after any crash, race or repeat. */
export function listFaults(ledger: Ledger): string[] {
  return [
    ...faultsOfCharges(ledger),
    ...faultsOfOrders(ledger),
    ...faultsOfGifts(ledger),
    ...faultsOfDrafts(ledger),
    ...faultsOfSeats(ledger),
    ...faultsOfEmails(ledger),
  ];
}

function faultsOfCharges({ charges, orders, pays, payments, partRefunds }: Ledger): string[] {
  const faults = partRefunds
    .filter(({ state }) => state !== "refunded")
    .map(({ paymentId, number, state }) => `payment ${paymentId}: part ${number} is ${state}`);
  for (const charge of charges) {
    const order = orders.find(({ id }) => id === charge.orderId);
    const payment = payments.find(({ gatewayId: id }) => id === charge.id);
    const own = partRefunds.filter(({ paymentId }) => paymentId === payment?.id).map((part) => part.amountInPence);
    const isGranted = order?.state === "completed" && payment?.state === "succeeded";
    const granted = isGranted ? own.reduce((left, part) => left - part, order.amountInPence) : 0;
    if (findRemainder(charge) !== granted)
      faults.push(`order ${charge.orderId}: kept ${findRemainder(charge)}, granted ${granted}`);
    if (charge.refunds.length > own.length + (isGranted ? 0 : 1))
      faults.push(`order ${charge.orderId}: refunded ${charge.refunds.length} times`);
    if (!payment) faults.push(`order ${charge.orderId}: a charge that we know nothing of`);
  }
  for (const { orderId, state } of pays) {
    if (state === "requires-action" || state === "processing") faults.push(`order ${orderId}: ${state} at the gateway`);
  }
  return faults;
}

/** A completed order that was refunded: its term has ended, its receipt stays. */
function isGivenBack({ state, completedAt }: Ledger["orders"][number]): boolean {
  return state === "refunded" && completedAt !== null;
}

const wasCompleted = (order: Ledger["orders"][number]) => order.state === "completed" || isGivenBack(order);

const restingOrders: OrderState[] = ["cancelled", "completed", "refunded"];
const restingPayments: PaymentState[] = ["failed", "cancelled", "succeeded", "refunded"];

function faultsOfOrders({ charges, orders, payments, subscriptions, members }: Ledger): string[] {
  const faults: string[] = [];
  for (const order of orders) {
    const fault = (words: string) => void faults.push(`order ${order.id} (${order.state}): ${words}`);
    if (!(restingOrders as string[]).includes(order.state)) fault("is not at rest");
    const charged = charges.filter(({ orderId }) => orderId === order.id).filter((charge) => findRemainder(charge) > 0);
    const granted = subscriptions.filter(({ orderId: id }) => id === order.id);
    const isCompleted = order.state === "completed";
    const isPaidFor = order.accountType === "corporate" ? charged.length === 0 : charged.length === 1;
    if (isCompleted && !isPaidFor) fault(`is paid ${charged.length} times`);
    if (order.giftId === null && granted.length !== (wasCompleted(order) ? 1 : 0))
      fault(`has brought ${granted.length} memberships`);
    if ((order.receiptNumber !== null) !== wasCompleted(order)) fault(`has the receipt ${order.receiptNumber}`);
    if (!wasCompleted(order) || order.giftId !== null) continue;
    const [term] = granted;
    if (isGivenBack(order) && !term?.revokedAt) fault("is given back, and its term runs");
    if (!members.some(({ id }) => id === order.memberId)) fault("is nobody's");
    if (term?.memberId !== order.memberId || term.endsAt.getTime() !== order.endsAt?.getTime())
      fault("has another's term");
    if (term?.planType !== order.planType) fault("has another plan's term");
  }
  for (const { id, orderId, state } of payments) {
    if (!(restingPayments as string[]).includes(state)) faults.push(`order ${orderId}: payment ${id} is ${state}`);
  }
  return faults;
}

/** One paid order, one seat, one term at most, and none left where the money went back before. */
function faultsOfGifts({ gifts, orders, subscriptions, codes, members }: Ledger): string[] {
  const faults: string[] = [];
  for (const gift of gifts) {
    const fault = (words: string) => void faults.push(`gift ${gift.id} (${gift.state}): ${words}`);
    const paid = orders.filter((order) => order.giftId === gift.id && wasCompleted(order));
    if (paid.length !== (gift.state === "draft" ? 0 : 1)) fault(`has ${paid.length} completed orders`);
    const terms = subscriptions.filter(({ orderId }) => paid.some(({ id }) => id === orderId));
    const isTaken = gift.state === "taken-up" || gift.state === "ended";
    if (terms.length !== (isTaken ? 1 : 0)) fault(`has brought ${terms.length} terms`);
    if (isTaken && !members.some(({ id }) => id === gift.takerId && id === terms[0]?.memberId)) fault("is nobody's");
    if ((terms[0]?.revokedAt ?? null) !== null && gift.state === "taken-up") fault("has lost its term");
    const isBack = paid.every((order) => order.state === "refunded");
    const mustBeBack = gift.state === "cancelled" || gift.state === "refunded";
    if (mustBeBack && !isBack) fault("is over, and its money is not back");
    if ((gift.state === "waiting" || gift.state === "sent") && isBack) fault("can be taken up, and its money is back");
    const own = codes.filter(({ code }) => code === gift.code);
    if (gift.state !== "draft" && own.length !== 1) fault(`has ${own.length} codes`);
    if (own.some(({ seatsTaken }) => seatsTaken !== (isTaken ? 1 : 0))) fault("has a seat taken for nobody");
  }
  return faults;
}

/** One draft, one remaining charge, one account. */
function faultsOfDrafts({ charges, drafts, orders, members, gifts }: Ledger): string[] {
  const faults: string[] = [];
  for (const draft of drafts) {
    const fault = (words: string) => void faults.push(`draft ${draft.id} (${draft.state}): ${words}`);
    const charged = charges.filter(({ draftId }) => draftId === draft.id).filter((charge) => findRemainder(charge) > 0);
    if (charged.length > 1) fault(`is charged ${charged.length} times`);
    const completed = orders.filter((order) => order.draftId === draft.id && wasCompleted(order));
    const isGift = draft.accountType === "individual" && draft.code !== null && completed.length === 0;
    if (!isGift && completed.length !== (draft.state === "completed" ? 1 : 0))
      fault(`has ${completed.length} completed orders`);
    if (draft.state === "completed" && draft.memberId === null) fault("has become nobody");
    if (draft.state !== "open" && draft.passwordHash !== null) fault("still has a password");
  }
  for (const member of members) {
    const own = orders.filter((order) => order.memberId === member.id && wasCompleted(order));
    const ofDrafts = drafts.filter((draft) => draft.memberId === member.id && draft.purpose === "join");
    if (ofDrafts.length > 1) faults.push(`member ${member.id}: has come of ${ofDrafts.length} drafts`);
    const isGiven = gifts.some(({ takerId }) => takerId === member.id);
    if (ofDrafts.length === 1 && own.length === 0 && !isGiven)
      faults.push(`member ${member.id}: an account without an order`);
  }
  return faults;
}

function faultsOfSeats({ codes, seats }: Ledger): string[] {
  // The seat of a gift's code is its taker's.
  return codes
    .filter(({ planType }) => planType === null)
    .map(({ id, code, seats: all, seatsTaken: taken }) => {
      const held = seats.filter(({ codeId }) => codeId === id).length;
      return taken !== held || taken > all ? `code ${code}: ${taken} seats taken, ${held} members seated` : "";
    })
    .filter((fault) => fault !== "");
}

/** A receipt for each membership and an email for each refund, each written and sent once. */
function faultsOfEmails({ emails, orders, charges, payments, partRefunds, drafts }: Ledger): string[] {
  const count = (key: string) => emails.filter((mail) => mail.key === key).length;
  const toKey = ({ id, giftId }: Ledger["orders"][number]) =>
    giftId === null ? `receipt order-${id}` : `gift-receipt gift-${giftId}`;
  const faults = orders
    .filter((order) => order.giftId === null || wasCompleted(order))
    .filter((order) => count(toKey(order)) !== (wasCompleted(order) ? 1 : 0))
    .map((order) => `order ${order.id} (${order.state}): ${count(toKey(order))} receipts`);
  for (const { id, gatewayId } of payments) {
    const own = partRefunds.filter(({ paymentId }) => paymentId === id);
    const isRefunded = charges.some((charge) => charge.id === gatewayId && charge.refunds.length > own.length);
    if (count(`refund payment-${id}`) !== (isRefunded ? 1 : 0)) faults.push(`payment ${id}: no word about its refund`);
  }
  for (const { paymentId, number } of partRefunds) {
    if (count(`refund payment-${paymentId}-part-${number}`) !== 1)
      faults.push(`payment ${paymentId}: no word about part ${number} of its refund`);
  }
  for (const { memberId, purpose, state } of drafts) {
    if (purpose !== "join" || state !== "completed") continue;
    if (count(`welcome member-${memberId}`) !== 1) faults.push(`member ${memberId}: not welcomed once`);
  }
  for (const { key, sentAt } of emails) if (!sentAt) faults.push(`the email “${key}” was not sent`);
  return faults;
}

/** Over any number of events. */
export function mayBecome(from: string, to: string, table: "order" | "payment"): boolean {
  const moves: Record<string, Record<string, string>> = table === "order" ? orderStates : paymentStates;
  const reached = new Set([from]);
  for (const state of reached) for (const next of Object.values(moves[state] ?? {})) reached.add(next);
  return reached.has(to);
}
