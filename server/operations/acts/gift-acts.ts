import { formatDay, formatPence, formatPenceInFull } from "../../platform/format.ts";
import { checkName, cleanName } from "../../members/accounts/profile-fields.ts";
import type { GiftDetailsForDesk } from "../../money/gifts/gifts.ts";
import { desk, gifts as table } from "../../refusals.ts";
import { z } from "zod";
import { type ActResult, defineAct, refuseAct, type RefusedAct } from "./act.ts";
import { emailAddress } from "./fields.ts";

const personName = z
  .string({ error: table["recipient-name-missing"] })
  .transform(cleanName)
  .refine((name) => checkName(name) !== "missing", table["recipient-name-missing"])
  .refine((name) => checkName(name) !== "long", table["recipient-name-long"]);

export const giftActs = {
  "gift send-again": defineAct({
    subject: "gift",
    fields: {},
    audit: "Sent a gift again",
    desk: { role: "support", title: "Send the gift again", button: "Send it again", pending: "Sending it..." },
    command: {
      summary: "send a gift's email to its recipient again",
      example: "gift send-again 12",
    },
    async run(_values, { services, subject: { id }, record }) {
      const sent = await services.gifts.sendAgainFor(id, (trx) => record({ facts: { gift: id } }, trx));
      if (!sent.ok) return refuseSending(sent.reason);
      return { ok: true, message: `Sent to ${sent.to}.`, json: { gift: id } };
    },
  }),

  "gift change-address": defineAct({
    subject: "gift",
    fields: {
      name: { label: "Their name", schema: personName, value: "NAME" },
      email: {
        label: "Their email",
        schema: emailAddress(table["recipient-email-invalid"]),
        value: "EMAIL",
        type: "email",
      },
    },
    audit: "Changed the address of a gift",
    desk: {
      role: "support",
      title: "Change the address",
      button: "Change it",
      pending: "Changing it...",
      note: "The code in the earlier email stops working. If the gift was sent, we send it to the new address now.",
    },
    command: {
      summary: "send a gift that no one has taken up to another address",
      example: "gift change-address 12 --name Granny --email granny@example.org",
      note: "The code in the earlier email stops working.",
    },
    async run({ name, email }, { services, subject: { id }, record }) {
      const change = { giftId: id, recipientName: name, recipientEmail: email };
      const changed = await services.gifts.changeRecipientFor(change, (trx) => record({ facts: { gift: id } }, trx));
      if (changed.ok) {
        const message = changed.isSent
          ? "Changed, and sent to the new address."
          : "Changed. We send it on the day that was chosen.";
        return { ok: true, message, json: { gift: id, isSent: changed.isSent } };
      }
      if (changed.reason === "email-invalid") return refuseAct(table["recipient-email-invalid"], "email");
      if (changed.reason === "name-missing") return refuseAct(table["recipient-name-missing"], "name");
      if (changed.reason === "name-long") return refuseAct(table["recipient-name-long"], "name");
      return refuseSending(changed.reason);
    },
  }),

  "gift end": defineAct({
    subject: "gift",
    fields: {},
    audit: { as: "order refund" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "End the gift",
      button: "End it",
      pending: "Ending it...",
      note: "No one can take it up any more, or its term ends. We refund what's left to the giver's card.",
    },
    command: {
      summary: "end a gift, with its term if it was taken up, and refund it",
      example: 'gift end 12 --reason "They asked"',
      note: "The giver gets an email about the refund.",
    },
    async predict(_values, { subject }) {
      return refuseEnding(subject) ?? predictEnd(subject);
    },
    async run(_values, { services, subject, by }) {
      const ended = await services.gifts.end({ giftId: subject.id, by });
      if (!ended.ok) return refuseAct(ended.reason === "over" ? table.closed : desk[ended.reason]);
      const { amountInPence, isTermEnded } = ended;
      const refund = amountInPence > 0 ? ` ${formatPence(amountInPence)} is being refunded.` : "";
      const term = isTermEnded ? " Its term has ended." : "";
      const json = { gift: subject.id, amountInPence, isTermEnded };
      return { ok: true, message: `The gift has ended.${term}${refund}`, json };
    },
  }),

  "gift dismiss": defineAct({
    subject: "gift",
    fields: {},
    audit: "Left a gift as it is",
    desk: { role: "support", title: "Leave the gift as it is", button: "Dismiss", pending: "Dismissing..." },
    command: {
      summary: "leave a gift as it is: Today doesn't list it any more",
      example: "gift dismiss 12",
    },
    run(_values, { services, subject: { id }, record }) {
      return services.transact(async (trx) => {
        if (!(await services.gifts.dismiss(id, trx))) return refuseAct(table["no-question"]);
        await record({ facts: { gift: id } }, trx);
        return { ok: true, message: "Dismissed. The gift stays as it is.", json: { gift: id } };
      });
    },
  }),
};

function refuseSending(reason: "sheet" | "not-sent" | "over" | "too-many-attempts"): ActResult {
  return refuseAct(reason === "sheet" || reason === "not-sent" ? table[reason] : table.closed);
}

function refuseEnding({ state, order }: GiftDetailsForDesk): RefusedAct | undefined {
  const isOver = state === "draft" || state === "cancelled" || state === "refunded" || state === "ended";
  return isOver || !order ? refuseAct(table.closed) : undefined;
}

function predictEnd({ state, question, order, closedAt }: GiftDetailsForDesk): string[] {
  const isMoneyGone = question === "refunded" || question === "disputed";
  return [
    state === "taken-up"
      ? `It was taken up on ${closedAt ? formatDay(closedAt) : "a day"}. Its term ends now.`
      : "No one can take it up any more.",
    ...(isMoneyGone
      ? ["We refunded it earlier."]
      : [`${formatPenceInFull(order?.amountInPence ?? 0)}, or what's left of it, is refunded to the giver's card.`]),
  ];
}
