import { href } from "react-router";

import type { Catalogue } from "../../../../server/content/catalogue/catalogue.ts";
import { itemKey, kinds } from "../../../../server/content/items/kinds.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { DeskPage, Facts, SearchForm, TableSection } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import type { Route } from "./+types/search.ts";
import { linkTo } from "../parts/data-table.tsx";
import { previewPath } from "../parts/paths.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Content", link: "Search", order: 61 };

/** Tries a member's words: what they are read as, and why each result is where it is. Counted in no figure. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const { catalogue, emptySearches } = requireServices(context);
  const term = (searchParams.get("q") ?? "").trim();
  const frequent = await emptySearches.listFrequent();
  return {
    term,
    searchers: frequent.find((each) => each.term === term.toLowerCase())?.atLeast,
    tried: term === "" ? undefined : trySearch(catalogue, term),
  };
}

const tierLabels = { phrase: "The whole phrase", all: "All words", near: "Some words" };

function trySearch(catalogue: Catalogue, term: string) {
  const found = catalogue.search({ term, order: "best" });
  const { parts, results } = found.explain();
  const toPlace = ({ kind, id, title }: Pick<(typeof results)[number], "kind" | "id" | "title">) => ({
    key: itemKey({ kind, id }),
    title,
    path: previewPath(itemKey({ kind, id })),
    kind: kinds[kind].one,
  });
  return {
    corrected: found.corrected,
    also: found.also,
    parts,
    results: results.map((result) => ({
      item: toPlace(result),
      tier: tierLabels[result.tier],
      score: result.score.toFixed(1),
      has: result.has.flatMap((places, at) =>
        places.length === 0 ? [] : [`${parts[at]?.said}: ${places.join(", ")}`],
      ),
    })),
    perhaps: found.listPerhaps().map(toPlace),
  };
}

export default function Search({ loaderData: { term, searchers, tried } }: Route.ComponentProps) {
  return (
    <DeskPage title="Search">
      <SearchForm
        id="try-search"
        path={href("/desk/search")}
        label="A member's words"
        button="Try"
        term={term}
        maxLength={500}
      />
      {searchers !== undefined && (
        <p>{`${searchers} members or more searched for “${term}” in one month and found nothing.`}</p>
      )}
      {tried && <Tried {...tried} />}
      <section className={styles.section}>
        <h2>Add words</h2>
        <p className={styles.note}>
          For one item: put what people call it into its field <code>also_called</code> in WordPress. For a word that
          means something in many items: add a line to the file of <code>SEARCH_WORDS_FILE</code>, such as{" "}
          <code>{`duvet: [${term || "doona"}]`}</code>, and start again.
        </p>
      </section>
    </DeskPage>
  );
}

function Tried({ corrected, also, parts, results, perhaps }: NonNullable<Route.ComponentProps["loaderData"]["tried"]>) {
  return (
    <>
      <Facts
        facts={[
          ["Put right to", corrected ?? ""],
          ["Searched for, too", also ?? ""],
        ]}
      />
      <TableSection
        title="Read as"
        columns={["Words", "Also found as", "In the library"]}
        rows={parts.map(({ said, alsoCalled, isKnown }) => ({
          key: said,
          cells: [said, alsoCalled.join(", ") || undefined, isKnown ? "Yes" : "No"],
        }))}
        whenEmpty="Nothing: these words are in every text."
      />
      <TableSection
        title="First results"
        columns={["Item", "Kind", "Has", "Where", { label: "Score", isNumber: true }]}
        rows={results.map(({ item, tier, has, score }) => ({
          key: item.key,
          cells: [linkTo(item.path, item.title), item.kind, tier, has.join("; "), score],
        }))}
        whenEmpty="Nothing is found. Which item should be?"
      />
      {perhaps.length > 0 && (
        <TableSection
          title="Perhaps one of these"
          columns={["Item", "Kind"]}
          rows={perhaps.map((item) => ({ key: item.key, cells: [linkTo(item.path, item.title), item.kind] }))}
          whenEmpty=""
        />
      )}
    </>
  );
}
