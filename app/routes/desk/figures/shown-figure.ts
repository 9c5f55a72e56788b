import type { DailyFigures, DayFigure } from "../../../../server/operations/figures/figures.ts";
import { type FigureSpan, type Measure, measures } from "../../../../server/operations/figures/measures.ts";
import { capitalise, formatPence, formatPenceInFull } from "../../../../server/platform/format.ts";
import { findMarks } from "../parts/line-shape.ts";

type Unit = FigureSpan["unit"];
type Counted = { day: string; value: number; before: number | undefined };

/** Sum, comparison, and a sentence with the same content as the drawing. */
export function toShownFigure({ measure, days, today }: DailyFigures, span: FigureSpan) {
  const { label, description, isLevel } = measures[measure];
  const toText = (value: number) => valueText(measure, value);
  const counted = listCounted(days);
  const last = counted.at(-1);
  const sum = counted.reduce((total, { value }) => total + value, 0);
  return {
    measure,
    label,
    description,
    summary: summaryText(measure, { days, unit: span.unit }),
    sum: last && toText(isLevel ? last.value : sum),
    comparison: comparisonText(measure, { counted, span }),
    values: days.map(({ value }) => value),
    today: today === undefined ? undefined : toText(today),
  };
}

/** The points of the one that is drawn large, and their table. */
export function toLargeFigure({ measure, days }: DailyFigures, span: FigureSpan) {
  const { label } = measures[measure];
  const { unit } = span;
  const isMoney = measures[measure].unit === "pence";
  const toText = (value: number) => valueText(measure, value);
  const counted = listCounted(days);
  const most = Math.max(0, ...days.flatMap(({ value, before }) => [value ?? 0, before ?? 0]));
  const highest = findHighest(counted);
  const beforeText = `${spanWords(span)} before`;
  const hasBefore = days.some(({ before }) => before !== undefined);
  return {
    name: `${label}, ${unit} by ${unit}`,
    note:
      highest &&
      `The highest ${unit}: ${toText(highest.value)}, ${whenWords[unit]} ${spanText(highest.day, unit)}.${hasBefore ? ` Dashed: the ${beforeText}.` : ""}`,
    points: days.map(({ day, value, before }) => ({
      value,
      before,
      words: [
        `${headWords[unit]}${spanText(day, unit)}: ${value === undefined ? "not counted" : toText(value)}`,
        ...(before === undefined ? [] : [`${beforeText}: ${toText(before)}`]),
      ].join(" · "),
    })),
    marks: findMarks(most, isMoney ? 100 : 1).map((value) => ({
      value,
      words: isMoney ? formatPence(value) : number.format(value),
    })),
    first: endText(days[0]?.day ?? "", unit),
    last: endText(days.at(-1)?.day ?? "", unit),
    beforeText: hasBefore ? capitalise(beforeText) : undefined,
    rows: counted.toReversed().map(({ day, value, before }) => ({
      day: spanText(day, unit),
      value: toText(value),
      before: before === undefined ? "" : toText(before),
    })),
  };
}

function listCounted(days: DayFigure[]): Counted[] {
  return days.flatMap(({ day, value, before }) => (value === undefined ? [] : [{ day, value, before }]));
}

const number = new Intl.NumberFormat("en-GB");

function valueText(measure: Measure, value: number): string {
  return measures[measure].unit === "pence" ? formatPenceInFull(value) : number.format(value);
}

/** `12 weeks`. */
function spanWords({ unit, count }: FigureSpan): string {
  return `${count} ${unit}s`;
}

/** `2026-11-20` as dates are shown: a week by its Monday, a month as `11/2026`. */
function spanText(day: string, unit: Unit): string {
  const parts = day.split("-").toReversed();
  return (unit === "month" ? parts.slice(1) : parts).join("/");
}

/** At an end of a chart there is little room: days and weeks have no year. */
function endText(day: string, unit: Unit): string {
  return unit === "month" ? spanText(day, unit) : spanText(day, unit).slice(0, -"/2026".length);
}

const firstWords: Record<Unit, string> = { day: "", week: "weeks from ", month: "months " };
const whenWords: Record<Unit, string> = { day: "on", week: "from", month: "in" };
const headWords: Record<Unit, string> = { day: "", week: "Week from ", month: "" };

/** Only where each span has the same days before it beside it: else a missing day would look like a change. */
function comparisonText(
  measure: Measure,
  { counted, span }: { counted: Counted[]; span: FigureSpan },
): string | undefined {
  const { isLevel } = measures[measure];
  const compared = isLevel ? counted.slice(-1) : counted;
  const earlier = compared.flatMap(({ before }) => before ?? []);
  if (compared.length === 0 || earlier.length < compared.length) return undefined;
  const words = spanWords(span);
  const [now, then] = [compared.map(({ value }) => value), earlier].map(addUp);
  return changeText(now ?? 0, then ?? 0, isLevel ? `in ${words}` : `on the ${words} before`);
}

function addUp(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** `Up 12% on the 12 weeks before`. */
function changeText(now: number, then: number, when: string): string {
  if (now === then) return `No change ${when}`;
  if (then === 0) return `Up from none ${when}`;
  const percent = Math.round((Math.abs(now - then) / then) * 100);
  return `${now > then ? "Up" : "Down"} ${percent === 0 ? "less than 1" : number.format(percent)}% ${when}`;
}

function summaryText(measure: Measure, { days, unit }: { days: DayFigure[]; unit: Unit }): string {
  const { label, isLevel } = measures[measure];
  const counted = listCounted(days);
  const [last, most] = [counted.at(-1), findHighest(counted)];
  if (!last || !most) return `${label}: nothing counted yet.`;
  const dayText = (day: string) => spanText(day, unit);
  const head = `${label}, ${firstWords[unit]}${dayText(days[0]?.day ?? "")} to ${dayText(days.at(-1)?.day ?? "")}`;
  const gaps = days.length - counted.length;
  const rest = gaps === 0 ? "" : ` ${capitalise(unit)}s not counted: ${gaps}.`;
  const toText = (value: number) => valueText(measure, value);
  const when = whenWords[unit];
  if (isLevel) {
    const least = Math.min(...counted.map(({ value }) => value));
    return `${head}: between ${toText(least)} and ${toText(most.value)}, and ${toText(last.value)} ${when} ${dayText(last.day)}.${rest}`;
  }
  const sum = addUp(counted.map(({ value }) => value));
  return `${head}: ${toText(sum)} in total. The highest ${unit} is ${toText(most.value)}, ${when} ${dayText(most.day)}.${rest}`;
}

/** The first of several. */
function findHighest(counted: Counted[]): Counted | undefined {
  return counted.toSorted((a, b) => b.value - a.value)[0];
}
