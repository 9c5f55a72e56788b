import { useEffect } from "react";
import { Link } from "react-router";

import type { Card as CardContent } from "../../../../server/content/items/cards.ts";
import type { Item as CatalogueItem, ItemTexts } from "../../../../server/content/items/item.ts";
import { itemKey, kinds, type Section, sections } from "../../../../server/content/items/kinds.ts";
import type * as Keep from "../../../../public/keep.js";
import type { Sound } from "../../../../server/content/items/sound.ts";
import type { Video } from "../../../../server/content/items/video.ts";
import { dayText, findPlayed, findSection, silenceText } from "../../../../server/content/items/item-facts.ts";
import { toDay } from "../../../../server/platform/format.ts";
import { isAtEnd } from "../../../../server/members/positions/progress.ts";
import type { Services } from "../../../../server/services.ts";
import { OutsideLink } from "../../../components/outside-link.tsx";
import buttons from "../../../components/button.module.css";
import { Card } from "../../../components/card.tsx";
import { FavouriteButton } from "../../../components/favourite-button.tsx";
import { Icon } from "../../../components/icons.tsx";
import { BackLink } from "../../../components/links.tsx";
import { Picture } from "../../../components/picture.tsx";
import { Prose } from "../../../components/prose.tsx";
import { ScrollToTop } from "../../../components/scroll-to-top.tsx";
import { Slider } from "../../../components/slider.tsx";
import { href } from "../../../frame/paths.ts";
import { sendAtOnce } from "../../../player/core/send-at-once.ts";
import { Player, SoundPlayer } from "../../../player/player.tsx";
import type { KnownPosition } from "../../../player/core/positions.ts";
import { type View, viewPath } from "./view.ts";
import styles from "./item.module.css";

export type ItemScreen = {
  name: "item";
  item: OpenItem;
  isPlaying: boolean;
  /** The member's position. */
  position?: KnownPosition | undefined;
  recommended: CardContent[];
  section: Section;
  /** It was opened from the favourites. */
  isFavourites?: boolean;
};

type OpenItem = Pick<
  CatalogueItem,
  "id" | "kind" | "isForHelp" | "title" | "author" | "date" | "picture" | "video" | "sound" | "reviewed" | "sampleNote"
> &
  Pick<ItemTexts, "bodyHtml" | "transcriptHtml"> & {
    /** The publication day and that of the last review. */
    day: string;
    reviewedDay: string | undefined;
    length: string | undefined;
    silence: string | undefined;
  };

type ItemView = Omit<View & { name: "item" }, "name">;

/** `undefined` when there is no such item. */
export async function findItem(
  services: Services,
  memberId: number,
  { kind, id, isPlaying, from }: ItemView,
): Promise<ItemScreen | undefined> {
  const { catalogue, clock } = services;
  const item = catalogue.findItem(kind, id);
  if (!item) return undefined;
  const section = findSection(item);
  const isFilm = item.video?.kind === "file";
  const position = isPlaying || !isFilm ? await findPosition(services, memberId, item) : undefined;
  if (position && from) position.startAt = from;
  const startAt = position?.startAt;
  const recommended = catalogue.listRecommended(section, id);
  const video = startAt && isFilm ? startFrom(item.video, startAt) : item.video;
  const sound = startAt && !isFilm ? startFrom(item.sound, startAt) : item.sound;
  return {
    name: "item",
    item: { ...toOpenItem(item, clock()), video, sound },
    isPlaying: isPlaying && video !== undefined && video.kind !== "elsewhere",
    position,
    section,
    recommended: recommended.map(catalogue.separateScenes([item, ...recommended])),
  };
}

