import { Fragment, type ReactNode } from "react";

import { itemKey, sections } from "../../../../server/content/items/kinds.ts";
import type { SearchOrder } from "../../../../server/content/search/search.ts";
import { Badge, ProgressBar } from "../../../components/card.tsx";
import buttons from "../../../components/button.module.css";
import { FavouriteButton } from "../../../components/favourite-button.tsx";
import { Icon } from "../../../components/icons.tsx";
import { EmptyScreen } from "../../../components/empty-screen.tsx";
import { Pages } from "../../../components/pages.tsx";
import { Picture } from "../../../components/picture.tsx";
import { TopicLinks } from "../../../components/topic-links.tsx";
import { QuietHelp } from "../../../components/urgent-help.tsx";
import { createLateComponent } from "../../../frame/late-component.tsx";
import { href } from "../../../frame/paths.ts";
import { NearFrom, Others, ReadAs } from "./search-notes.tsx";
import type { FoundItem, SearchScreen } from "./search-screen.ts";
import { orders, searchPath, viewPath } from "./view.ts";
import styles from "./search.module.css";

const Guide = createLateComponent("guide", async () => (await import("./guide.tsx")).Guide);

const orderLabels: Record<SearchOrder, string> = { best: "Best match", newest: "Newest", oldest: "Oldest" };

/** The count of each section, and one page of one. */
export function Search(screen: SearchScreen) {
  const {
    term,
    searched,
    section,
    filters,
    order,
    isLiteral,
    isPastHelp,
    counts,
    results,
    page,
    pageCount,
    perhaps,
    nearest,
    guide,
    quiet,
    others,
    near,
  } = screen;
  const total = filters.reduce((sum, each) => sum + counts[each], 0);
  const help = quiet && <QuietHelp line={quiet.line} />;
  if (total + perhaps.length === 0) return <NothingFound searched={searched} nearest={nearest} help={help} />;
  const chosen = { term, section, order, isLiteral, isPastHelp };
  const groups = near ? [results.slice(0, near.from), results.slice(near.from)] : [results];
  return (
    <div className={styles.search}>
      {quiet?.isFirst && help}
      <Heading searched={searched} />
      <ReadAs {...screen} />
      {guide && <Guide {...guide} />}
      {total > 0 && (
        <div className={styles.choices}>
          <Filters {...chosen} filters={filters} counts={counts} />
          <Orders {...chosen} />
        </div>
      )}
      <Others others={others} />
      {total > 0 && <Count shown={results.length} total={total} />}
      {groups.map((list, at) => (
        <Fragment key={at === 1 ? "near" : "all"}>
          {at === 1 && near && <NearFrom isAll={near.isAll} count={list.length} />}
          <Results list={list} isFirst={!guide && list[0] === results[0]} />
        </Fragment>
      ))}
      {perhaps.length > 0 && (
        <section className={styles.perhaps}>
          <h2>{`${total === 0 ? "Nothing has all your words. " : ""}Perhaps one of these:`}</h2>
          <Results list={perhaps} isFirst={total === 0} titleAs="h3" />
        </section>
      )}
      <Pages page={page} pageCount={pageCount} toPath={(to) => searchPath({ ...chosen, page: to })} />
      {!quiet?.isFirst && help}
      <div className={styles.ways}>
        <Ways />
      </div>
    </div>
  );
}

type ResultsProps = { list: FoundItem[]; isFirst: boolean; titleAs?: "h2" | "h3" };

function Results({ list, isFirst, titleAs = "h2" }: ResultsProps) {
  if (list.length === 0) return undefined;
  return (
    <ul className={styles.results}>
      {list.map((result, index) => (
        <li key={result.id}>
          <Result result={result} isFirst={isFirst && index === 0} titleAs={titleAs} />
        </li>
      ))}
    </ul>
  );
}

function Heading({ searched }: { searched: string }) {
  return (
    <header className={`${styles.heading} beside-title`}>
      <a className={`${buttons.round} ${styles.back}`} href={href("/")}>
        <Icon name="back" />
        <span>Back</span>
      </a>
      <h1 tabIndex={-1}>{`Search results for ${searched}`}</h1>
      <a className={buttons.round} href={href("/?q=")}>
        <Icon name="search" />
        <span className="visually-hidden">Search for something else</span>
      </a>
    </header>
  );
}

