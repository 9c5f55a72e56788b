import { oneLine } from "../email/templates/text.ts";
import { displayWidth } from "./display-width.ts";

/** What stands in a cell; nothing is shown as a dash. */
export type Cell = string | number | undefined;

const GAP = "  ";
const NOTHING = "–";

/** A table with a heading, or `whenEmpty`. Where a row is wider than the terminal, each row is a block of lines instead. */
export function printTable(
  columns: string[],
  rows: Cell[][],
  { whenEmpty, width = process.stdout.columns }: { whenEmpty: string; width?: number | undefined },
): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [columns, ...rows.map((row) => row.map(toText))];
  const table = align(lines);
  if (width === undefined || table.every((line) => displayWidth(line) <= width)) return table.join("\n");
  return rows.map((row) => printFacts(columns.map((column, index) => [column, row[index]]))).join("\n\n");
}

/** One thing, a fact a line. */
export function printFacts(facts: [name: string, value: Cell][]): string {
  return align(facts.map(([name, value]) => [name, toText(value)])).join("\n");
}

function align(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => displayWidth(row[index] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - displayWidth(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

/** On one line, and without signs that would do something to a terminal: names are typed by anybody. */
function toText(cell: Cell): string {
  return cell === undefined || cell === "" ? NOTHING : oneLine(String(cell));
}
