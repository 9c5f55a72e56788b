import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { CardGrid } from "../../ui/card-grid.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Screen } from "./screen.ts";
import { sectionKinds } from "./sections.ts";
import { viewPath } from "./view.ts";
import styles from "./search.module.css";

const tabLabels = { watch: "Video", read: "Read", learn: "Webinars" };

/** What a topic of the landing found. */
export function Search({ term, kind, counts, cards }: Screen & { name: "search" }) {
  const total = sectionKinds.reduce((sum, each) => sum + counts[each], 0);
  if (total === 0) {
    return (
      <Notice title={`No results found for "${term}"`} action={<Ways />}>
        <p>Other words may find it, or a look round the shelves.</p>
      </Notice>
    );
  }
  return (
    <div className={styles.search}>
      <div className={styles.heading}>
        <h1 tabIndex={-1}>Search results for {term}</h1>
        <p role="status">
          Showing {cards.length} {cards.length === 1 ? "result" : "results"}
        </p>
      </div>
      <nav aria-label="Kinds of result">
        <ul className={styles.tabs}>
          {sectionKinds.map((each) => (
            <li key={each}>
              <a
                href={href(viewPath({ name: "search", term, kind: each }))}
                aria-current={each === kind ? "page" : undefined}
              >
                {tabLabels[each]} <span>{counts[each]}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <CardGrid cards={cards} />
      <div className={styles.ways}>
        <Ways />
      </div>
    </div>
  );
}

function Ways() {
  return (
    <>
      <a className={buttons.quiet} href={href("/")}>
        Back to Home
      </a>
      <a className={buttons.quiet} href={href("/?view=watch")}>
        Explore everything
      </a>
    </>
  );
}
