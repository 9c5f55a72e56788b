import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import type { MemberRecord, Person } from "../../members/accounts/members.ts";
import { printJson } from "./print.ts";
import { errorText } from "../../platform/faults.ts";
import type { Remainder } from "../personal-data/personal-data.ts";
import { defineAct, refuseAct } from "./act.ts";
import { flag, optionalText } from "./fields.ts";

export const personalDataActs = {
  "member export": defineAct({
    subject: "member",
    isForClosed: true,
    fields: {
      out: {
        label: "File",
        hint: "A new file to write it to. Without one it is printed.",
        schema: optionalText,
        value: "FILE",
        isOptional: true,
        atDesk: "",
      },
    },
    audit: "Exported what is held about the member",
    desk: {
      role: "owner",
      title: "Export what is held about them",
      button: "Make the file",
      pending: "Making it...",
      note: "For a member who asks for their data and cannot take it in My Account. The file is made as you fetch it, once.",
      needsPassword: true,
      isDownload: true,
    },
    command: {
      summary: "write everything that is held about a member as one JSON",
      example: "member export ada@example.org --out ada.json",
    },
    async run({ out: file }, { services, subject, self, record }) {
      if (self) {
        const owner = { memberId: subject.id, operatorId: self.operator.id };
        return services.transact(async (trx) => {
          await record({ memberId: subject.id }, trx);
          const pass = await services.personalData.makePass(owner, trx);
          return { ok: true, message: "The file is on its way.", download: { member: subject.id, pass } };
        });
      }
      if (file !== undefined && existsSync(file)) return refuseAct(`${file} is there already: name a new file.`);
      const records = await services.personalData.gather(toPerson(subject));
      await record({ memberId: subject.id });
      if (file === undefined) return { ok: true, message: "", text: printJson(records), json: records };
      const fault = await writeNew(file, `${printJson(records)}\n`);
      if (fault !== undefined) return refuseAct(`The file could not be written: ${fault}`);
      return { ok: true, message: `What is held about them is in ${file}.`, json: { file } };
    },
  }),

  "member erase": defineAct({
    subject: "member",
    isForClosed: true,
    fields: { yes: { label: "Do it", hint: "It cannot be undone.", schema: flag, atDesk: "yes" } },
    audit: { as: "member erase" },
    desk: {
      role: "owner",
      isEnding: true,
      title: "Erase now",
      button: "Erase them",
      pending: "Erasing...",
      note: "For a member who wants to be forgotten at once. Closing the account leaves them fourteen days to come back.",
      ownReason: "Erasure",
      needsPassword: true,
    },
    command: {
      summary: "erase a member; orders stay without the person, as tax law requires",
      example: "member erase ada@example.org --yes",
      hasNoReason: true,
    },
    async predict(_values, { services, subject }) {
      const person = toPerson(subject);
      if (await services.payments.isAnyUnsettledFor(person)) return refuseAct(eraseRefusals["payment-under-way"]);
      if (await services.personalData.isUndoOpen(subject.id)) return refuseAct(eraseRefusals["address-changed"]);
      const orders = await services.payments.listFor(person);
      return [
        "Everything that is held about them is erased now, and it cannot be taken back.",
        orders.length === 0
          ? "There are no orders."
          : `Orders and their payments stay without the person, as tax law requires: ${orders.length}.`,
        "Nothing is refunded, and the member gets no email.",
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

function toPerson({ id, email, closedEmail }: MemberRecord): Person {
  return { memberId: id, email: closedEmail ?? email };
}

/** In one line, for the desk. */
function erasedText(memberId: number, { orders, customersAtGateway }: Remainder): string {
  const kept = orders === 0 ? "" : ` Orders that are kept without the person: ${orders}.`;
  const rest = customersAtGateway.join(", ");
  return `Member ${memberId} is erased.${kept}${rest === "" ? "" : ` Erase at the card gateway, too: ${rest}.`}`;
}

/** Only the user who runs the command may read the file. Answers the fault, if any. */
async function writeNew(file: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

const eraseRefusals = {
  "payment-under-way":
    "A payment of theirs is under way: try again in some minutes, or run `job run reconcile-payments` before.",
  "address-changed":
    "Their email was changed in the last 14 days, and the old address can still undo that. Please try again when the 14 days are over.",
  "already-gone": "This member has been erased in the meantime.",
};

function remainderText(memberId: number, remainder: Remainder & { mailFolder: string | undefined }): string {
  const { orders, actions, customersAtGateway, mailFolder } = remainder;
  return [
    `Member ${memberId} is erased.`,
    "",
    "What is kept:",
    `- orders and their payments, without the person: ${orders} (number, dates and amount, which tax law wants kept)`,
    `- lines of what operators did, with the member's number alone: ${actions}`,
    ...(customersAtGateway.length > 0
      ? [`- at the card gateway, to be erased there: ${customersAtGateway.join(", ")}`]
      : []),
    ...(mailFolder === undefined ? [] : [`- mails that have left, as files in ${mailFolder}`]),
    "- backups made before now, for as long as you keep them",
  ].join("\n");
}
