import type { Card } from "../../server/content/cards.ts";
import styles from "./badge.module.css";

const labels = { watch: "Video", read: "Article", learn: "Webinar" };

/** The kind of an item in a list, after a play sign where it has a film. */
export function Badge({ of: { kind, isFilm } }: { of: Pick<Card, "kind" | "isFilm"> }) {
  return <p className={isFilm ? `${styles.badge} ${styles.film}` : styles.badge}>{labels[kind]}</p>;
}
