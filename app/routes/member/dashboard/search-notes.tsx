import { type Section, sections } from "../../../../server/content/items/kinds.ts";
import type { SearchResults } from "../../../../server/content/search/search.ts";
import { href } from "../../../frame/paths.ts";
import { searchPath } from "./view.ts";
import styles from "./search.module.css";

export type BestHit = { key: string; section: Section; title: string; path: string };

type Readings = Record<"term" | "searched", string> & Pick<SearchResults, "corrected" | "also" | "isForeign">;

/** The term that was searched for in place of the typed one or beside it, and the link to that alone. */
export function ReadAs({ term, searched, corrected, also, isForeign }: Readings) {
  const read = corrected ?? also;
  return (
    <>
      {read !== undefined && (
        <p className={styles.note}>
          Showing results for <b>{read}</b>
          <span>{corrected === undefined ? ", too. " : ". "}</span>
          <a href={href(searchPath({ term, isLiteral: true }))}>
            {corrected === undefined ? `Search only for ${searched}` : `Search for ${searched} instead`}
          </a>
          .
        </p>
      )}
      {isForeign && <p className={styles.note}>The library is in English.</p>}
    </>
  );
}

/** One line, so that members need not open each tab. */
export function Others({ others }: { others: BestHit[] }) {
  if (others.length === 0) return undefined;
  return (
    <div className={styles.others}>
      <span>Also try,</span>{" "}
      <ul className={styles.chips}>
        {others.map(({ key, section, title, path }) => (
          <li key={key}>
            <a href={href(`/${path}`)}>
              <span>{`in ${sections[section].tab}: `}</span>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The end of the results with all words. */
export function NearFrom({ isAll, count }: { isAll: boolean; count: number }) {
  return (
    <p className={styles.note}>
      {`Nothing ${isAll ? "here" : "else"} fits all of your words. ${count === 1 ? "This is" : "These are"} close.`}
    </p>
  );
}
