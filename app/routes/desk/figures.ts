import { type Measure, measures } from "../../../server/figures/rules.ts";
import type { DailyFigures, DayFigure } from "../../../server/figures/figures.ts";
import { formatPenceInFull } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import { drawBars } from "./plot.ts";
import type { DeskView } from "./view.ts";

/** Counts by day, and the searches without a result. */

const spans = [30, 90] as const;

export async function findFiguresScreen({ figures, emptySearches }: Services, { params }: DeskView) {
  const days = spans.find((each) => String(each) === params.get("days")) ?? spans[0];
  const [listed, searches] = await Promise.all([figures.list(days), emptySearches.listFrequent()]);
  return {
    name: "figures" as const,
    title: "Figures",
    days,
    spans: [...spans],
    figures: listed.map(toShown),
    searches,
  };
}

export type FiguresScreen = Awaited<ReturnType<typeof findFiguresScreen>>;

function toShown({ measure, days, today }: DailyFigures) {
  const { label, says } = measures[measure];
  const say = (value: number) => sayValue(measure, value);
  const counted = days.flatMap(({ day, value }) => (value === undefined ? [] : [{ day, value }]));
  return {
    measure,
    label,
    says,
    summary: summarise(measure, days),
    plot: drawBars(days.map(({ value }) => value)),
    most: counted.length === 0 ? undefined : say(Math.max(...counted.map(({ value }) => value))),
    firstDay: sayDay(days[0]?.day ?? ""),
    lastDay: sayDay(days.at(-1)?.day ?? ""),
    today: today === undefined ? undefined : say(today),
    rows: counted.toReversed().map(({ day, value }) => ({ day: sayDay(day), value: say(value) })),
  };
}

const number = new Intl.NumberFormat("en-GB");

function sayValue(measure: Measure, value: number): string {
  return measures[measure].unit === "pence" ? formatPenceInFull(value) : number.format(value);
}

/** `2026-11-20` as dates are shown. */
function sayDay(day: string): string {
  return day.split("-").toReversed().join("/");
}

/** What the plot shows, in one or two sentences. */
function summarise(measure: Measure, days: DayFigure[]): string {
  const { label, isLevel } = measures[measure];
  const counted = days.flatMap(({ day, value }) => (value === undefined ? [] : [{ day, value }]));
  const last = counted.at(-1);
  if (!last) return `${label}: no day is counted yet.`;
  const head = `${label}, ${sayDay(days[0]?.day ?? "")} to ${sayDay(days.at(-1)?.day ?? "")}`;
  const gaps = days.length - counted.length;
  const rest = gaps === 0 ? "" : ` Days that are not counted: ${gaps}.`;
  const most = counted.reduce((a, b) => (b.value > a.value ? b : a));
  const say = (value: number) => sayValue(measure, value);
  if (isLevel) {
    const least = counted.reduce((a, b) => (b.value < a.value ? b : a));
    return `${head}: between ${say(least.value)} and ${say(most.value)}, on ${sayDay(last.day)} ${say(last.value)}.${rest}`;
  }
  const sum = counted.reduce((total, { value }) => total + value, 0);
  return `${head}: ${say(sum)} in all; the most on one day is ${say(most.value)}, on ${sayDay(most.day)}.${rest}`;
}
