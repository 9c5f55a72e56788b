import type { MemberRecord } from "../../members/accounts/members.ts";
import { displayFullName } from "../../members/accounts/profile-fields.ts";
import { type CodeFault, codeRefusals } from "../../members/challenges/challenges.ts";
import { formatDate, waitText } from "../../platform/format.ts";
import type { MergePrediction, MergeRefusal } from "../merging/merging.ts";
import { desk, emailCodes, forms, merging as table } from "../../refusals.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { anyText, type Field, flag } from "./fields.ts";

const otherField = {
  label: "The other account",
  hint: "Its address or number. This account stays; the other one goes.",
  schema: anyText,
  value: "EMAIL|ID",
} satisfies Field<string>;

export const mergeActs = {
  "member merge-code": defineAct({
    subject: "member",
    fields: { other: otherField },
    audit: "Sent a code to merge another account into this one",
    desk: {
      role: "support",
      title: "Send the code for a merge",
      button: "Send the code",
      pending: "Sending...",
      note: "It goes to the other account's address. Only its reader can tell it to you. If that address is no longer read, start a change of address there first.",
    },
    command: {
      summary: "email the code that a merge needs to the address of the account that would go",
      example: "member merge-code ada@new.example --other ada@old.example",
    },
    async run({ other }, { services: { merging }, subject: { id: targetId }, site, record }) {
      const sent = await merging.sendCode({ targetId, other, site }, (_pair, trx) =>
        record({ memberId: targetId }, trx),
      );
      if (sent.ok) {
        const message = `A code is on its way to ${sent.email}. Its reader tells it to you.`;
        return { ok: true, message };
      }
      if (sent.reason === "too-soon") return refuseAct(desk["email-too-soon"](waitText(sent.waitInMs)));
      if (sent.reason === "too-many-attempts") return refuseAct(forms["too-many-attempts"](waitText(sent.waitInMs)));
      return refuseFor(sent.reason);
    },
  }),

  "member merge": defineAct({
    subject: "member",
    fields: {
      other: otherField,
      code: {
        label: "Code",
        hint: "The six digits that the reader of the other address told you.",
        schema: anyText,
        value: "CODE",
      },
      yes: {
        label: "Do it",
        hint: "Without it only what will happen is said.",
        schema: flag,
        isOptional: true,
        atDesk: "yes",
      },
    },
    audit: "Merged another account into this one",
    desk: {
      role: "owner",
      isEnding: true,
      title: "Merge another account into this one",
      button: "Merge them",
      pending: "Merging...",
      note: "For two accounts of one person. It needs the code that the other address gets, and cannot be taken back.",
    },
    command: {
      summary: "merge another account of the same person into this one; it cannot be taken back",
      example: "member merge ada@new.example --other ada@old.example --code 123456 --yes",
      note: "Without --yes it says what will happen, and changes nothing.",
    },
    async predict({ other }, { services: { merging }, subject: { id } }) {
      const prediction = await merging.predict({ targetId: id, other });
      return prediction.ok ? predictText(prediction) : refuseFor(prediction.reason);
    },
    async run({ other, code, yes }, { services: { merging }, subject: { id: targetId }, site, record }) {
      if (!yes) {
        const prediction = await merging.predict({ targetId, other });
        if (!prediction.ok) return refuseFor(prediction.reason);
        const sentences = predictText(prediction);
        return {
          ...refuseAct(""),
          text: [...sentences, "Add --yes to do it."].join("\n"),
          json: { willHappen: sentences },
        };
      }
      const merged = await merging.merge({ targetId, other, code, site }, ({ source }, trx) =>
        record({ memberId: targetId, facts: { merged: source.id } }, trx),
      );
      if (!merged.ok) {
        const { reason } = merged;
        return isCodeFault(reason) ? refuseAct(emailCodes[codeRefusals[reason]], "code") : refuseFor(reason);
      }
      const { pair, until } = merged;
      const access = until ? `There is access until ${formatDate(until)}.` : "There is no access.";
      const message = `The accounts are one. ${access} Both addresses are told.`;
      return { ok: true, message, json: { merged: pair.source.id, endsAt: until } };
    },
  }),
};

function isCodeFault(reason: MergeRefusal | CodeFault): reason is CodeFault {
  return Object.hasOwn(codeRefusals, reason);
}

function refuseFor(reason: MergeRefusal): ActResult & { ok: false } {
  return refuseAct(table[reason], reason === "held-elsewhere" ? "" : "other");
}

function predictText({ pair: { target, source }, until, orders, seat }: MergePrediction): string[] {
  const receipts =
    orders === 0 ? "No order moves." : `${orders} ${orders === 1 ? "order" : "orders"} and their receipts move.`;
  return [
    `This account stays: ${accountText(target, until.target)}.`,
    `The other one goes: ${accountText(source, until.source)}.`,
    until.merged
      ? `Its terms move. There is access until ${formatDate(until.merged)} then.`
      : "Its terms move. None of them gives access.",
    receipts,
    ...(seat === undefined ? [] : [`Its seat of the code ${seat} moves.`]),
    "What the member has saved and where they stopped, notes, emails and the acts of operators move.",
    `${source.email} is logged out everywhere and no longer opens anything. It cannot be taken back.`,
    "Both addresses are told.",
  ];
}

function accountText(record: MemberRecord, until: Date | undefined): string {
  const { id, email, createdAt } = record;
  const access = until ? `access until ${formatDate(until)}` : "no access";
  return `${displayFullName(record)}, ${email}, number ${id}, since ${formatDate(createdAt)}, ${access}`;
}
