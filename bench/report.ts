import { cpus, release, totalmem } from "node:os";

import { median, medianRatio, type Rounds } from "./measure.ts";

/** One row of `docs/performance.md`. */
export type Row = {
  id: string;
  what: string;
  figure: string;
  /** What the figure is set beside: the limit's, or another of our own. */
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

/** A row about a figure that stands for itself. */
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

/** The rows as a table of Markdown, which reads as well in a terminal. */
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
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...body] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n");
}

/** Where the figures come from; without it they say nothing. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} cores (${processors[0]?.model.trim() ?? "unknown"}), ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** `docs/performance.md`: the figures anew, and under them what people have written about them. */
export function toDocument(rows: Row[], previous: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `# Performance

Written by \`npm run bench\` on ${day}: ${describeMachine()}.

All servers run side by side on one machine, each asked over 16 kept connections as a browser asks (\`Accept-Encoding\` with Brotli and zstd). Times are CPU milliseconds of the server process for one request, the middle of interleaved rounds; ratios are taken round by round. The times change with the machine, the ratios much less.

The **limit** is the cheapest honest way to make the same page: the same React tree, rendered with \`renderToString\` by a bare \`node:http\` handler, data in memory, no router, no compression and no data to hydrate from. The **stock server** is \`react-router-serve\` with the same build. Contents are made up: items of 600 words, as many as the row says.

${toTable(rows)}
${notesIn(previous)}`;
}

/** Everything from the first heading under the figures on. */
function notesIn(document: string): string {
  const start = document.indexOf("\n## ");
  return start === -1 ? "" : document.slice(start);
}
