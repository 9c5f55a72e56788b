import { toPerson } from "../../members/accounts/person.ts";
import { printJson } from "./print.ts";
import type { Remainder } from "../personal-data/personal-data.ts";
import { defineAct, refuseAct } from "./act.ts";
import { flag, optionalText } from "./fields.ts";
import { refuseKnownFile, writeNewFile } from "./new-file.ts";

export const personalDataActs = {
  "member export": defineAct({
    subject: "member",
    isForClosed: true,
    fields: {
      out: {
        label: "File",
        hint: "A new file to write to. Otherwise it's printed.",
        schema: optionalText,
        value: "FILE",
        isOptional: true,
        atDesk: "",
      },
    },
    audit: "Exported the member's data",
    desk: {
      role: "owner",
      title: "Export their data",
      button: "Make the file",
      pending: "Making it...",
      note: "For a member who asks for their data and can't download it in My Account. You can download the file once.",
      needsPassword: true,
      isDownload: true,
    },
    command: {
      summary: "write everything we hold about a member as JSON",
      example: "member export ada@example.org --out ada.json",
    },
    async run({ out: file }, { services, subject, self, record }) {
      if (self) {
        const owner = { memberId: subject.id, operatorId: self.operator.id };
        return services.transact(async (trx) => {
          await record({ memberId: subject.id }, trx);
          const pass = await services.personalData.makePass(owner, trx);
          return { ok: true, message: "The file is downloading.", download: { member: subject.id, pass } };
        });
      }
      const refused = refuseKnownFile(file);
      if (refused) return refused;
      const records = await services.personalData.gather(toPerson(subject));
      await record({ memberId: subject.id });
      if (file === undefined) return { ok: true, message: "", text: printJson(records), json: records };
      const unwritten = await writeNewFile(file, [`${printJson(records)}\n`]);
      return unwritten ?? { ok: true, message: `Their data is in ${file}.`, json: { file } };
    },
  }),

  "member erase": defineAct({
    subject: "member",
    isForClosed: true,
    fields: { yes: { label: "Do it", hint: "You can't undo this.", schema: flag, atDesk: "yes" } },
    audit: { as: "member erase" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "Erase now",
      button: "Erase them",
      pending: "Erasing...",
      note: "For a member who wants to be erased right away. If you close the account instead, they have 14 days to come back.",
      ownReason: "Erasure",
      needsPassword: true,
    },
    command: {
      summary: "erase a member; their orders stay without a name, as tax law requires",
      example: "member erase ada@example.org --yes",
      hasNoReason: true,
    },
    async predict(_values, { services, subject }) {
      const person = toPerson(subject);
      if (await services.payments.isAnyUnsettledFor(person)) return refuseAct(eraseRefusals["payment-under-way"]);
      if (await services.personalData.isUndoOpen(subject.id)) return refuseAct(eraseRefusals["address-changed"]);
      const orders = await services.payments.listFor(person);
      return [
        "We erase everything we hold about them now. You can't undo this.",
        orders.length === 0
          ? "They have no orders."
          : `Their orders and payments stay without a name, as tax law requires: ${orders.length}.`,
        "We don't refund anything, and we don't email the member.",
      ];
    },
    async run(_values, { services, by, subject, mailFolder, self }) {
      const reason = self && by.reason;
      const erased = await services.personalData.erase(toPerson(subject), by.operator, reason);
      if (!erased.ok) return refuseAct(eraseRefusals[erased.reason]);
      const remainder = { ...erased.remainder, mailFolder };
      return {
        ok: true,
        isGone: true,
        message: erasedText(subject.id, remainder),
        text: remainderText(subject.id, remainder),
        json: { kept: remainder },
      };
    },
  }),
};

/** In one line, for the desk. */
function erasedText(memberId: number, { orders, customersAtGateway }: Remainder): string {
  const kept = orders === 0 ? "" : ` Orders that stay without a name: ${orders}.`;
  const rest = customersAtGateway.join(", ");
  return `Member ${memberId} is erased.${kept}${rest === "" ? "" : ` Please erase them at the card gateway too: ${rest}.`}`;
}

const eraseRefusals = {
  "payment-under-way":
    "One of their payments is still in progress. Try again in a few minutes, or run `job run reconcile-payments` first.",
  "address-changed":
    "Their email changed in the last 14 days, and the old address can still undo that. Try again once the 14 days are over.",
  "already-gone": "This member has already been erased.",
};

function remainderText(memberId: number, remainder: Remainder & { mailFolder: string | undefined }): string {
  const { orders, actions, customersAtGateway, mailFolder } = remainder;
  return [
    `Member ${memberId} is erased.`,
    "",
    "What stays:",
    `- orders and payments, without a name: ${orders} (number, dates and amount, as tax law requires)`,
    `- lines of the audit log, with only the member's number: ${actions}`,
    ...(customersAtGateway.length > 0
      ? [`- at the card gateway, for you to erase there: ${customersAtGateway.join(", ")}`]
      : []),
    ...(mailFolder === undefined ? [] : [`- sent emails, as files in ${mailFolder}`]),
    "- backups made before now, for as long as you keep them",
  ].join("\n");
}
