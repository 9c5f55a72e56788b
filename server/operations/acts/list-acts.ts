import { createWriteStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { errorText } from "../../platform/faults.ts";
import { isListName } from "../lists/list-table.ts";
import { lists as table } from "../../refusals.ts";
import { type ActResult, defineAct, refuseAct } from "./act.ts";
import { type DeskFile, findDeskFile } from "./desk-files.ts";
import { optionalText } from "./fields.ts";

export const listActs = {
  "list csv": defineAct({
    subject: "none",
    item: { words: ["LIST"] },
    fields: {
      out: {
        label: "File",
        hint: "A new file to write to.",
        schema: optionalText,
        value: "FILE",
        atDesk: "",
      },
    },
    audit: "Downloaded a list",
    desk: {
      role: "owner",
      title: "Download {what} (CSV)",
      button: "Download",
      pending: "Preparing...",
      note: "This file holds names, addresses and amounts. The audit log shows that you downloaded it.",
      isDownload: true,
    },
    command: {
      summary: "write a list, or the collections, to a file for spreadsheets",
      example: "list csv ends-this-week --out ends.csv",
    },
    async run({ out: file }, { services, by, item, record }) {
      if (isListName(item) && !services.lists.isThere) return refuseAct(table["held-elsewhere"]);
      const found = await findDeskFile(services, item);
      if (!found) return refuseAct(table["no-list"]);
      if (file !== undefined && existsSync(file)) return refuseAct(`${file} already exists. Name a new file.`);
      await record({ facts: { list: found.label } });
      if (file !== undefined) return writeList(found, file);
      const message = `“${found.label}” is downloading.`;
      return { ok: true, message, download: { name: `${item}.csv`, pass: services.lists.makePass(item, by.operator) } };
    },
  }),
};

/** Only the user who runs the command may read the file. */
async function writeList({ label, write }: DeskFile, file: string): Promise<ActResult> {
  try {
    await pipeline(Readable.from(write()), createWriteStream(file, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    return refuseAct(`We couldn't write the file: ${errorText(error)}`);
  }
  return { ok: true, message: "", text: `“${label}” is in ${file}.`, json: { file } };
}
