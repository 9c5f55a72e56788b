import type { Card as CardContent } from "../../../server/content/cards.ts";
import { Card } from "../../ui/card.tsx";
import styles from "./new-panel.module.css";

/** The latest video, article and webinar, on screens with room for it (spec, section 2). */
export function NewPanel({ cards }: { cards: CardContent[] }) {
  return (
    <aside className={styles.panel}>
      <h2>New</h2>
      <ul className={styles.list}>
        {cards.map((card) => (
          <li key={card.id}>
            <Card card={card} as="h3" sizes="panel" />
          </li>
        ))}
      </ul>
    </aside>
  );
}
