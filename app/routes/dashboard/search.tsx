import { Link } from "react-router";

import type { Catalogue } from "../../../server/content/catalogue.ts";
import type { Guide } from "../../../server/content/guides.ts";
import { itemKey, type ItemKind, type Section, sections } from "../../../server/content/kinds.ts";
import { dayText } from "../../../server/content/rules.ts";
import type { SearchResult } from "../../../server/content/search.ts";
import type { HelpCard } from "../../../server/urgent-help/rules.ts";
import type { PositionState } from "../../../server/database/schema.ts";
import type { Services } from "../../../server/services.ts";
import { toDay } from "../../../server/format.ts";
import { Badge } from "../../components/card.tsx";
import buttons from "../../components/button.module.css";
import { FavouriteButton } from "../../components/favourite-button.tsx";
import { Icon } from "../../components/icons.tsx";
import { TabLink } from "../../components/links.tsx";
import { EmptyScreen } from "../../components/empty-screen.tsx";
import { Pages } from "../../components/pages.tsx";
import { Picture } from "../../components/picture.tsx";
import { TopicLinks } from "../../components/topic-links.tsx";
import { UrgentHelp } from "../../components/urgent-help.tsx";
import { href } from "../../paths.ts";
import { tiles } from "./landing.tsx";
import { searchPath, type SearchView } from "./view.ts";
import styles from "./search.module.css";

/** One page of what was found. */
export type SearchScreen = SearchView & {
  section: Section;
  /** The sections that there are, each a filter. */
  filters: Section[];
  counts: Record<Section, number>;
  results: FoundItem[];
  pageCount: number;
  /** Topics to try instead, when nothing was found. */
  nearest: string[];
  /** The help that comes first, where the term speaks of despair, harm or danger. */
  help?: HelpCard | undefined;
  /** The way into a topic of the landing, above all that is found for it. */
  guide?: MarkedGuide | undefined;
};

/** A guide whose steps say what the member has done with them. */
type MarkedGuide = Omit<Guide, "steps"> & { steps: (Guide["steps"][number] & { mark: string | undefined })[] };

/** A result with its date in words. */
type FoundItem = SearchResult & { age: string };

const PAGE_SIZE = 24;
const DAY_IN_MS = 86_400_000;

