/** The geometry of a small bar chart, in units of its own: a page stretches it to its width. */

export const PLOT_WIDTH = 600;
export const PLOT_HEIGHT = 120;

/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.75;
/** A counted day always has a bar: a line for zero, and a higher one for little. */
const ZERO_HEIGHT = 1;
const LEAST_HEIGHT = 3;

/**
 * The bars of values from left to right, as the `d` of one SVG path, from zero up to the largest; a value that is missing leaves its
 * place empty. Empty where there is no value at all.
 */
export function drawBars(values: (number | undefined)[]): string {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  const slot = PLOT_WIDTH / Math.max(1, values.length);
  const width = slot * BAR_SHARE;
  return values
    .map((value, index) => {
      if (value === undefined) return "";
      const height = value <= 0 ? ZERO_HEIGHT : Math.max(LEAST_HEIGHT, (value / largest) * PLOT_HEIGHT);
      const left = index * slot + (slot - width) / 2;
      return `M${round(left)} ${PLOT_HEIGHT}v${round(-height)}h${round(width)}v${round(height)}z`;
    })
    .join("");
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
