import { kinds } from "../../../server/content/kinds.ts";
import { href } from "../../paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { FavouriteButton } from "../../ui/favourite-button.tsx";
import { Picture } from "../../ui/picture.tsx";
import type { FoundItem } from "./search-screen.ts";
import styles from "./result.module.css";

/** One result: one link as large as its card, to the place of the transcript where that is what was found. */
export function Result({ result, isFirst }: { result: FoundItem; isFirst: boolean }) {
  const { kind, id, title, author, date, age, excerpt, anchor, picture, length } = result;
  const key = `${kind}-${id}`;
  return (
    <article id={key} className={styles.result}>
      <Picture picture={picture} sizes="card" isFirst={isFirst} />
      <div className={styles.words}>
        <Badge of={result} />
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.excerpt}>
          <Excerpt pieces={excerpt} />
        </p>
        <p className={styles.meta}>
          {`${author} · `}
          <time dateTime={date}>{age}</time>
          {length && ` · ${length}`}
        </p>
        <p>
          <a
            className={styles.link}
            href={href(`/?view=${kind}&item=${id}${anchor ? `#${anchor}` : ""}`)}
            aria-label={`${kinds[kind].cue}: ${title}`}
          >
            {kinds[kind].cue}
          </a>
        </p>
      </div>
      <FavouriteButton itemKey={key} title={title} />
    </article>
  );
}

function Excerpt({ pieces }: { pieces: FoundItem["excerpt"] }) {
  // The pieces of one text never change places.
  // oxlint-disable-next-line react/no-array-index-key
  return pieces.map(({ text, isHit }, index) => (isHit ? <mark key={index}>{text}</mark> : text));
}