function Count({ shown, total }: Record<"shown" | "total", number>) {
  return (
    <p role="status" className={styles.count}>
      {`Showing ${shown} ${shown === 1 ? "result" : "results"} of ${total} in all`}
    </p>
  );
}

type Chosen = Pick<SearchScreen, "term" | "section" | "order" | "isLiteral" | "isPastHelp">;

function Filters({ filters, counts, ...chosen }: Chosen & Pick<SearchScreen, "filters" | "counts">) {
  return (
    <nav aria-label="Kinds of result">
      <ul className={styles.tabs}>
        {filters.map((each) => (
          <li key={each}>
            <a
              className={buttons.pill}
              href={href(searchPath({ ...chosen, section: each }))}
              aria-current={each === chosen.section ? "page" : undefined}
            >
              {sections[each].resultsTab} <span>{counts[each]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Orders(chosen: Chosen) {
  return (
    <nav aria-label="Order">
      <ul className={styles.orders}>
        {orders.map((each) => (
          <li key={each}>
            <a
              href={href(searchPath({ ...chosen, order: each }))}
              aria-current={each === chosen.order ? "true" : undefined}
            >
              {orderLabels[each]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** In characters: a shorter text is not folded on a phone. */
const THREE_LINES = 100;

/** One link as large as its card, to the hit in the transcript if it is there. */
function Result({ result, isFirst, titleAs: Title }: { result: FoundItem; isFirst: boolean; titleAs: "h2" | "h3" }) {
  const { kind, id, title, author, date, age, excerpt, anchor, seconds, picture, length, silence, isRecording, path } =
    result;
  const key = itemKey(result);
  // A piece of Awake now has no page of its own to return to.
  const isPiece = path.includes("piece=");
  const { cue } = sections[isRecording ? "listen" : kind];
  return (
    <article id={key} className={styles.result}>
      {picture && <Picture picture={picture} sizes="card" isFirst={isFirst} hasMat />}
      <div className={styles.text}>
        <Badge of={result} />
        <Title className={styles.title}>{title}</Title>
        <p className={styles.excerpt} key={excerpt.join("|")}>
          {seconds !== undefined && (
            <a
              className={styles.time}
              href={href(viewPath({ name: "item", kind, id, isPlaying: true, from: seconds }))}
              aria-label={`Play from ${timeText(seconds)}`}
            >
              {timeText(seconds)}
            </a>
          )}
          <Excerpt pieces={excerpt} />
        </p>
        <p className={styles.meta}>
          <span>{author}</span> <time dateTime={date}>{age}</time>
          {length && !isRecording && <span>{` ${length}`}</span>}
          {silence && <span>{` ${silence}`}</span>}
          <ProgressBar itemKey={key} />
        </p>
        <div className={styles.foot}>
          <a
            className={styles.link}
            href={href(`/${path}${anchor ? `#${anchor}` : ""}`)}
            aria-label={`${cue}: ${title}`}
          >
            {cue}
          </a>
          {excerpt.join("").length > THREE_LINES && <More title={title} />}
        </div>
      </div>
      {!isPiece && <FavouriteButton itemKey={key} title={title} />}
    </article>
  );
}

/** As players write them: "1:04". */
function timeText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Unfolds the text of its card on a phone. All of it is in the page. */
function More({ title }: { title: string }) {
  return (
    <details className={styles.more}>
      <summary className={styles.fold}>
        more<span className="visually-hidden">{`: ${title}`}</span>
      </summary>
    </details>
  );
}

function Excerpt({ pieces }: { pieces: FoundItem["excerpt"] }) {
  // The pieces of one text never change places.
  // oxlint-disable-next-line react/no-array-index-key
  return pieces.map((text, index) => (index % 2 === 1 ? <mark key={index}>{text}</mark> : text));
}

type NothingFoundProps = { searched: string; nearest: string[]; help: ReactNode };

function NothingFound({ searched, nearest, help }: NothingFoundProps) {
  return (
    <EmptyScreen title={`No results found for "${searched}"`} action={<Ways />}>
      {nearest.length > 0 && (
        <>
          <p role="status">Try other words, or one of these:</p>
          <TopicLinks topics={nearest} />
        </>
      )}
      {help}
    </EmptyScreen>
  );
}

function Ways() {
  return (
    <>
      <a className={buttons.quiet} href={href("/")}>
        Back to Home
      </a>{" "}
      <a className={buttons.quiet} href={href("/?view=watch")}>
        Explore everything
      </a>
    </>
  );
}
