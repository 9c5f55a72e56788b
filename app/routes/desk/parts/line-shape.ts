/** The geometry of line charts, in units of their own: a page stretches them to its width. */
export const CHART_WIDTH = 600;
export const CHART_HEIGHT = 120;

type Values = (number | undefined)[];

export function toX(index: number, count: number): number {
  return count < 2 ? CHART_WIDTH / 2 : round((index / (count - 1)) * CHART_WIDTH);
}

export function toY(value: number, top: number): number {
  return round(CHART_HEIGHT * (1 - value / top));
}

/**
 * The `d` of an SVG path from zero up to `top`; a missing value leaves a gap, and a value between two gaps is a dot.
 * Empty without any value.
 */
export function drawLine(values: Values, top: number): string {
  return listRuns(values)
    .map((run) => {
      const points = run.map(({ index, value }) => `${toX(index, values.length)} ${toY(value, top)}`);
      // Of a line without length the round ends are drawn.
      return `M${points.join("L")}${points.length === 1 ? "h0" : ""}`;
    })
    .join("");
}

/** The area under the line. */
export function drawArea(values: Values, top: number): string {
  return listRuns(values)
    .filter((run) => run.length > 1)
    .map((run) => {
      const points = run.map(({ index, value }) => `L${toX(index, values.length)} ${toY(value, top)}`);
      const [from, to] = [run[0], run.at(-1)].map((end) => toX(end?.index ?? 0, values.length));
      return `M${from} ${CHART_HEIGHT}${points.join("")}L${to} ${CHART_HEIGHT}z`;
    })
    .join("");
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Zero, a middle and a top for the scale, in round numbers and whole multiples of `least`. */
export function findMarks(largest: number, least = 1): [zero: number, middle: number, top: number] {
  const half = Math.max(largest / 2 / least, 1);
  const power = 10 ** Math.floor(Math.log10(half));
  const step = steps.map((each) => each * power).find((each) => each >= half && Number.isInteger(each)) ?? half;
  return [0, step * least, 2 * step * least];
}

function listRuns(values: Values): { index: number; value: number }[][] {
  const runs: { index: number; value: number }[][] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    if (index === 0 || values[index - 1] === undefined) runs.push([]);
    runs.at(-1)?.push({ index, value });
  }
  return runs;
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
