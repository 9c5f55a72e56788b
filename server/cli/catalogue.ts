import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { CatalogueStatus } from "../content/catalogue.ts";
import type { GapRow } from "../content/editorial.ts";
import type { ItemLosses } from "../content/intake.ts";
import { itemKinds, kinds } from "../content/kinds.ts";
import { gapFilters, gapLabels, gaps } from "../content/rules.ts";
import { formatChoice, formatList } from "../format.ts";
import { withServices } from "./command-context.ts";
import { type Answer, type Command, type Group, type Input, refuse, UsageError } from "./command.ts";
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

const gapsCommand: Command = {
  summary: "list the items that lack a transcript, a picture, an author or a review, or have dead links",
  options: {
    kind: { help: `${formatChoice(itemKinds)} alone`, value: "KIND" },
    gap: { help: `one of: ${gaps.join(", ")}; none for the items that lack nothing`, value: "GAP" },
  },
  example: "catalogue gaps --kind watch --gap transcript",
  note: "Addresses of other sites are not tried: --json lists them.",
  run: async (input) => {
    const kind = readChoice(input, "kind", itemKinds);
    const filter = readChoice(input, "gap", gapFilters) ?? "any";
    return withServices(
      async ({ services }) => {
        const wish = { kind, filter, page: 1, perPage: Number.MAX_SAFE_INTEGER };
        const { rows = [], counts } = (await services.catalogue.editorial.listGaps(wish)) ?? {};
        return { ok: true, text: printGaps(rows), json: { counts, items: rows } };
      },
      { isQuiet: true, hasContentAtOnce: true },
    );
  },
};

/** @throws {UsageError} on a value that is none of them. */
function readChoice<Choice extends string>(input: Input, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = input.value(name);
  const choice = choices.find((each) => each === value);
  if (value !== undefined && choice === undefined) throw new UsageError(`--${name} is one of: ${choices.join(", ")}.`);
  return choice;
}

function printGaps(items: GapRow[]): string {
  const rows = items.slice(0, MOST_ITEMS_SHOWN).map(({ kind, id, title, findings }) => {
    const labels = new Set(findings.map(({ gap }) => gapLabels[gap]));
    return [`${kind} ${id}`, title, [...labels].join(", ")];
  });
  const table = printTable(["ITEM", "TITLE", "MISSING"], rows, { whenEmpty: "No item is like that." });
  const rest = items.length - rows.length;
  return rest > 0 ? `${table}\n\n${rest} more items. Add --json for them all.` : table;
}

const UNASKED =
  "Nothing was read: the provider shows its content to subscribers alone, and none is logged in. What was read last stays: see `catalogue status`.";

export const catalogueCommands: Group = {
  summary: `what there is to ${formatList(itemKinds)}`,
  commands: { refresh, status, gaps: gapsCommand },
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
