import { oneLine } from "../../platform/email/layout.ts";
import { formatDateTime } from "../../platform/format.ts";

/** An empty cell is shown as a dash. */
export type Cell = string | number | undefined;

const GAP = "  ";
const NOTHING = "–";

/** A table, or `whenEmpty`. A row wider than the terminal turns each row into a block of lines. */
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

/** On one line, without characters that control a terminal: names are untrusted input. */
function toText(cell: Cell): string {
  return cell === undefined || cell === "" ? NOTHING : oneLine(String(cell));
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** East Asian characters and emoji take two columns of a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f|[\u{20000}-\u{3fffd}]/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return width;
}

/** In London: `20/11/2026 03:00`. */
export function printInstant(instant: Date | undefined): string | undefined {
  return instant && formatDateTime(instant);
}

/** An undefined field becomes null, so that a shape always has the same names. */
export function printJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (each === undefined ? null : each), 2);
}

type PrintedNote = { id: number; text: string; operator: string; notedAt: Date };

export function printNotes(notes: PrintedNote[]): string {
  const rows = notes.map(({ id, text, operator, notedAt }) => [id, printInstant(notedAt), operator, text]);
  return printTable(["NOTE", "WHEN", "OPERATOR", "TEXT"], rows, { whenEmpty: "There are no notes." });
}
