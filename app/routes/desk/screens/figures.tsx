import { href } from "react-router";

import type { FigureSpan } from "../../../../server/operations/figures/measures.ts";
import { DataTable } from "../data-table.tsx";
import { TabLink } from "../../../components/links.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/figures.ts";
import { DeskPage } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { Plot } from "../plot.tsx";
import { toShownFigure } from "../shown-figure.ts";
import desk from "../desk.module.css";
import styles from "../figures.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Figures", order: 55, key: "f" };

const spans: Record<SpanName, { label: string; span: FigureSpan }> = {
  weeks: { label: "12 weeks", span: { unit: "week", count: 12 } },
  months: { label: "12 months", span: { unit: "month", count: 12 } },
  "30": { label: "30 days", span: { unit: "day", count: 30 } },
  "90": { label: "90 days", span: { unit: "day", count: 90 } },
};

const searches: Record<SpanName, Record<string, string>> = {
  weeks: {},
  months: { span: "months" },
  "30": { days: "30" },
  "90": { days: "90" },
};

type SpanName = "weeks" | "months" | "30" | "90";

function readSpan(params: URLSearchParams): SpanName {
  if (params.get("span") === "months") return "months";
  const days = params.get("days");
  return days === "30" || days === "90" ? days : "weeks";
}

/** Counts by week, month and day, and searches without a result. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { figures, emptySearches, capabilities } = requireServices(context);
  const name = readSpan(searchParams);
  const { span } = spans[name];
  const [listed, frequent] = await Promise.all([figures.list(span), emptySearches.listFrequent()]);
  return {
    name,
    unit: span.unit,
    holdsAll: capabilities.holdsAll,
    figures: listed.map((figure) => toShownFigure(figure, span.unit)),
    searches: frequent,
  };
}

export default function Figures({ loaderData }: Route.ComponentProps) {
  const { name, unit, holdsAll, figures, searches: frequent } = loaderData;
  return (
    <DeskPage title="Figures">
      <nav aria-label="How far back" className={desk.links}>
        {(["weeks", "months", "30", "90"] as const).map((each) => (
          <TabLink
            key={each}
            to={withSearch(href("/desk/figures"), searches[each])}
            aria-current={each === name ? "page" : undefined}
          >
            {spans[each].label}
          </TabLink>
        ))}
      </nav>
      <div className={styles.figures}>
        {figures.map((figure) => (
          <Figure key={figure.measure} unit={unit} {...figure} />
        ))}
      </div>
      <p className={desk.note}>
        {[
          holdsAll
            ? "We count each day once, when it ends in London. Later changes don't alter it."
            : "The provider holds the members and orders, and counts them.",
          "We count plays and searches, never who they were by.",
          unit === "day" ? "" : `The last ${unit} isn't over yet.`,
        ].join(" ")}
      </p>
      <section className={desk.section}>
        <h2>Searches with no results</h2>
        <p className={desk.note}>
          What five or more members searched for in one month and didn't find, over the last 90 days. We don't show who.
        </p>
        <DataTable
          caption="Searches with no results"
          columns={["Searched for", "By"]}
          rows={frequent.map(({ term, atLeast }) => ({ key: term, cells: [term, `${atLeast} members or more`] }))}
          whenEmpty="Nothing yet."
        />
      </section>
    </DeskPage>
  );
}

const unitLabels = { day: "Day", week: "Week from", month: "Month" };

type FigureProps = Route.ComponentProps["loaderData"]["figures"][number] & { unit: FigureSpan["unit"] };

function Figure({ unit, label, description, summary, sum, values, most, first, last, today, rows }: FigureProps) {
  return (
    <section className={styles.figure}>
      <h2>{label}</h2>
      {sum !== undefined && <p className={styles.sum}>{sum}</p>}
      <p className={styles.note}>
        <span className={styles.description}>{description}</span>
        {today !== undefined && <span>{` Today so far: ${today}.`}</span>}
      </p>
      {most === undefined ? (
        <p className={styles.note}>{summary}</p>
      ) : (
        <>
          <Plot {...{ summary, values, most, first, last }} />
          <details className={styles.numbers}>
            <summary>
              The numbers<span className="visually-hidden">: {label}</span>
            </summary>
            <DataTable
              caption={label}
              columns={[unitLabels[unit], { label, isNumber: true }]}
              rows={rows.map(({ day, value }) => ({ key: day, cells: [day, value] }))}
              whenEmpty=""
            />
          </details>
        </>
      )}
    </section>
  );
}
