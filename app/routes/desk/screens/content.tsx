import { data, Form, href, Link } from "react-router";

import { itemKey, type Section, sectionNames, sections } from "../../../../server/content/items/kinds.ts";
import { type GapFilter, gapFilters, gapLabels } from "../../../../server/content/items/item-facts.ts";
import buttons from "../../../components/button.module.css";
import { Select } from "../../../forms/field.tsx";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/content.ts";
import { DeskPage, Sentences } from "../desk-page.tsx";
import { readNumber } from "../parts/paging.ts";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { previewPath } from "../parts/paths.ts";
import styles from "../screen.module.css";

const TITLE = "What's missing";

export const handle: ScreenHandle = { tab: "Content", link: TITLE, order: 60, key: "n" };

/** With each item's gaps, 50 a page; 404 past the last page. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { catalogue } = requireServices(context);
  const section = sectionNames.find((each) => each === searchParams.get("kind"));
  const filter = gapFilters.find((each) => each === searchParams.get("gap")) ?? "any";
  const page = searchParams.has("page") ? (readNumber(searchParams, "page") ?? 0) : 1;
  const found = await catalogue.editorial.listGaps({ section, filter, page });
  if (!found) throw data(null, { status: 404 });
  const toPagePath = (to: number) => (to < 1 || to > found.pageCount ? undefined : contentPath(section, filter, to));
  const { isStale, source } = catalogue.status();
  return {
    source,
    isStale,
    kind: section ?? "",
    filter,
    kindOptions: [
      { value: "", label: "All kinds" },
      ...catalogue.listSections().map((each) => ({ value: each, label: sections[each].tab })),
    ],
    filterOptions: gapFilters.map((each) => ({ value: each, label: `${filterLabels[each]} (${found.counts[each]})` })),
    rows: found.rows.map(({ kind, id, section: own, title, date, isAwakePiece: isPiece, findings, outsideLinks }) => ({
      key: itemKey({ kind, id }),
      title,
      path: previewPath(itemKey({ kind, id })),
      kind: isPiece ? "Awake now" : sections[own].one,
      date,
      findings: findings.map(({ gap, message }) =>
        gap === "links" || gap === "review" ? message : `${gapLabels[gap]}.`,
      ),
      outsideCount: outsideLinks.length,
    })),
    pages: {
      at: `Page ${found.page} of ${found.pageCount}`,
      previous: toPagePath(found.page - 1),
      next: toPagePath(found.page + 1),
    },
  };
}

type ContentData = Route.ComponentProps["loaderData"];

const filterLabels: Record<GapFilter, string> = {
  any: "Something's missing",
  ...gapLabels,
  none: "Nothing's missing",
};

function contentPath(section: Section | undefined, filter: GapFilter, page: number): string {
  return withSearch(href("/desk/content"), {
    kind: section,
    gap: filter === "any" ? undefined : filter,
    page: page === 1 ? undefined : page,
  });
}

export default function Content({ loaderData }: Route.ComponentProps) {
  const { source, isStale, rows, pages, ...filters } = loaderData;
  return (
    <DeskPage title={TITLE}>
      <p className={styles.note}>
        <span>{`From ${source}. `}</span>
        {isStale && <span>We haven't been able to read it for a while. This is what members see for now. </span>}
        <span>
          Films and recordings need a transcript, unless they're loops of sound. We don't check links to other sites:
          the preview of an item lists them for you to try.
        </span>
      </p>
      <FilterForm {...filters} />
      <DataTable
        caption={TITLE}
        columns={["Item", "Kind", "Date", "Missing", { label: "Links elsewhere", isNumber: true }]}
        rows={rows.map(({ key, title: name, path, kind, date, findings, outsideCount }) => ({
          key,
          cells: [
            linkTo(path, name),
            kind,
            date,
            findings.length > 0 && <Sentences key="findings" sentences={findings} />,
            outsideCount > 0 && String(outsideCount),
          ].map((cell) => cell || undefined),
        }))}
        whenEmpty="No items match."
      />
      <PageLinks {...pages} />
    </DeskPage>
  );
}

function FilterForm({ kind, filter, kindOptions, filterOptions }: FilterFormProps) {
  return (
    <Form action={href("/desk/content")} className={styles.search}>
      <Select id="content-kind" name="kind" label="Kind" defaultValue={kind} options={kindOptions} />
      <Select id="content-gap" name="gap" label="Missing" defaultValue={filter} options={filterOptions} />
      <button className={buttons.quiet}>Show</button>
    </Form>
  );
}

type FilterFormProps = Pick<ContentData, "kind" | "filter" | "kindOptions" | "filterOptions">;

function PageLinks({ at, previous, next }: ContentData["pages"]) {
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className={styles.buttons} aria-label="Pages">
      {previous !== undefined && (
        <Link className={buttons.quiet} to={previous} rel="prev">
          Previous
        </Link>
      )}
      <p>{at}</p>
      {next !== undefined && (
        <Link className={buttons.quiet} to={next} rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}
