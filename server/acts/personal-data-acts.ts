import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";

import { printJson } from "../cli/print.ts";
import { errorText } from "../faults.ts";
import type { Remainder } from "../personal-data/personal-data.ts";
import { defineAct, refuseAct } from "./act.ts";
import { flag, optionalText } from "./fields.ts";

/** The acts on all data of a member, by commands alone. */

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
      },
    },
    audit: "Exported what is held about the member",
    command: {
      summary: "write everything that is held about a member as one JSON",
      example: "member export ada@example.org --out ada.json",
    },
    async run({ out: file }, { services, subject, record }) {
      if (file !== undefined && existsSync(file)) return refuseAct(`${file} is there already: name a new file.`);
      const email = subject.closedEmail ?? subject.email;
      const records = await services.personalData.gather({ memberId: subject.id, email });
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
    fields: { yes: { label: "Do it", hint: "It cannot be undone.", schema: flag } },
    audit: { as: "member erase" },
    command: {
      summary: "erase a member; orders stay without the person, as tax law requires",
      example: "member erase ada@example.org --yes",
      hasNoReason: true,
    },
    async run(_values, { services, by, subject, mailFolder }) {
      const email = subject.closedEmail ?? subject.email;
      const erased = await services.personalData.erase({ memberId: subject.id, email }, by.operator);
      if (!erased.ok) return refuseAct(eraseRefusals[erased.reason]);
      const remainder = { ...erased.remainder, mailFolder };
      return { ok: true, message: "Erased.", text: remainderText(subject.id, remainder), json: { kept: remainder } };
    },
  }),
};

/** Only the user who runs the command may read the file. Answers what went wrong. */
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
