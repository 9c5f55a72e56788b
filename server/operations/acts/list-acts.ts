import { isListName } from "../lists/list-table.ts";
import { lists as table } from "../../refusals.ts";
import { defineAct, refuseAct } from "./act.ts";
import { findDeskFile } from "./desk-files.ts";
import { optionalText } from "./fields.ts";
import { refuseKnownFile, writeNewFile } from "./new-file.ts";

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
      const refused = refuseKnownFile(file);
      if (refused) return refused;
      const { label, write } = found;
      await record({ facts: { list: label } });
      if (file === undefined) {
        const download = { name: `${item}.csv`, pass: services.lists.makePass(item, by.operator) };
        return { ok: true, message: `“${label}” is downloading.`, download };
      }
      const unwritten = await writeNewFile(file, write());
      return unwritten ?? { ok: true, message: "", text: `“${label}” is in ${file}.`, json: { file } };
    },
  }),
};
