import { cpus, release, totalmem } from "node:os";

import { median, medianRatio, type Rounds } from "./measure.ts";

/** A row of `bench/results.md`. */
export type Row = {
  id: string;
  what: string;
  figure: string;
  /** The figure to compare with: the limit's, or another of our own. */
  beside: string;
  ratio: string;
  bar: string;
  isMet: boolean;
};

type Comparison = {
  id: string;
  what: string;
  rounds: Rounds;
  beside?: Rounds;
  maxRatio?: number;
  maxInMs?: number;
};

/** A row about CPU milliseconds a request, with a bar for the ratio, for the figure itself, or for both. */
export function compareRow({ id, what, rounds, beside, maxRatio = Infinity, maxInMs = Infinity }: Comparison): Row {
  const ratio = beside && medianRatio(rounds, beside);
  const bars = [...(maxRatio < Infinity ? [`${maxRatio}x`] : []), ...(maxInMs < Infinity ? [`${maxInMs} ms`] : [])];
  return {
    id,
    what,
    figure: toMs(median(rounds)),
    beside: beside ? toMs(median(beside)) : "",
    ratio: ratio === undefined ? "" : `${ratio.toFixed(2)}x`,
    bar: bars.map((bar) => `≤ ${bar}`).join(", "),
    isMet: (ratio ?? 0) <= maxRatio && median(rounds) <= maxInMs,
  };
}

/** A row without a comparison. */
export function amountRow(
  row: Pick<Row, "id" | "what">,
  { amount, max, unit, digits = 0 }: { amount: number; max: number; unit: string; digits?: number },
): Row {
  const figure = `${amount.toFixed(digits)} ${unit}`;
  return { ...row, figure, beside: "", ratio: "", bar: `≤ ${max.toFixed(digits)} ${unit}`, isMet: amount <= max };
}

function toMs(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}

export function toTable(rows: Row[]): string {
  const lines = [
    ["#", "what", "figure", "beside", "ratio", "bar", "verdict"],
    ...rows.map(({ id, what, figure, beside, ratio, bar, isMet }) => [
      id,
      what,
      figure,
      beside,
      ratio,
      bar,
      isMet ? "met" : "**missed**",
    ]),
  ];
  return alignTable(lines);
}

/** A Markdown table with aligned columns; the first line is its head. */
export function alignTable(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...body] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n");
}

/** The machine, without which the figures mean nothing. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} cores (${processors[0]?.model.trim() ?? "unknown"}), ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** `bench/results.md`: the figures and how they were made. */
export function toDocument(rows: Row[]): string {
  const day = new Date().toISOString().slice(0, 10);
  return `# Figures of the bench

Written by \`npm run bench\` on ${day}: ${describeMachine()}.

Times are CPU milliseconds of the server process for one request, the middle of interleaved rounds.
[docs/performance.md](../docs/performance.md) says what the rows mean and why some bars are missed.

${toTable(rows)}
`;
}
