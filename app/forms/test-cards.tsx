import type { TestCard } from "../../server/money/payments/card-gateway.ts";
import styles from "./test-cards.module.css";

/** A real gateway has none. */
export function TestCards({ cards }: { cards: TestCard[] | undefined }) {
  if (!cards) return null;
  return (
    <div className={styles.cards}>
      <p>This is a demo. Use one of these cards, with any future expiry and any CVC:</p>
      <ul>
        {cards.map(({ number, note }) => (
          <li key={number}>
            <code>{number}</code> {note}
          </li>
        ))}
      </ul>
    </div>
  );
}
