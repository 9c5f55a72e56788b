import type { CountedMonth } from "../../../server/money/companies/page/company-view.ts";
import { DataTable } from "../desk/parts/data-table.tsx";
import { LineChart, type LineChartProps } from "../desk/parts/line-chart.tsx";
import { findMarks } from "../desk/parts/line-shape.ts";
import styles from "./seats.module.css";

type SeatsShown = {
  /** The latest count, and who joined lately. */
  sentence: string;
  /** From the second counted month on. */
  chart: LineChartProps | undefined;
  months: { month: string; joined: string; seatsTaken: string }[];
};

const GROUP = 5;
const MONTHS_OF_SENTENCE = 12;

/** Of a company's counted months, the latest first. All figures are in fives, and so is each sum of them. */
export function toSeats(months: CountedMonth[], seatsPaid: number): SeatsShown {
  return {
    sentence: toSentence(months, seatsPaid),
    chart: months.length > 1 ? toChart(months.toReversed()) : undefined,
    months: months.map((month) => ({
      month: monthText(month),
      joined: fivesText(month.joined),
      seatsTaken: fivesText(month.seatsTaken),
    })),
  };
}

function toSentence(months: CountedMonth[], seatsPaid: number): string {
  const [last] = months;
  if (!last) return "We count at the end of each month.";
  const taken = `${capitalise(fivesText(last.seatsTaken))} of your ${seatsPaid.toLocaleString("en-GB")} seats were taken at the end of ${monthText(last)}.`;
  const shown = months.slice(0, MONTHS_OF_SENTENCE);
  const joined = shown.reduce((sum, month) => sum + month.joined, 0);
  const first = shown.at(-1);
  if (!first || shown.length === 1 || joined === 0) return taken;
  return `${taken} ${fivesText(joined)} people have joined since ${monthText(first)}.`;
}

/** `months`: the oldest first. */
function toChart(months: CountedMonth[]): LineChartProps {
  const [first, last] = [months[0], months.at(-1)].map((month) => (month ? monthText(month) : ""));
  const taken = months.map(({ seatsTaken }) => seatsTaken);
  const [least, most] = [Math.min(...taken), Math.max(...taken)].map(fivesText);
  return {
    name: "Seats taken, month by month",
    summary: `Seats taken, ${first} to ${last}: ${least === most ? most : `from ${least} to ${most}`}.`,
    points: months.map((month) => ({
      value: month.seatsTaken,
      words: `${monthText(month)}: ${fivesText(month.seatsTaken)} taken, ${fivesText(month.joined)} joined`,
    })),
    marks: findMarks(Math.max(...taken), GROUP).map((value) => ({
      value,
      words: value === 0 ? "under 5" : value.toLocaleString("en-GB"),
    })),
    first: first ?? "",
    last: last ?? "",
    note: "Seats taken at the end of each month, rounded down to the nearest 5.",
  };
}

/** Rounded down to a multiple of five. */
function fivesText(count: number): string {
  return count === 0 ? "fewer than five" : `${count.toLocaleString("en-GB")} or more`;
}

function monthText({ month }: CountedMonth): string {
  const [year, number] = month.split("-");
  return `${monthNames[Number(number) - 1]} ${year}`;
}

const monthNames = "January February March April May June July August September October November December".split(" ");

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence and a chart; the numbers of each month are folded away. */
export function Seats({ sentence, chart, months }: SeatsShown) {
  return (
    <>
      <p className={styles.sentence}>{sentence}</p>
      {chart && <LineChart {...chart} />}
      {months.length > 0 && (
        <details className={styles.numbers}>
          <summary>The numbers, month by month</summary>
          <DataTable
            caption="Counted at the end of each month and rounded down to the nearest 5 (“fewer than five”, even if none)."
            isCaptionShown
            columns={["Month", { label: "Joined", isNumber: true }, { label: "Seats taken", isNumber: true }]}
            rows={months.map(({ month, joined, seatsTaken }) => ({ key: month, cells: [month, joined, seatsTaken] }))}
            whenEmpty=""
          />
        </details>
      )}
    </>
  );
}
