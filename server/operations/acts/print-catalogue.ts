import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { CatalogueStatus } from "../../content/catalogue/catalogue.ts";
import type { ItemLosses } from "../../content/catalogue/intake.ts";
import { sectionNames, sections } from "../../content/items/kinds.ts";
import { printFacts, printInstant, printTable } from "./print.ts";

/** Counts, and what was left out. */
export function printCatalogue(
  status: CatalogueStatus,
  { now, hasSkipped = false }: { now: Date; hasSkipped?: boolean },
): string {
  const { source, counts, readAt, fault, skipped, losses } = status;
  const table = printFacts([
    ...sectionNames.map((section): [string, number] => [`${sections[section].one}s`, counts[section]]),
    ["Left out", skipped.length],
    ["Shown in part", losses.length],
    ["From", source],
    ["Read", readAt && `${printInstant(readAt)}, ${printAge(readAt, now)}`],
    ["Last fault", fault],
  ]);
  const parts = [
    table,
    ...(hasSkipped ? [printSkipped(status)] : []),
    ...(losses.length > 0 ? [printLosses(losses)] : []),
  ];
  return parts.join("\n\n");
}

export function toCatalogueJson({ source, counts, readAt, isStale, fault, skipped, losses }: CatalogueStatus) {
  return { source, counts, readAt, isStale, fault, skipped, losses };
}

function printSkipped({ skipped }: CatalogueStatus): string {
  const rows = skipped.map(({ id, reason }) => [id, reason]);
  return printTable(["ITEM", "WHY IT WAS LEFT OUT"], rows, { whenEmpty: "Nothing was left out." });
}

/** For people; scripts get all items. */
export const MOST_ITEMS_SHOWN = 50;

function printLosses(items: ItemLosses[]): string {
  const rows = items.slice(0, MOST_ITEMS_SHOWN).map(({ kind, id, losses }) => [`${kind} ${id}`, lossesText(losses)]);
  const table = printTable(["ITEM", "WHAT IT LOST"], rows, { whenEmpty: "" });
  const rest = items.length - rows.length;
  return `${table}\n\n${rest > 0 ? `${rest} more items have lost something. ` : ""}Add --json for the reasons.`;
}

/** "2 × frame, script": each part once, whatever the reasons. */
function lossesText(losses: ItemLosses["losses"]): string {
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
