import { createContext, useContext } from "react";

import type { Card as CardContent } from "../../server/content/items/cards.ts";
import { itemKey, sections } from "../../server/content/items/kinds.ts";
import { href, itemPath } from "../frame/paths.ts";
import { FavouriteButton } from "./favourite-button.tsx";
import { Picture, type pictureSizes } from "./picture.tsx";
import styles from "./card.module.css";

export type Progress = { percent: number; text: string };

/** By item keys. */
export const ProgressContext = createContext<Partial<Record<string, Progress>>>({});

type CardProps = {
  /** Without a picture where a card beside it has the same one. */
  card: Omit<CardContent, "picture"> & Partial<Pick<CardContent, "picture">>;
  as?: "h2" | "h3" | "h4";
  layout?: "tall" | "wide" | "compact";
  sizes?: keyof typeof pictureSizes;
  isFirst?: boolean;
  /** Whether a saved favourite returns to this card: an item may be on a page twice. */
  isAnchor?: boolean;
  /** The default is the page within its section. */
  path?: string;
};

export function Card({
  card,
  as: Heading = "h2",
  layout = "tall",
  sizes = "card",
  isFirst = false,
  isAnchor = false,
  path,
}: CardProps) {
  const { title, text, author, date, day, length, silence, isFilm, isRecording, picture } = card;
  const key = itemKey(card);
  return (
    <article id={isAnchor ? key : undefined} className={`${styles.card} ${styles[layout]}`}>
      {picture && <Picture picture={picture} sizes={sizes} isFirst={isFirst} hasMat={layout !== "compact"} />}
      <div className={styles.words}>
        <Badge of={card} />
        <Heading className={styles.title}>
          <a href={href(path ?? itemPath(card))}>{title}</a>
        </Heading>
        <p className={styles.text}>{text}</p>
        <p className={styles.meta}>
          <span>{author}</span> <time dateTime={date}>{day}</time>
          {length && isFilm && <span className={styles.length}>{` ${length}`}</span>}
          {silence && <span>{` ${silence}`}</span>}
          {length && !isFilm && !isRecording && <span>{` ${length}`}</span>}
          <ProgressBar itemKey={key} />
        </p>
      </div>
      <FavouriteButton itemKey={key} title={title} />
    </article>
  );
}

export function ProgressBar({ itemKey: key }: { itemKey: string }) {
  const progress = useContext(ProgressContext)[key];
  return (
    progress && (
      <>
        {" "}
        <b className={styles.progress}>
          <span>{progress.text}</span>
          <progress aria-hidden="true" max="100" value={progress.percent} />
        </b>
      </>
    )
  );
}

/** So many pictures may be in view before any scrolling. */
const FIRST_COUNT = 2;

/** One column on a phone, then two, then three, in full rows. */
export function CardGrid({
  cards,
  as = "h2",
  areFirst = true,
}: {
  cards: CardContent[];
  as?: "h2" | "h3" | "h4";
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

/** An item's section in a list, after a play sign if it plays: "Video", or "Recording · 45 min". */
export function Badge({
  of: { kind, isFilm, isRecording, length },
}: {
  of: Pick<CardContent, "kind" | "isFilm" | "isRecording" | "length">;
}) {
  const className = isFilm || isRecording ? `${styles.badge} ${styles.film}` : styles.badge;
  const { one } = sections[isRecording ? "listen" : kind];
  return <p className={className}>{isRecording && length ? `${one} · ${length}` : one}</p>;
}
