import type { Card as CardContent } from "../../server/content/cards.ts";
import { Card } from "./card.tsx";
import styles from "./card-grid.module.css";

/** How many pictures may be in sight before anybody scrolls. */
const FIRST_COUNT = 2;

/** Cards in one column on a phone, two, then three. */
export function CardGrid({
  cards,
  as = "h2",
  areFirst = true,
}: {
  cards: CardContent[];
  as?: "h2" | "h3";
  areFirst?: boolean;
}) {
  return (
    <ul className={styles.grid}>
      {cards.map((card, index) => (
        <li key={card.id}>
          <Card card={card} as={as} isFirst={areFirst && index < FIRST_COUNT} isAnchor />
        </li>
      ))}
    </ul>
  );
}
