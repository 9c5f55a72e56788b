import type { HelpCard } from "../../../../server/content/urgent-help/matcher.ts";
import { UrgentHelp } from "../../../components/urgent-help.tsx";
import { href } from "../../../frame/paths.ts";
import { searchPath, type SearchView } from "./view.ts";
import styles from "./help.module.css";

/** Replaces the results of a search about despair, harm or danger. */
export type HelpScreen = { name: "help"; search: SearchView; card: HelpCard };

/** Only numbers to call, and a quiet link to the results. */
export function Help({ search, card }: HelpScreen) {
  return (
    <div className={styles.help}>
      <UrgentHelp card={card} isHeading />
      <p>
        <a href={href(searchPath({ ...search, page: 1, isPastHelp: true }))}>Show what the library has</a>
      </p>
    </div>
  );
}
