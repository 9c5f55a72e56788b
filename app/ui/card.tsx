import type { Card as CardContent } from "../../server/content/cards.ts";
import { href } from "../paths.ts";
import { Badge } from "./badge.tsx";
import { Heart } from "./heart.tsx";
import { Picture, type pictureSizes } from "./picture.tsx";
import { Still } from "./still.tsx";
import styles from "./card.module.css";

const wideCard = `${styles.card} ${styles.wide}`;

type CardProps = {
  card: CardContent;
  /** The heading level that fits the place. */
  as?: "h2" | "h3";
  layout?: "tall" | "wide";
  sizes?: keyof typeof pictureSizes;
  isFirst?: boolean;
  /** Whether this is the place that a saved heart comes back to; an item may stand on a page twice. */
  isAnchor?: boolean;
  /** Where it leads, if not to its section. */
  path?: string;
};

/** One item in a list. The whole card is one link, named by its title. */
export function Card({
  card,
  as: Heading = "h2",
  layout = "tall",
  sizes = "card",
  isFirst = false,
  isAnchor = false,
  path,
}: CardProps) {
  const key = `${card.kind}-${card.id}`;
  return (
    <article id={isAnchor ? key : undefined} className={layout === "wide" ? wideCard : styles.card}>
      <Picture picture={card.picture} sizes={sizes} isFirst={isFirst} />
      <Still as="div" of={card} variant={`${Heading} ${path}`} className={styles.words}>
        {() => (
          <>
            <Badge of={card} />
            <Heading className={styles.title}>
              <a href={href(path ?? `/?view=${card.kind}&item=${card.id}`)}>{card.title}</a>
            </Heading>
            <p className={styles.text}>{card.text}</p>
            <p className={styles.meta}>
              {`${card.author} · `}
              <time dateTime={card.date}>{card.date}</time>
              {card.length && ` · ${card.length}`}
            </p>
          </>
        )}
      </Still>
      <Heart itemKey={key} title={card.title} />
    </article>
  );
}
