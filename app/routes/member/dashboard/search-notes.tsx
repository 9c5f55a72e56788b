import { type Section, sections } from "../../../../server/content/catalogue/kinds.ts";
import { href } from "../../../frame/paths.ts";
import { searchPath } from "./view.ts";
import styles from "./search.module.css";

export type BestHit = { section: Section; title: string; path: string };

/** The corrected term, and the link to what was typed. */
export function Correction({ term, searched, corrected }: Record<"term" | "searched" | "corrected", string>) {
  return (
    <p className={styles.note}>
      Showing results for <b>{corrected}</b>.{" "}
      <a href={href(searchPath({ term, isLiteral: true }))}>{`Search for ${searched} instead`}</a>.
    </p>
  );
}

/** So that members need not open each tab. */
export function Others({ others }: { others: BestHit[] }) {
  if (others.length === 0) return undefined;
  return (
    <ul className={styles.others}>
      {others.map(({ section, title, path }) => (
        <li key={section}>
          <span>{`Best match is ${withArticle(sections[section].one)}: `}</span>
          <a href={href(`/${path}`)}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name.toLowerCase()}`;
}

/** The end of the results with all words. */
export function NearFrom({ isAll, count }: { isAll: boolean; count: number }) {
  return (
    <p className={styles.note}>
      {`Nothing ${isAll ? "here" : "else"} has all of your words. ${count === 1 ? "This is" : "These are"} close.`}
    </p>
  );
}
