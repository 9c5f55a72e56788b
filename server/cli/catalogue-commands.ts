import type { CatalogueStatus } from "../content/catalogue.ts";
import type { ItemKind } from "../content/item.ts";
import type { Answer, Command, Group } from "./command.ts";
import { printInstant } from "./print-instant.ts";
import { printFacts, printTable } from "./print-table.ts";
import { withRooms } from "./with-rooms.ts";

const refresh: Command = {
  summary: "read the content source now, and say what was taken in, and what was left out and why",
  example: "catalogue refresh",
  run: () =>
    withRooms(
      async ({ rooms }) => {
        await rooms.catalogue.refresh();
        const now = rooms.catalogue.status();
        const left = now.skipped.map(({ id, reason }) => [id, reason]);
        const table = printTable(["ITEM", "WHY IT WAS LEFT OUT"], left, { whenEmpty: "Nothing was left out." });
        return answer(now, now.fault === undefined ? `\n\n${table}` : "");
      },
      { isQuiet: true },
    ),
};

const status: Command = {
  summary: "show what a server that starts now would have, since when, and what went wrong last",
  example: "catalogue status",
  run: () =>
    withRooms(async ({ rooms }) => answer(rooms.catalogue.status(), ""), { isQuiet: true, hasContentAtOnce: true }),
};

export const catalogueCommands: Group = {
  summary: "what there is to watch, read and learn",
  commands: { refresh, status },
};

const names: [ItemKind, string][] = [
  ["watch", "Videos"],
  ["read", "Articles"],
  ["learn", "Webinars"],
];

function answer({ counts, readAt, fault, skipped }: CatalogueStatus, more: string): Answer {
  const facts = printFacts([
    ...names.map(([kind, name]): [string, number] => [name, counts[kind]]),
    ["Left out", skipped.length],
    ["Read", printInstant(readAt)],
    ["Last fault", fault],
  ]);
  return { ok: fault === undefined, text: facts + more, json: { counts, readAt, fault, skipped } };
}
