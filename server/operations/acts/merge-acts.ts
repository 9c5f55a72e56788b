import type { MemberRecord } from "../../members/accounts/members.ts";
import { displayFullName } from "../../members/accounts/profile-fields.ts";
import { type CodeFault, codeRefusals } from "../../members/challenges/challenges.ts";
import { formatDate, waitText } from "../../platform/format.ts";
import type { MergePrediction, MergeRefusal } from "../merging/merging.ts";
import { desk, emailCodes, forms, merging as table } from "../../refusals.ts";
import { defineAct, refuseAct, type RefusedAct } from "./act.ts";
import { anyText, type Field, flag } from "./fields.ts";

const otherField = {
  label: "The other account",
  hint: "Its email or number. We keep this account and remove the other.",
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
      title: "Send a code to merge",
      button: "Send the code",
      pending: "Sending...",
      note: "We email it to the other account, whose owner reads it out to you. If they've lost that address, change it there first.",
    },
    command: {
      summary: "email the code for a merge to the account that will be removed",
      example: "member merge-code ada@new.example --other ada@old.example",
    },
    async run({ other }, { services: { merging }, subject: { id: targetId }, site, record }) {
      const sent = await merging.sendCode({ targetId, other, site }, (_pair, trx) =>
        record({ memberId: targetId }, trx),
      );
      if (sent.ok) {
        const message = `A code is on its way to ${sent.email}. Ask its owner to read it out to you.`;
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
        hint: "The six digits that we emailed to the other account.",
        schema: anyText,
        value: "CODE",
      },
      yes: {
        label: "Do it",
        hint: "Without it you only see what would happen.",
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
      note: "For two accounts of one person. You need the code that we emailed to the other one, and you can't undo this.",
    },
    command: {
      summary: "merge another account of the same person into this one; you can't undo this",
      example: "member merge ada@new.example --other ada@old.example --code 123456 --yes",
      note: "Without --yes you only see what would happen.",
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
      const access = until ? `They have access until ${formatDate(until)}.` : "They have no access.";
      const message = `Accounts merged. ${access} We've emailed both addresses.`;
      return { ok: true, message, json: { merged: pair.source.id, endsAt: until } };
    },
  }),
};

function isCodeFault(reason: MergeRefusal | CodeFault): reason is CodeFault {
  return Object.hasOwn(codeRefusals, reason);
}

function refuseFor(reason: MergeRefusal): RefusedAct {
  return refuseAct(table[reason], reason === "held-elsewhere" ? "" : "other");
}

function predictText({ pair: { target, source }, until, orders, seat }: MergePrediction): string[] {
  return [
    `We keep this account: ${accountText(target, until.target)}.`,
    `We remove the other one: ${accountText(source, until.source)}.`,
    until.merged
      ? `Its terms move across. They then have access until ${formatDate(until.merged)}.`
      : "Its terms move across, but none of them gives access.",
    `Orders and receipts that move across: ${orders}.`,
    ...(seat === undefined ? [] : [`Its seat on code ${seat} moves across.`]),
    "Favourites, progress, notes, emails and the audit log move across.",
    `${source.email} is logged out everywhere and can't log in again. You can't undo this.`,
    "We email both addresses.",
  ];
}

function accountText(record: MemberRecord, until: Date | undefined): string {
  const { id, email, createdAt } = record;
  const access = until ? `access until ${formatDate(until)}` : "no access";
  return `${displayFullName(record)}, ${email}, number ${id}, since ${formatDate(createdAt)}, ${access}`;
}
