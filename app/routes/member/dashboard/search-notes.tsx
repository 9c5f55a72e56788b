import { type Section, sections } from "../../../../server/content/catalogue/kinds.ts";
import { href } from "../../../frame/paths.ts";
import { searchPath } from "./view.ts";
import styles from "./search.module.css";

export type BestHit = { key: string; section: Section; title: string; path: string };

/** The corrected term, and the link to what was typed. */
export function Correction({ term, searched, corrected }: Record<"term" | "searched" | "corrected", string>) {
  return (
    <p className={styles.note}>
      Showing results for <b>{corrected}</b>.{" "}
      <a href={href(searchPath({ term, isLiteral: true }))}>{`Search for ${searched} instead`}</a>.
    </p>
  );
}

/** Another reading that was searched for too, and the link to what was typed. */
export function Also({ term, searched, also }: Record<"term" | "searched" | "also", string>) {
  return (
    <p className={styles.note}>
      Showing results for <b>{also}</b>, too.{" "}
      <a href={href(searchPath({ term, isLiteral: true }))}>{`Search only for ${searched}`}</a>.
    </p>
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
