import { data, href, Link } from "react-router";

import type { DailyFigures } from "../../../../server/operations/figures/figures.ts";
import type { FigureSpan } from "../../../../server/operations/figures/measures.ts";
import { DataTable } from "../parts/data-table.tsx";
import { TabLink } from "../../../components/links.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/figures.ts";
import { DeskPage } from "../desk-page.tsx";
import { LineChart, SmallLine } from "../parts/line-chart.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { toLargeFigure, toShownFigure } from "../figures/shown-figure.ts";
import screen from "../screen.module.css";
import styles from "../figures/figures.module.css";

export const handle: ScreenHandle = { tab: "Figures", order: 65, key: "f" };

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

/** Counts by week, month and day, one of them large, and searches without a result. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { figures, emptySearches, capabilities } = requireServices(context);
  const name = readSpan(searchParams);
  const { span } = spans[name];
  const [listed, frequent] = await Promise.all([figures.list(span), emptySearches.listFrequent()]);
  const chosen = searchParams.get("figure");
  const large = chosen === null ? listed[0] : listed.find(({ measure }) => measure === chosen);
  if (!large) throw data(null, { status: 404 });
  const toPath = (measure: string, at: SpanName) =>
    withSearch(href("/desk/figures"), {
      ...searches[at],
      figure: measure === listed[0]?.measure ? undefined : measure,
    });
  return {
    unit: span.unit,
    holdsAll: capabilities.holdsAll,
    spans: spanNames.map((each) => ({
      label: spans[each].label,
      path: toPath(large.measure, each),
      isShown: each === name,
    })),
    large: { ...toShownFigure(large, span), ...toLargeFigure(large, span) },
    small: listed
      .filter((each) => each !== large)
      .map((each) => toSmall(each, { span, path: toPath(each.measure, name) })),
    searches: frequent,
  };
}

const spanNames = ["weeks", "months", "30", "90"] as const;

function toSmall(figure: DailyFigures, { span, path }: { span: FigureSpan; path: string }) {
  const { measure, label, summary, sum, comparison, values } = toShownFigure(figure, span);
  return { measure, label, summary, sum, comparison, values, path };
}

export default function Figures({ loaderData }: Route.ComponentProps) {
  const { unit, holdsAll, large, small, searches: frequent } = loaderData;
  return (
    <DeskPage title="Figures">
      <nav aria-label="How far back" className={screen.links}>
        {loaderData.spans.map(({ label, path, isShown }) => (
          <TabLink key={label} to={path} aria-current={isShown ? "page" : undefined}>
            {label}
          </TabLink>
        ))}
      </nav>
      <Large unit={unit} {...large} />
      {small.length > 0 && (
        <ul className={styles.figures}>
          {small.map((figure) => (
            <Small key={figure.measure} {...figure} />
          ))}
        </ul>
      )}
      <p className={screen.note}>
        {[
          holdsAll
            ? "We count each day once, when it ends in London. Later changes don't alter it."
            : "The provider holds the members and orders, and counts them.",
          "We count plays and searches, never who they were by.",
          unit === "day" ? "" : `The last ${unit} isn't over yet.`,
        ].join(" ")}
      </p>
      <section className={screen.section}>
        <h2>Searches with no results</h2>
        <p className={screen.note}>
          What five or more members searched for in one month and didn't find, over the last 90 days. We don't show who.
        </p>
        <DataTable
          caption="Searches with no results"
          columns={["Searched for", "By", "Help them"]}
          rows={frequent.map(({ term, atLeast }) => ({
            key: term,
            cells: [
              term,
              `${atLeast} members or more`,
              <Link key="add" to={withSearch(href("/desk/search"), { q: term })}>
                Add words to an item<span className="visually-hidden">: {term}</span>
              </Link>,
            ],
          }))}
          whenEmpty="Nothing yet."
        />
      </section>
    </DeskPage>
  );
}

const unitLabels = { day: "Day", week: "Week from", month: "Month" };

type LargeProps = Route.ComponentProps["loaderData"]["large"] & { unit: FigureSpan["unit"] };

function Large({ unit, label, description, summary, sum, comparison, today, rows, beforeText, ...chart }: LargeProps) {
  return (
    <section className={styles.large}>
      <div className={styles.head}>
        <h2>{label}</h2>
        {sum !== undefined && <p className={styles.sum}>{sum}</p>}
        <p className={styles.comparison}>
          {sum !== undefined && (comparison ?? "Nothing earlier to compare with yet")}
        </p>
        <p className={styles.note}>{today === undefined ? description : `${description} Today so far: ${today}.`}</p>
      </div>
      {chart.note === undefined ? (
        <p className={styles.note}>{summary}</p>
      ) : (
        <>
          <LineChart {...chart} note={chart.note} summary={summary} />
          <details className={styles.numbers}>
            <summary>
              The numbers<span className="visually-hidden">: {label}</span>
            </summary>
            <DataTable
              caption={label}
              columns={[
                unitLabels[unit],
                { label, isNumber: true },
                ...(beforeText === undefined ? [] : [{ label: beforeText, isNumber: true } as const]),
              ]}
              rows={rows.map(({ day, value, before }) => ({ key: day, cells: [day, value, before] }))}
              whenEmpty=""
            />
          </details>
        </>
      )}
    </section>
  );
}

/** The whole card is the link that draws it large. */
function Small({ label, summary, sum, comparison, values, path }: Route.ComponentProps["loaderData"]["small"][number]) {
  return (
    <li className={styles.figure}>
      <h2>
        <Link to={path}>{label}</Link>
      </h2>
      {sum === undefined ? (
        <p className={styles.note}>Nothing counted yet.</p>
      ) : (
        <>
          <p className={styles.sum}>{sum}</p>
          <p className={styles.note}>{comparison}</p>
          <SmallLine summary={summary} values={values} />
        </>
      )}
    </li>
  );
}
