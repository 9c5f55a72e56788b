import type { Cursor } from "../platform/database/database.ts";
import { formatDate, formatPenceInFull } from "../platform/format.ts";
import type { ListCell, ListColumn } from "../operations/lists/lists.ts";
import {
  isListName,
  listNames,
  lists as words,
  type ListName,
  readCursor,
  toCursorText,
} from "../operations/lists/list-table.ts";
import { lists as table } from "../refusals.ts";
import { actCommands } from "./act-command.ts";
import { type Command, type Group, readCount, refuse, UsageError } from "./command.ts";
import { withServices } from "./command-context.ts";
import { type Cell, printTable } from "../operations/acts/print.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const names: Command = {
  summary: "show which lists there are: of members, payments, codes and companies",
  example: "list names",
  run: (_input, terminal) =>
    withServices(terminal, async () => {
      const all = listNames.map((name) => ({ name, label: words[name].label, note: words[name].note }));
      const rows = all.map(({ name, note }) => [name, note]);
      return { ok: true, text: printTable(["LIST", "WHAT IS IN IT"], rows, { whenEmpty: "" }), json: { lists: all } };
    }),
};

const show: Command = {
  summary: "show a list",
  words: ["LIST"],
  options: {
    limit: { value: "N", help: `how many rows at once; otherwise ${DEFAULT_LIMIT}` },
    after: { value: "PLACE", help: "continue after the place where the last page ended" },
  },
  example: "list show ends-this-week",
  run(input, terminal) {
    const [name = ""] = input.words;
    if (!isListName(name)) throw new UsageError(`There is no list “${name}”. \`list names\` shows them.`);
    const limit = readCount(input, "limit", { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT;
    const after = parseAfter(input.value("after"));
    return withServices(terminal, async ({ services: { lists } }) => {
      if (!lists.isThere) return refuse(table["held-elsewhere"]);
      const { columns, rows, next } = await lists.readPage(name, { after, limit });
      const heads = columns.map(({ label }) => label.toUpperCase());
      const cells = rows.map((row) => row.cells.map(toPrinted));
      const shown = printTable(heads, cells, { whenEmpty: "This list is empty." });
      const cursor = next && toCursorText(next);
      const more = cursor === undefined ? "" : `\n\nThere is more: --after ${cursor}`;
      return { ok: true, text: shown + more, json: toJson(name, { columns, rows, next: cursor }) };
    });
  },
};

function parseAfter(text: string | undefined): Cursor | undefined {
  const cursor = text === undefined ? undefined : readCursor(text);
  if (text !== undefined && !cursor) throw new UsageError(`--after “${text}” isn't a place where a page ended.`);
  return cursor;
}

function toPrinted(cell: ListCell): Cell {
  if (cell instanceof Date) return formatDate(cell);
  return typeof cell === "object" ? formatPenceInFull(cell.pence) : cell;
}

type Page = { columns: ListColumn[]; rows: { cells: ListCell[] }[]; next: string | undefined };

/** By column labels: `graceEnds`. Money is pence. */
function toJson(list: ListName, { columns, rows, next }: Page) {
  const keys = columns.map(({ label }) => label[0]?.toLowerCase() + toCamel(label.slice(1)));
  const toRow = ({ cells }: Page["rows"][number]) =>
    Object.fromEntries(keys.map((key, index) => [key, toJsonCell(cells[index])]));
  return { list, rows: rows.map(toRow), next };
}

function toCamel(text: string): string {
  return text.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toJsonCell(cell: ListCell) {
  return typeof cell === "object" && "pence" in cell ? cell.pence : cell;
}

export const listCommands: Group = {
  summary: "lists of members, payments, codes and companies",
  commands: { names, show, ...actCommands("list") },
};
