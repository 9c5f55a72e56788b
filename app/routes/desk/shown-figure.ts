import type { DailyFigures, DayFigure } from "../../../server/operations/figures/figures.ts";
import { type FigureSpan, type Measure, measures } from "../../../server/operations/figures/measures.ts";
import { formatPenceInFull } from "../../../server/platform/format.ts";

type Unit = FigureSpan["unit"];

/** Sum, plot, numbers, and a sentence with the same content. */
export function toShownFigure({ measure, days, today }: DailyFigures, unit: Unit) {
  const { label, description, isLevel } = measures[measure];
  const toText = (value: number) => valueText(measure, value);
  const counted = listCounted(days);
  const last = counted.at(-1);
  const sum = counted.reduce((total, { value }) => total + value, 0);
  return {
    measure,
    label,
    description,
    summary: summaryText(measure, { days, unit }),
    sum: last && toText(isLevel ? last.value : sum),
    values: days.map(({ value }) => value),
    most: last && toText(Math.max(...counted.map(({ value }) => value))),
    first: endText(days[0]?.day ?? "", unit),
    last: endText(days.at(-1)?.day ?? "", unit),
    today: today === undefined ? undefined : toText(today),
    rows: counted.toReversed().map(({ day, value }) => ({ day: spanText(day, unit), value: toText(value) })),
  };
}

function listCounted(days: DayFigure[]): { day: string; value: number }[] {
  return days.flatMap(({ day, value }) => (value === undefined ? [] : [{ day, value }]));
}

const number = new Intl.NumberFormat("en-GB");

function valueText(measure: Measure, value: number): string {
  return measures[measure].unit === "pence" ? formatPenceInFull(value) : number.format(value);
}

/** `2026-11-20` as dates are shown: a week by its Monday, a month as `11/2026`. */
function spanText(day: string, unit: Unit): string {
  const parts = day.split("-").toReversed();
  return (unit === "month" ? parts.slice(1) : parts).join("/");
}

/** At an end of a plot there is little room: days and weeks have no year. */
function endText(day: string, unit: Unit): string {
  return unit === "month" ? spanText(day, unit) : spanText(day, unit).slice(0, -"/2026".length);
}

const firstWords: Record<Unit, string> = { day: "", week: "weeks from ", month: "months " };
const whenWords: Record<Unit, string> = { day: "on", week: "from", month: "in" };

/** One or two sentences about the plot. */
function summaryText(measure: Measure, { days, unit }: { days: DayFigure[]; unit: Unit }): string {
  const { label, isLevel } = measures[measure];
  const counted = listCounted(days);
  const last = counted.at(-1);
  if (!last) return `${label}: nothing counted yet.`;
  const dayText = (day: string) => spanText(day, unit);
  const head = `${label}, ${firstWords[unit]}${dayText(days[0]?.day ?? "")} to ${dayText(days.at(-1)?.day ?? "")}`;
  const gaps = days.length - counted.length;
  const rest =
    gaps === 0 ? "" : ` ${unit === "day" ? "Days" : unit === "week" ? "Weeks" : "Months"} not counted: ${gaps}.`;
  const most = counted.reduce((a, b) => (b.value > a.value ? b : a));
  const toText = (value: number) => valueText(measure, value);
  const when = whenWords[unit];
  if (isLevel) {
    const least = counted.reduce((a, b) => (b.value < a.value ? b : a));
    return `${head}: between ${toText(least.value)} and ${toText(most.value)}, and ${toText(last.value)} ${when} ${dayText(last.day)}.${rest}`;
  }
  const sum = counted.reduce((total, { value }) => total + value, 0);
  return `${head}: ${toText(sum)} in total. The highest ${unit} is ${toText(most.value)}, ${when} ${dayText(most.day)}.${rest}`;
}

/** In units of its own: a page stretches it to its width. */
export const PLOT_WIDTH = 600;
export const PLOT_HEIGHT = 120;

/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.75;
/** A counted day always has a bar: a line for zero, and a higher one for little. */
const ZERO_HEIGHT = 1;
const LEAST_HEIGHT = 3;

/**
 * The `d` of one SVG path, from zero up to the largest; a missing value leaves its place empty. Empty without any
 * value.
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