export function toOpenItem(item: CatalogueItem, now: Date): OpenItem {
  const { id, kind, isForHelp, title, author, date, length, picture, video, sound, reviewed, sampleNote } = item;
  const { bodyHtml, transcriptHtml } = item.readTexts();
  const today = toDay(now);
  return {
    id,
    kind,
    isForHelp,
    title,
    author,
    date,
    // For an article the specification's ten characters (docs/behaviour.md, Sections and items).
    day: kind === "read" ? date : dayText(date, today),
    length,
    silence: silenceText(video),
    picture,
    bodyHtml,
    transcriptHtml,
    video,
    sound,
    reviewed,
    reviewedDay: reviewed && dayText(reviewed, today),
    sampleNote,
  };
}

/** `undefined` where the item plays nothing with a position. */
async function findPosition({ positions, clock }: Services, memberId: number, item: CatalogueItem) {
  const played = findPlayed(item);
  if (!played) return undefined;
  const startAt = await positions.findStart(memberId, item);
  // It may have been cut shorter since.
  const isOver = startAt !== undefined && isAtEnd(startAt, played.durationInSeconds ?? Infinity);
  return { startAt: isOver ? undefined : startAt, readAt: clock().getTime() };
}

/**
 * Starts our own film or recording at a position: browsers know this fragment (W3C, Media Fragments URI), so it needs
 * no script. A loop has its own beginning; script knows how much of it is left.
 */
function startFrom<Played extends Video | Sound>(played: Played | undefined, seconds: number): Played | undefined {
  if (!played || ("playMinutes" in played && played.playMinutes)) return played;
  const from = (path: string) => `${path}#t=${seconds}`;
  return {
    ...played,
    src: from(played.src),
    ...("webm" in played && played.webm && { webm: from(played.webm) }),
    ...("m4a" in played && played.m4a && { m4a: from(played.m4a) }),
  };
}

type ItemProps = ItemScreen & {
  /** Its address, for a printed page. */
  source: string;
};

/**
 * Browsers' reader views take title and author from the `meta` elements, and leave out classes named header,
 * breadcrumbs or related.
 */
export function Item({ item, isPlaying, position, section, recommended, isFavourites = false, source }: ItemProps) {
  const { kind, sound } = item;
  const key = itemKey(item);
  useEffect(() => {
    if (kind === "read") sendAtOnce({ open: key });
  }, [kind, key]);
  const toPath = (isOpen: boolean) =>
    viewPath(
      isFavourites
        ? { name: "favourites", section: undefined, item: { kind, id: item.id }, page: 1, isPlaying: isOpen }
        : { name: "item", kind, id: item.id, isPlaying: isOpen },
    );
  const list = item.isForHelp ? { view: "help", label: "Help" } : { view: section, label: sections[section].tab };
  const back = isFavourites ? { view: "favourites", label: "Favourites" } : list;
  const cover = <Cover item={item} playPath={toPath(true)} />;
  return (
    <>
      <div inert={isPlaying} className={styles.page}>
        <div className={`${styles.breadcrumbs} beside-title`}>
          <BackLink className={buttons.back} to={`/?view=${back.view}`}>
            <Icon name="back" />
            <span>{`Back to ${back.label}`}</span>
          </BackLink>
        </div>
        <article className={styles.article} itemScope itemType="https://schema.org/Article">
          <Header item={item} section={section} itemKey={key} />
          {sound ? (
            <SoundPlayer key={key} item={item} sound={sound} position={position}>
              {cover}
            </SoundPlayer>
          ) : (
            cover
          )}
          <Text item={item} />
          <KeepButtons key={`keep-${key}`} itemKey={key} />
          <p className={styles.source}>{source}</p>
        </article>
        <div className={styles.related}>
          {kind === "read" && <ScrollToTop />}
          {recommended.length > 0 && (
            <Slider
              title="Recommended For You"
              perView="recommended"
              slides={recommended.map((card) => ({
                key: card.id,
                content: <Card card={card} as="h3" layout="wide" />,
              }))}
            />
          )}
        </div>
      </div>
      {isPlaying && <Player item={item} position={position} closePath={toPath(false)} />}
    </>
  );
}

