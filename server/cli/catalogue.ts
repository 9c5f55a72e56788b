import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { CatalogueStatus } from "../content/catalogue.ts";
import type { ItemLosses } from "../content/intake.ts";
import { itemKinds, kinds } from "../content/kinds.ts";
import { withServices } from "./command-context.ts";
import { type Answer, type Command, type Group, refuse } from "./command.ts";
import { printFacts, printInstant, printTable } from "./print.ts";

const refresh: Command = {
  summary: "read the content source now, and say what was taken in, what was left out, and what items lost",
  options: { "accept-empty": { help: "it is right that a CMS with many items has none now" } },
  example: "catalogue refresh",
  run: (input) =>
    withServices(
      async ({ services }) => {
        // So that a reading that fails shows what there still is.
        await services.catalogue.open();
        const askedAt = services.clock();
        await services.catalogue.refresh({ acceptsEmpty: input.has("accept-empty") });
        const now = services.catalogue.status();
        if (now.fault === undefined && !(now.readAt && now.readAt >= askedAt)) return refuse(UNASKED);
        return answer(now, { now: services.clock(), hasSkipped: now.fault === undefined });
      },
      { isQuiet: true },
    ),
};

const status: Command = {
  summary: "show what a server that starts now would have, since when, and what went wrong last",
  example: "catalogue status",
  run: () =>
    withServices(async ({ services }) => answer(services.catalogue.status(), { now: services.clock() }), {
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

function answer(facts: CatalogueStatus, { now, hasSkipped = false }: { now: Date; hasSkipped?: boolean }): Answer {
  const { source, counts, readAt, isStale, fault, skipped, losses } = facts;
  const table = printFacts([
    ...itemKinds.map((kind): [string, number] => [`${kinds[kind].one}s`, counts[kind]]),
    ["Left out", skipped.length],
    ["Shown in part", losses.length],
    ["From", source],
    ["Read", readAt && `${printInstant(readAt)}, ${printAge(readAt, now)}`],
    ["Last fault", fault],
  ]);
  const parts = [
    table,
    ...(hasSkipped ? [printSkipped(facts)] : []),
    ...(losses.length > 0 ? [printLosses(losses)] : []),
  ];
  return {
    ok: fault === undefined,
    text: parts.join("\n\n"),
    json: { source, counts, readAt, isStale, fault, skipped, losses },
  };
}

function printSkipped({ skipped }: CatalogueStatus): string {
  const rows = skipped.map(({ id, reason }) => [id, reason]);
  return printTable(["ITEM", "WHY IT WAS LEFT OUT"], rows, { whenEmpty: "Nothing was left out." });
}

/** Items that are shown to people; scripts read them all. */
const MOST_ITEMS_SHOWN = 50;

function printLosses(items: ItemLosses[]): string {
  const rows = items.slice(0, MOST_ITEMS_SHOWN).map(({ kind, id, losses }) => [`${kind} ${id}`, listParts(losses)]);
  const table = printTable(["ITEM", "WHAT COULD NOT BE BROUGHT IN"], rows, { whenEmpty: "" });
  const rest = items.length - rows.length;
  return `${table}\n\n${rest > 0 ? `${rest} more items have lost something. ` : ""}Add --json for the reasons.`;
}

/** "2 × frame, script": one thing once, for whatever reasons it was lost. */
function listParts(losses: ItemLosses["losses"]): string {
  const counts = new Map<string, number>();
  for (const { what, count } of losses) counts.set(what, (counts.get(what) ?? 0) + count);
  return [...counts].map(([what, count]) => (count > 1 ? `${count} × ${what}` : what)).join(", ");
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
