import type { Card as CardContent } from "../../server/content/cards.ts";
import { href } from "../paths.ts";
import { FavouriteButton } from "./favourite-button.tsx";
import { Picture, type pictureSizes } from "./picture.tsx";
import { Badge } from "./badge.tsx";
import styles from "./card.module.css";

const wideCard = `${styles.card} ${styles.wide}`;

type CardProps = {
  card: CardContent;
  /** The heading level that fits the place. */
  as?: "h2" | "h3";
  layout?: "tall" | "wide";
  sizes?: keyof typeof pictureSizes;
  isFirst?: boolean;
  /** Whether this is the place that a saved favourite comes back to; an item may stand on a page twice. */
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
  const { id, kind, title, text, author, date, length, picture } = card;
  const key = `${kind}-${id}`;
  return (
    <article id={isAnchor ? key : undefined} className={layout === "wide" ? wideCard : styles.card}>
      <Picture picture={picture} sizes={sizes} isFirst={isFirst} />
      <div className={styles.words}>
        <Badge of={card} />
        <Heading className={styles.title}>
          <a href={href(path ?? `/?view=${kind}&item=${id}`)}>{title}</a>
        </Heading>
        <p className={styles.text}>{text}</p>
        <p className={styles.meta}>
          {`${author} · `}
          <time dateTime={date}>{date}</time>
          {length && ` · ${length}`}
        </p>
      </div>
      <FavouriteButton itemKey={key} title={title} />
    </article>
  );
}
