import type { Card as CardContent } from "../../../../server/content/items/cards.ts";
import { CardGrid } from "../../../components/card.tsx";
import { Missing } from "./missing.tsx";
import styles from "./list.module.css";

/** Items about the product itself, which are in no other list. */
export type HelpListScreen = { name: "help-list"; cards: CardContent[] };

export function HelpList({ cards }: HelpListScreen) {
  if (cards.length === 0) return <Missing title="Help" sentence="There is nothing here yet." />;
  return (
    <div className={styles.content}>
      <h1 tabIndex={-1} className="beside-title">
        Help
      </h1>
      <CardGrid cards={cards} />
    </div>
  );
}
