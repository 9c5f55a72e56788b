import type { GapRow } from "../content/catalogue/editorial.ts";
import { sectionNames } from "../content/items/kinds.ts";
import { gapFilters, gapLabels, gaps } from "../content/items/item-facts.ts";
import { formatChoice, formatList } from "../platform/format.ts";
import { actCommands } from "./act-command.ts";
import { withServices } from "./command-context.ts";
import { type Command, type Group, type Input, UsageError } from "./command.ts";
import { MOST_ITEMS_SHOWN, printCatalogue, toCatalogueJson } from "../operations/acts/print-catalogue.ts";
import { printTable } from "../operations/acts/print.ts";

const showStatus: Command = {
  summary: "show the content a server would start with, its age, and the last fault",
  example: "catalogue status",
  run: (_input, terminal) =>
    withServices(
      terminal,
      async ({ services: { catalogue, clock } }) => {
        const status = catalogue.status();
        const text = printCatalogue(status, { now: clock() });
        return { ok: status.fault === undefined, text, json: toCatalogueJson(status) };
      },
      { isQuiet: true, hasContentAtOnce: true },
    ),
};

const gapsCommand: Command = {
  summary: "list the items without a transcript, a picture, an author or a review, or with dead links",
  options: {
    kind: { help: `only ${formatChoice(sectionNames)}`, value: "KIND" },
    gap: { help: `one of: ${gaps.join(", ")}; or none, for items with nothing missing`, value: "GAP" },
  },
  example: "catalogue gaps --kind watch --gap transcript",
  note: "It doesn't check links to other sites. --json lists them.",
  run: async (input, terminal) => {
    const section = readChoice(input, "kind", sectionNames);
    const filter = readChoice(input, "gap", gapFilters) ?? "any";
    return withServices(
      terminal,
      async ({ services }) => {
        const query = { section, filter, page: 1, perPage: Number.MAX_SAFE_INTEGER };
        const { rows = [], counts } = (await services.catalogue.editorial.listGaps(query)) ?? {};
        return { ok: true, text: printGaps(rows), json: { counts, items: rows.map(toGapsJson) } };
      },
      { isQuiet: true, hasContentAtOnce: true },
    );
  },
};

function readChoice<Choice extends string>(input: Input, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = input.value(name);
  const choice = choices.find((each) => each === value);
  if (value !== undefined && choice === undefined) throw new UsageError(`--${name} is one of: ${choices.join(", ")}.`);
  return choice;
}

/** The key of a sentence is part of the command's output. */
function toGapsJson({ findings, ...row }: GapRow) {
  return { ...row, findings: findings.map(({ gap, message }) => ({ gap, says: message })) };
}

function printGaps(items: GapRow[]): string {
  const rows = items.slice(0, MOST_ITEMS_SHOWN).map(({ kind, id, title, findings }) => {
    const labels = new Set(findings.map(({ gap }) => gapLabels[gap]));
    return [`${kind} ${id}`, title, [...labels].join(", ")];
  });
  const table = printTable(["ITEM", "TITLE", "MISSING"], rows, { whenEmpty: "No items match." });
  const rest = items.length - rows.length;
  return rest > 0 ? `${table}\n\n${rest} more items. Add --json to see them all.` : table;
}

export const catalogueCommands: Group = {
  summary: `what there is to ${formatList(sectionNames)}`,
  commands: { ...actCommands("catalogue"), status: showStatus, gaps: gapsCommand },
};
