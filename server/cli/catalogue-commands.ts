import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { CatalogueStatus } from "../content/catalogue.ts";
import type { ItemKind } from "../content/item.ts";
import { refuse, type Answer, type Command, type Group } from "./command.ts";
import { printFacts, printInstant, printTable } from "./print.ts";
import { withRooms } from "./command-context.ts";

const refresh: Command = {
  summary: "read the content source now, and say what was taken in, and what was left out and why",
  options: { "accept-empty": { help: "it is right that a CMS with many items has none now" } },
  example: "catalogue refresh",
  run: (input) =>
    withRooms(
      async ({ rooms }) => {
        // So that a reading that fails shows what there still is.
        await rooms.catalogue.open();
        const askedAt = rooms.clock();
        await rooms.catalogue.refresh({ acceptsEmpty: input.has("accept-empty") });
        const now = rooms.catalogue.status();
        if (now.fault === undefined && !(now.readAt && now.readAt >= askedAt)) return refuse(UNASKED);
        const left = now.skipped.map(({ id, reason }) => [id, reason]);
        const table = printTable(["ITEM", "WHY IT WAS LEFT OUT"], left, { whenEmpty: "Nothing was left out." });
        return answer(now, { now: rooms.clock(), more: now.fault === undefined ? `\n\n${table}` : "" });
      },
      { isQuiet: true },
    ),
};

const status: Command = {
  summary: "show what a server that starts now would have, since when, and what went wrong last",
  example: "catalogue status",
  run: () =>
    withRooms(async ({ rooms }) => answer(rooms.catalogue.status(), { now: rooms.clock() }), {
      isQuiet: true,
      hasContentAtOnce: true,
    }),
};

const UNASKED =
  "Nothing was read: nobody is logged in to whom the provider shows its content. What was read last stays: see `catalogue status`.";

export const catalogueCommands: Group = {
  summary: "what there is to watch, read and learn",
  commands: { refresh, status },
};

const names: [ItemKind, string][] = [
  ["watch", "Videos"],
  ["read", "Articles"],
  ["learn", "Webinars"],
];

function answer(facts: CatalogueStatus, { now, more = "" }: { now: Date; more?: string }): Answer {
  const { source, counts, readAt, isStale, fault, skipped } = facts;
  const table = printFacts([
    ...names.map(([kind, name]): [string, number] => [name, counts[kind]]),
    ["Left out", skipped.length],
    ["From", source],
    ["Read", readAt && `${printInstant(readAt)}, ${printAge(readAt, now)}`],
    ["Last fault", fault],
  ]);
  return {
    ok: fault === undefined,
    text: table + more,
    json: { source, counts, readAt, isStale, fault, skipped },
  };
}

const units: [name: string, inMs: number][] = [
  ["day", DAY_IN_MS],
  ["hour", HOUR_IN_MS],
  ["minute", MINUTE_IN_MS],
];

/** "3 minutes ago", in the largest unit that fits. */
function printAge(instant: Date, now: Date): string {
  const ms = now.getTime() - instant.getTime();
  const [name, inMs] = units.find(([, each]) => ms >= each) ?? ["minute", MINUTE_IN_MS];
  const count = Math.floor(ms / inMs);
  if (count < 1) return "just now";
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