/** Search opens on the section that was asked for, else on the first that has a hit (docs/behaviour.md, Search). `undefined` past the last page. */
export function findSearch(catalogue: Catalogue, view: SearchView, now: Date): SearchScreen | undefined {
  const { term, order, page } = view;
  const { counts, list, toResult } = catalogue.search({ term, order });
  const filters = catalogue.listSections();
  const wanted = filters.find((each) => each === view.section);
  const section = wanted ?? filters.find((each) => counts[each] > 0) ?? "watch";
  const pageCount = Math.max(1, Math.ceil(counts[section] / PAGE_SIZE));
  if (page > pageCount) return undefined;

  const hits = list(section, (page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const results = hits.map(toResult).map((result) => Object.assign(result, { age: ageText(result.date, now) }));
  const isEmpty = filters.every((each) => counts[each] === 0);
  const nearest = isEmpty ? catalogue.suggestInstead(term) : [];
  return { name: "search", term, section, filters, order, counts, results, page, pageCount, nearest };
}

/** The guide above a search for a topic of the landing; none for one section, another order or a further page. */
export async function findGuide(
  { catalogue, positions }: Services,
  memberId: number,
  { term, section, order, page }: SearchView,
): Promise<MarkedGuide | undefined> {
  const tile = tiles.find((each) => each.term === term.toLowerCase());
  const guide = tile && !section && order === "best" && page === 1 ? catalogue.findGuide(tile.label) : undefined;
  if (!guide) return undefined;
  const marks = await positions.listMarks(memberId, guide.steps);
  const steps = guide.steps.map((step) => Object.assign({ mark: stateText(step.kind, marks[itemKey(step)]) }, step));
  return { ...guide, steps };
}

/** "Read", "Watched", or "Opened" where a player of another host tells no more. */
function stateText(kind: ItemKind, state: PositionState | undefined): string | undefined {
  if (state === "finished") return "Watched";
  return state === "opened" ? (kind === "read" ? "Read" : "Opened") : undefined;
}

/** "Today", "1 day ago" up to a week, then the date (docs/behaviour.md, Search). Both days are London's, so they are whole days apart. */
function ageText(date: string, now: Date): string {
  const days = (Date.parse(toDay(now)) - Date.parse(date)) / DAY_IN_MS;
  if (days === 0) return "Today";
  if (days > 0 && days <= 7) return days === 1 ? "1 day ago" : `${days} days ago`;
  return dayText(date, toDay(now));
}

const orderLabels = { best: "Best match", newest: "Newest", oldest: "Oldest" };

/** The count of each section, and one page of one. */
export function Search({ results, page, pageCount, nearest, guide, help, ...filter }: SearchScreen) {
  const { term, section, filters, order, counts } = filter;
  const total = filters.reduce((sum, each) => sum + counts[each], 0);
  if (total === 0) return help ? <HelpAlone term={term} help={help} /> : <NothingFound term={term} nearest={nearest} />;
  return (
    <div className={styles.search}>
      {help && <UrgentHelp card={help} isHeading />}
      <Heading term={term} shown={results.length} total={total} isBelow={help !== undefined} />
      {guide && <StartHere {...guide} />}
      <div className={styles.choices}>
        <Filters {...filter} />
        <Orders {...filter} />
      </div>
      <ul className={styles.results}>
        {results.map((result, index) => (
          <li key={result.id}>
            <Result result={result} isFirst={index === 0} />
          </li>
        ))}
      </ul>
      <Pages page={page} pageCount={pageCount} toPath={(to) => searchPath({ term, section, order, page: to })} />
      <div className={styles.ways}>
        <Ways />
      </div>
    </div>
  );
}

type HeadingProps = { term: string; shown: number; total: number; isBelow: boolean };

function Heading({ term, shown, total, isBelow }: HeadingProps) {
  const title = `Search results for ${term}`;
  return (
    <header className={styles.heading}>
      <Link className={buttons.round} to="/">
        <Icon name="back" />
        <span className="visually-hidden">Back</span>
      </Link>
      <div>
        {isBelow ? <h2>{title}</h2> : <h1 tabIndex={-1}>{title}</h1>}
        <p role="status">{`Showing ${shown} ${shown === 1 ? "result" : "results"} of ${total} in all`}</p>
      </div>
      <Link className={buttons.round} to="/?q=">
        <Icon name="search" />
        <span className="visually-hidden">Search for something else</span>
      </Link>
    </header>
  );
}

function StartHere({ intro, steps, recordings }: MarkedGuide) {
  return (
    <section className={styles.guide}>
      <h2>Start here</h2>
      {intro && <p>{intro}</p>}
      <ol>
        {steps.map(({ kind, id, section, title, length, why, mark }) => (
          <li key={id}>
            <a href={href(`/?view=${kind}&item=${id}`)}>{title}</a>
            <p>
              {why}
              {length && ` ${sections[section].one}, ${length}.`}
              {mark && <b>{` ${mark}.`}</b>}
            </p>
          </li>
        ))}
      </ol>
      {recordings.length > 0 && (
        <>
          <h3>To listen to, with a sleep timer</h3>
          <ul>
            {recordings.map(({ kind, id, title }) => (
              <li key={id}>
                <a href={href(`/?view=${kind}&item=${id}`)}>{title}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

type Chosen = Pick<SearchScreen, "term" | "section" | "order">;

function Filters({ term, section, filters, order, counts }: Chosen & Pick<SearchScreen, "filters" | "counts">) {
  return (
    <nav aria-label="Kinds of result">
      <ul className={styles.tabs}>
        {filters.map((each) => (
          <li key={each}>
            <TabLink
              to={searchPath({ term, section: each, order })}
              aria-current={each === section ? "page" : undefined}
            >
              {sections[each].resultsTab} <span>{counts[each]}</span>
            </TabLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Orders({ term, section, order }: Chosen) {
  return (
    <nav aria-label="Order">
      <ul className={styles.orders}>
        {(["best", "newest", "oldest"] as const).map((each) => (
          <li key={each}>
            <Link to={searchPath({ term, section, order: each })} aria-current={each === order ? "true" : undefined}>
              {orderLabels[each]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A result: one link as large as its card, to the place in the transcript where the hit is there. */
function Result({ result, isFirst }: { result: FoundItem; isFirst: boolean }) {
  const { kind, id, title, author, date, age, excerpt, anchor, picture, length, isRecording } = result;
  const key = `${kind}-${id}`;
  const { cue } = sections[isRecording ? "listen" : kind];
  return (
    <article id={key} className={styles.result}>
      <Picture picture={picture} sizes="card" isFirst={isFirst} />
      <div className={styles.text}>
        <Badge of={result} />
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.excerpt}>
          <Excerpt pieces={excerpt} />
        </p>
        <p className={styles.meta}>
          {`${author} · `}
          <time dateTime={date}>{age}</time>
          {length && !isRecording && ` · ${length}`}
        </p>
        <p>
          <a
            className={styles.link}
            href={href(`/?view=${kind}&item=${id}${anchor ? `#${anchor}` : ""}`)}
            aria-label={`${cue}: ${title}`}
          >
            {cue}
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
  return pieces.map((text, index) => (index % 2 === 1 ? <mark key={index}>{text}</mark> : text));
}

/** No topics are offered here: none of them is near. */
function HelpAlone({ term, help }: { term: string; help: HelpCard }) {
  return (
    <div className={styles.search}>
      <UrgentHelp card={help} isHeading />
      <p role="status">{`The library has nothing on "${term}".`}</p>
      <div className={styles.ways}>
        <Ways />
      </div>
    </div>
  );
}

function NothingFound({ term, nearest }: { term: string; nearest: string[] }) {
  return (
    <EmptyScreen title={`No results found for "${term}"`} action={<Ways />}>
      <p role="status">Other words may find it. Perhaps one of these is near:</p>
      <TopicLinks topics={nearest} />
    </EmptyScreen>
  );
}

function Ways() {
  return (
    <>
      <Link className={buttons.quiet} to="/">
        Back to Home
      </Link>{" "}
      <Link className={buttons.quiet} to="/?view=watch">
        Explore everything
      </Link>
    </>
  );
}

/** All topics: the suggestions of the search box as a list, also for browsers that cannot make suggestions. */
export type TopicsScreen = { name: "topics"; topics: string[] };

export function Topics({ topics }: TopicsScreen) {
  return (
    <div className={styles.topics}>
      <h1 tabIndex={-1}>Search</h1>
      <p>Type what keeps you awake into the box above, or choose a topic.</p>
      <TopicLinks topics={topics} />
      <p>
        <Link to="/">Back to Home</Link>
      </p>
    </div>
  );
}
