import { href } from "react-router";

import { DataTable } from "../data-table.tsx";
import { TabLink } from "../../../components/links.tsx";
import { requireServices } from "../../../middleware/guards.ts";
import { withSearch } from "../../../paths.ts";
import type { Route } from "./+types/figures.ts";
import { DeskPage } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { PLOT_HEIGHT, PLOT_WIDTH, toShownFigure } from "../shown-figure.ts";
import desk from "../desk.module.css";
import styles from "../health.module.css";

export const handle: ScreenHandle = { tab: "Health", link: "Figures", order: 55, key: "f" };

const spans = [30, 90] as const;

/** Counts by day, and the searches without a result. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { figures, emptySearches } = requireServices(context);
  const days = spans.find((each) => String(each) === searchParams.get("days")) ?? spans[0];
  const [listed, searches] = await Promise.all([figures.list(days), emptySearches.listFrequent()]);
  return {
    days,
    figures: listed.map(toShownFigure),
    searches,
  };
}

export default function Figures({ loaderData }: Route.ComponentProps) {
  const { days, figures, searches } = loaderData;
  return (
    <DeskPage title="Figures">
      <nav aria-label="How far back" className={desk.links}>
        {spans.map((span) => (
          <TabLink
            key={span}
            to={withSearch(href("/desk/figures"), { days: span })}
            aria-current={span === days ? "page" : undefined}
          >{`${span} days`}</TabLink>
        ))}
      </nav>
      <p className={desk.note}>
        {figures.length > 0
          ? "A day is counted once, when it is over in London; what happens later changes no figure."
          : "Members and orders are kept by the provider, and counted there."}
      </p>
      {figures.map((figure) => (
        <Figure key={figure.measure} {...figure} />
      ))}
      <section className={desk.section}>
        <h2>Searches without a result</h2>
        <p className={desk.note}>
          What five members and more searched for within one month, in the last ninety days. Who they are is not kept.
        </p>
        <DataTable
          caption="Searches without a result"
          columns={["Searched for", "By"]}
          rows={searches.map(({ term, atLeast }) => ({ key: term, cells: [term, `${atLeast} members or more`] }))}
          whenEmpty="Nothing that five members and more searched for in vain."
        />
      </section>
    </DeskPage>
  );
}

function Figure(figure: Route.ComponentProps["loaderData"]["figures"][number]) {
  const { label, description, summary, plot, most, firstDay, lastDay, today, rows } = figure;
  return (
    <section className={desk.section}>
      <h2>{label}</h2>
      <p className={desk.note}>
        {description}
        {today !== undefined && ` Today so far: ${today}.`}
      </p>
      {most === undefined ? (
        <p className={desk.empty}>{summary}</p>
      ) : (
        <>
          <figure className={styles.plot}>
            <span className={styles.scale}>{`Up to ${most}`}</span>
            <svg
              viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={summary}
            >
              <path d={plot} />
            </svg>
            <span className={styles.day}>{firstDay}</span>
            <span className={styles.day}>{lastDay}</span>
          </figure>
          <details className={styles.numbers}>
            <summary>The numbers</summary>
            <DataTable
              caption={label}
              columns={["Day", { label, isNumber: true }]}
              rows={rows.map(({ day, value }) => ({ key: day, cells: [day, value] }))}
              whenEmpty=""
            />
          </details>
        </>
      )}
    </section>
  );
}
