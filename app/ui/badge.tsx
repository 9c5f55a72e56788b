import type { Card } from "../../server/content/cards.ts";
import { kinds } from "../../server/content/kinds.ts";
import styles from "./badge.module.css";

/** The kind of an item in a list, after a play sign where it has a film. */
export function Badge({ of: { kind, isFilm } }: { of: Pick<Card, "kind" | "isFilm"> }) {
  return <p className={isFilm ? `${styles.badge} ${styles.film}` : styles.badge}>{kinds[kind].one}</p>;
}
