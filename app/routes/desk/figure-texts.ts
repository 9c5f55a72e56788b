import type { DailyFigures, DayFigure } from "../../../server/figures/figures.ts";
import { type Measure, measures } from "../../../server/figures/rules.ts";
import { formatPenceInFull } from "../../../server/format.ts";
import { drawBars } from "./plot.ts";

/** A count by day as the desk shows it: plot, numbers, and a sentence that says the same. */
export function toShownFigure({ measure, days, today }: DailyFigures) {
  const { label, description } = measures[measure];
  const toText = (value: number) => valueText(measure, value);
  const counted = days.flatMap(({ day, value }) => (value === undefined ? [] : [{ day, value }]));
  return {
    measure,
    label,
    description,
    summary: summaryText(measure, days),
    plot: drawBars(days.map(({ value }) => value)),
    most: counted.length === 0 ? undefined : toText(Math.max(...counted.map(({ value }) => value))),
    firstDay: dayText(days[0]?.day ?? ""),
    lastDay: dayText(days.at(-1)?.day ?? ""),
    today: today === undefined ? undefined : toText(today),
    rows: counted.toReversed().map(({ day, value }) => ({ day: dayText(day), value: toText(value) })),
  };
}

const number = new Intl.NumberFormat("en-GB");

function valueText(measure: Measure, value: number): string {
  return measures[measure].unit === "pence" ? formatPenceInFull(value) : number.format(value);
}

/** `2026-11-20` as dates are shown. */
function dayText(day: string): string {
  return day.split("-").toReversed().join("/");
}

/** One or two sentences that say what the plot shows. */
function summaryText(measure: Measure, days: DayFigure[]): string {
  const { label, isLevel } = measures[measure];
  const counted = days.flatMap(({ day, value }) => (value === undefined ? [] : [{ day, value }]));
  const last = counted.at(-1);
  if (!last) return `${label}: no day is counted yet.`;
  const head = `${label}, ${dayText(days[0]?.day ?? "")} to ${dayText(days.at(-1)?.day ?? "")}`;
  const gaps = days.length - counted.length;
  const rest = gaps === 0 ? "" : ` Days that are not counted: ${gaps}.`;
  const most = counted.reduce((a, b) => (b.value > a.value ? b : a));
  const toText = (value: number) => valueText(measure, value);
  if (isLevel) {
    const least = counted.reduce((a, b) => (b.value < a.value ? b : a));
    return `${head}: between ${toText(least.value)} and ${toText(most.value)}, on ${dayText(last.day)} ${toText(last.value)}.${rest}`;
  }
  const sum = counted.reduce((total, { value }) => total + value, 0);
  return `${head}: ${toText(sum)} in all; the most on one day is ${toText(most.value)}, on ${dayText(most.day)}.${rest}`;
}
