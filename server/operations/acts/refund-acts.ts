import type { MemberRecord } from "../../members/accounts/members.ts";
import { toPerson } from "../../members/accounts/person.ts";
import { formatPence, formatPenceInFull } from "../../platform/format.ts";
import type { Order } from "../../money/payments/orders.ts";
import { desk as table } from "../../refusals.ts";
import { type ActResult, defineAct, type PredictContext, refuseAct, type RefusedAct } from "./act.ts";
import { pence } from "./fields.ts";
import { predictAccess } from "./membership-acts.ts";

const orderItem = { option: "order", value: "N", help: "the number of the order, as `member show` lists it" };

export const refundActs = {
  "member refund": defineAct({
    subject: "member",
    isForClosed: true,
    item: orderItem,
    fields: {},
    audit: { as: "order refund" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "Refund {amount} of {date}",
      button: "Refund {amount}",
      pending: "Refunding...",
      note: "We refund all that is left to the card it came from, and the term it paid for ends now.",
    },
    command: {
      summary: "refund a member's order: all that is left of it, to the card it came from",
      example: 'member refund ada@example.org --order 3 --reason "They asked within a week"',
      note: "The term that it paid for ends now, and the member gets an email.",
    },
    async predict(_values, ctx) {
      const order = await findOrder(ctx);
      if (!order) return refuseAct(table["not-their-order"]);
      return refuseGivingBack(order) ?? predictGivingBack(ctx, order);
    },
    async run(_values, ctx) {
      const order = await findOrder(ctx);
      if (!order) return refuseAct(table["not-their-order"]);
      const { by, services } = ctx;
      const { payments } = services;
      const result = await payments.giveBack({ orderId: order.id, by });
      if (!result.ok) return refuseAct(table[result.reason]);
      return toGivenBack(order.id, { ...result, isWhole: true });
    },
  }),

  "member refund-part": defineAct({
    subject: "member",
    isForClosed: true,
    item: orderItem,
    fields: {
      amount: {
        label: "Amount in pounds",
        hint: "Such as 10.00. We refund it to the card.",
        schema: pence({ max: 100_000_000, error: table["amount-invalid"] }),
        value: "PRICE",
      },
    },
    audit: { as: "order part refund" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "Refund part of {amount} of {date}",
      button: "Refund this part",
      pending: "Refunding...",
      note: "The term continues, and we email the member. If nothing is left, the term ends.",
    },
    command: {
      summary: "refund part of a member's order to the card it came from; the term continues",
      example: "member refund-part ada@example.org --order 3 --amount 10.00",
      note: "You can refund several parts. Once nothing is left, the term ends, as with `member refund`.",
    },
    async predict({ amount: amountInPence }, ctx) {
      const order = await findOrder(ctx);
      if (!order) return refuseAct(table["not-their-order"]);
      const { leftInPence } = order;
      const refusal = refuseGivingBack(order) ?? (amountInPence > leftInPence ? refuseMore(leftInPence) : undefined);
      if (refusal) return refusal;
      if (amountInPence === leftInPence) return predictGivingBack(ctx, order);
      return [
        `${formatPenceInFull(amountInPence)} is refunded to ${order.card}.`,
        `${formatPenceInFull(leftInPence - amountInPence)} of the order is left, and its term continues.`,
        "The member gets an email.",
      ];
    },
    async run({ amount: amountInPence }, ctx) {
      const order = await findOrder(ctx);
      if (!order) return refuseAct(table["not-their-order"]);
      const result = await ctx.services.payments.makePartRefund({ orderId: order.id, amountInPence, by: ctx.by });
      if (result.ok) return toGivenBack(order.id, result);
      return result.reason === "more-than-left" ? refuseMore(result.leftInPence) : refuseAct(table[result.reason]);
    },
  }),
};

async function findOrder({
  services: { payments },
  subject,
  item,
}: PredictContext<MemberRecord>): Promise<RefundedOrder | undefined> {
  const orders = await payments.listFor(toPerson(subject));
  const found = orders.find(({ order }) => String(order.id) === item);
  if (!found) return undefined;
  const last4 = found.payments.findLast(({ state }) => state === "succeeded")?.cardLast4;
  const card = last4 === undefined ? "the card it came from" : `the card ending ${last4}`;
  return { ...found.order, leftInPence: found.leftInPence, card };
}

/** `card`: where the refund goes, in words. */
type RefundedOrder = Order & { leftInPence: number; card: string };

/** `undefined`: it may be refunded, by its present record. */
function refuseGivingBack({ state, amountInPence }: Order): RefusedAct | undefined {
  if (state !== "completed") return refuseAct(table["not-completed"]);
  return amountInPence === 0 ? refuseAct(table["nothing-paid"]) : undefined;
}

function refuseMore(leftInPence: number): RefusedAct {
  return refuseAct(table["more-than-left"](formatPenceInFull(Math.max(0, leftInPence))), "amount");
}

async function predictGivingBack(
  { services, subject }: PredictContext<MemberRecord>,
  order: RefundedOrder,
): Promise<string[]> {
  const access = await predictAccess(services, subject.id, ({ orderId }) => orderId === order.id);
  return [
    ...access.sentences,
    `${formatPenceInFull(order.leftInPence)} is refunded to ${order.card}.`,
    "The member gets an email.",
  ];
}

function toGivenBack(order: number, back: { amountInPence: number; isWhole: boolean }): ActResult {
  const { amountInPence, isWhole } = back;
  const end = isWhole ? ", and the term has ended" : ", and the term continues";
  const message = `${formatPence(amountInPence)} is being refunded${end}. The member gets an email.`;
  return { ok: true, message, json: { order, ...back } };
}