/** With the last review, and the transcript. */
function Text({ item }: { item: OpenItem }) {
  const { bodyHtml, transcriptHtml, reviewed, reviewedDay, sampleNote } = item;
  return (
    <>
      <Prose html={bodyHtml} />
      {reviewed && (
        <p className={styles.reviewed}>
          This text was last reviewed on <time dateTime={reviewed}>{reviewedDay}</time>.
        </p>
      )}
      {sampleNote && <p className={styles.reviewed}>{sampleNote}</p>}
      {transcriptHtml && (
        <section className={styles.transcript} aria-labelledby="transcript">
          <h2 id="transcript">Transcript</h2>
          <Prose html={transcriptHtml} />
        </section>
      )}
    </>
  );
}

/** `public/keep.js` puts a button here that stores the item on this device. */
function KeepButtons({ itemKey: key }: { itemKey: string }) {
  const look = `${styles.keep} with-script`;
  return <p ref={offerToKeep} className={look} data-keep={key} data-look={buttons.quiet} />;
}

/** Loads the script of the button when its place comes near. */
function offerToKeep(toolbar: HTMLElement | null) {
  const watcher = new IntersectionObserver(([entry]) => {
    if (!toolbar || !entry?.isIntersecting) return;
    watcher.disconnect();
    const script = import(/* @vite-ignore */ href("/keep.js")) as Promise<typeof Keep>;
    script.then(({ offer }) => offer(toolbar)).catch(() => undefined);
  });
  if (toolbar) watcher.observe(toolbar);
  return () => watcher.disconnect();
}

/** For readers and for their programs. */
function Header({ item, section, itemKey: key }: Pick<ItemScreen, "item" | "section"> & { itemKey: string }) {
  const { kind, title, author, date, day, length, silence } = item;
  const { category, categoryHeading } = kinds[kind];
  return (
    <header className={styles.header}>
      <meta property="og:title" content={title} />
      <meta name="author" content={author} />
      <meta property="article:published_time" content={date} />
      <div className={styles.title}>
        <h1 tabIndex={-1} itemProp="headline">
          {title}
        </h1>
        <FavouriteButton itemKey={key} title={title} />
      </div>
      <p className={styles.meta}>
        <span itemProp="author" itemScope itemType="https://schema.org/Person">
          By <span itemProp="name">{author}</span>
        </span>{" "}
        {category && <span>{`${category} `}</span>}
        <time dateTime={date} itemProp="datePublished">
          {day}
        </time>
        {length && <span>{` ${section === "listen" ? `${sections.listen.one} · ${length}` : length}`}</span>}
        {silence && <span>{` ${silence}`}</span>}
      </p>
      {categoryHeading && <h2 className={styles.category}>{categoryHeading}</h2>}
    </header>
  );
}

/** With Play over it when it plays here. */
function Cover({ item, playPath }: { item: OpenItem; playPath: string }) {
  const { title, picture, video } = item;
  const isPlayable = video && video.kind !== "elsewhere";
  const alt = isPlayable ? `Play: ${title}` : undefined;
  const image = <Picture picture={picture} sizes="wide" isFirst hasMat alt={alt} />;
  if (!isPlayable) {
    return (
      <div className={styles.cover}>
        {image}
        {video && <Elsewhere src={video.src} />}
      </div>
    );
  }
  return (
    <Link id="play" className={`${styles.cover} ${styles.playable}`} to={playPath} preventScrollReset>
      {image}
      <span className={styles.play}>
        <Icon name="play" />
      </span>
    </Link>
  );
}

/** For a video of a host that we do not embed. */
function Elsewhere({ src }: { src: string }) {
  return (
    <p className={styles.elsewhere}>
      This video can't be played here.
      <OutsideLink className={buttons.quiet} href={src}>
        <Icon name="external" />
        Watch it at {new URL(src).hostname}
      </OutsideLink>
    </p>
  );
}
