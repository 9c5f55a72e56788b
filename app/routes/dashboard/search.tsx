import { Link } from "react-router";

import { itemKinds, kinds } from "../../../server/content/kinds.ts";
import buttons from "../../ui/button.module.css";
import { Icon } from "../../ui/icons.tsx";
import { TabLink } from "../../ui/links.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pages } from "../../ui/pages.tsx";
import { TopicLinks } from "../../ui/topic-links.tsx";
import { Result } from "./result.tsx";
import type { SearchScreen } from "./search-screen.ts";
import { searchPath } from "./view.ts";
import styles from "./search.module.css";

const orderLabels = { best: "Best match", newest: "Newest", oldest: "Oldest" };

/** What was found: how much of each kind, and one page of one kind. */
export function Search({ term, kind, order, counts, results, page, pageCount, nearest }: SearchScreen) {
  const total = itemKinds.reduce((sum, each) => sum + counts[each], 0);
  if (total === 0) return <NothingFound term={term} nearest={nearest} />;
  return (
    <div className={styles.search}>
      <Heading term={term} shown={results.length} total={total} />
      <div className={styles.choices}>
        <Kinds term={term} kind={kind} order={order} counts={counts} />
        <Orders term={term} kind={kind} order={order} />
      </div>
      <ul className={styles.results}>
        {results.map((result, index) => (
          <li key={result.id}>
            <Result result={result} isFirst={index === 0} />
          </li>
        ))}
      </ul>
      <Pages page={page} pageCount={pageCount} pathOf={(to) => searchPath({ term, kind, order, page: to })} />
      <div className={styles.ways}>
        <Ways />
      </div>
    </div>
  );
}

function Heading({ term, shown, total }: { term: string; shown: number; total: number }) {
  return (
    <header className={styles.heading}>
      <Link className={buttons.round} to="/">
        <Icon name="back" />
        <span className="visually-hidden">Back</span>
      </Link>
      <div>
        <h1 tabIndex={-1}>Search results for {term}</h1>
        <p role="status">
          Showing {shown} {shown === 1 ? "result" : "results"} of {total} in all
        </p>
      </div>
      <Link className={buttons.round} to="/?q=">
        <Icon name="search" />
        <span className="visually-hidden">Search for something else</span>
      </Link>
    </header>
  );
}

type Chosen = Pick<SearchScreen, "term" | "kind" | "order">;

function Kinds({ term, kind, order, counts }: Chosen & Pick<SearchScreen, "counts">) {
  return (
    <nav aria-label="Kinds of result">
      <ul className={styles.tabs}>
        {itemKinds.map((each) => (
          <li key={each}>
            <TabLink to={searchPath({ term, kind: each, order })} aria-current={each === kind ? "page" : undefined}>
              {kinds[each].resultsTab} <span>{counts[each]}</span>
            </TabLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Orders({ term, kind, order }: Chosen) {
  return (
    <nav aria-label="Order">
      <ul className={styles.orders}>
        {(["best", "newest", "oldest"] as const).map((each) => (
          <li key={each}>
            <Link to={searchPath({ term, kind, order: each })} aria-current={each === order ? "true" : undefined}>
              {orderLabels[each]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NothingFound({ term, nearest }: { term: string; nearest: string[] }) {
  return (
    <Notice title={`No results found for "${term}"`} action={<Ways />}>
      <p role="status">Other words may find it. Perhaps one of these is near:</p>
      <TopicLinks topics={nearest} />
    </Notice>
  );
}

function Ways() {
  return (
    <>
      <Link className={buttons.quiet} to="/">
        Back to Home
      </Link>{" "}
      <Link className={buttons.quiet} to="/?view=watch">
        Explore everything
      </Link>
    </>
  );
}
