import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";

import {
  itemKey,
  type SceneName,
  sceneNumber,
  type Section,
  sections as names,
} from "../../../server/content/kinds.ts";
import { findPlayed, type LandingTopic } from "../../../server/content/rules.ts";
import { isAtEnd, remainingText } from "../../../server/positions/rules.ts";
import type { Services } from "../../../server/services.ts";
import { moveFocus } from "../../focus.ts";

import { href, stripBase } from "../../paths.ts";
import { Picture } from "../../components/picture.tsx";
import type { Forgotten } from "./forget.ts";
import { landingTexts } from "./landing-texts.ts";
import { searchPath, viewPath } from "./view.ts";
import styles from "./landing.module.css";

/** The six topics of the landing and the terms they search for (docs/behaviour.md, Landing). */
export const tiles: { label: LandingTopic; term: string; scene: SceneName }[] = [
  { label: "Can't get to sleep", term: "can't sleep", scene: "moon-over-hills" },
  { label: "Waking in the night", term: "waking in the night", scene: "owl-on-a-bough" },
  { label: "Temperature", term: "temperature", scene: "rain-on-a-window" },
  { label: "Snoring/Sleep apnea", term: "snoring", scene: "sleeping-village" },
  { label: "Menopause", term: "menopause", scene: "attic-lamp" },
  { label: "Shift Work", term: "shift work", scene: "lighthouse" },
];

/** Started items that are shown; as many again are read, because some may have been withdrawn. */
const GO_ON_WITH = 3;

export type LandingScreen = {
  name: "landing";
  /** `left` is the kind and how much is left, in words. */
  started: { key: string; title: string; path: string; left: string }[];
};

export async function findLanding({ catalogue, positions }: Services, memberId: number): Promise<LandingScreen> {
  const known = await positions.listStarted(memberId, 2 * GO_ON_WITH);
  const started = known.flatMap(({ kind, id, seconds, duration }) => {
    const item = catalogue.findItem(kind, id);
    const played = item && findPlayed(item);
    // It may play nothing any more, or have been cut shorter.
    const length = played?.durationInSeconds ?? duration;
    if (!played || isAtEnd(seconds, length)) return [];
    const isFilm = item.video?.kind === "file";
    const path = viewPath({ name: "item", kind, id, isPlaying: isFilm });
    const left = `${names[isFilm ? kind : "listen"].one}, ${remainingText(length - seconds)}`;
    return [{ key: itemKey(item), title: item.title, path, left }];
  });
  return { name: "landing", started: started.slice(0, GO_ON_WITH) };
}

/** A wait that is noticed. */
const LATE_AFTER_MS = 200;

/** How high the first row was when it was last seen, in CSS pixels: the loading state leaves that space free. */
let rowHeight = 0;

type LandingProps = Partial<LandingScreen> & {
  /** The sections that there are. */
  sections: Section[];
  forgotten?: Forgotten | undefined;
};

/** Where a member arrives. Until its data is there, its tiles are blank. */
export function Landing({ started, sections, forgotten }: LandingProps) {
  const isLoading = !started;
  const row = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isLoading) rowHeight = row.current?.getBoundingClientRect().height ?? 0;
  });
  // The button that was pressed goes with the data that comes after the answer, and the row may go with it.
  const count = started?.length;
  useEffect(() => {
    if (forgotten && count !== undefined) moveFocus("#go-on");
  }, [forgotten, count]);
  return (
    <div className={styles.landing} aria-busy={isLoading || undefined}>
      <h1 tabIndex={-1}>{landingTexts.heading}</h1>
      {isLoading && rowHeight > 0 && <div style={{ height: rowHeight }} />}
      {started?.[0] && (
        <Form ref={row} method="post" replace className={styles.started}>
          <input type="hidden" name="intent" value="forget" />
          <h2 id="go-on">{landingTexts.started}</h2>
          <ul className={styles.row}>
            {started.map(({ key, title, path, left }) => (
              <li key={key}>
                <a href={href(path)}>
                  {title} <span>{left}</span>
                </a>
                <button name="item" value={key}>
                  Forget<span className="visually-hidden"> {title}</span>
                </button>
              </li>
            ))}
          </ul>
        </Form>
      )}
      <p className={styles.question}>{landingTexts.question}</p>
      <ul
        key={String(isLoading)}
        className={isLoading ? styles.blanks : styles.tiles}
        aria-hidden={isLoading || undefined}
      >
        {tiles.map(({ label, term, scene }) => (
          <li key={term}>
            <a className={styles.tile} href={isLoading ? undefined : href(searchPath({ term }))}>
              {!isLoading && <Picture picture={{ scene: sceneNumber(scene) }} sizes="tile" isFirst />}
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.browse}>
        {landingTexts.browse}{" "}
        {sections.map((section) => (
          <Fragment key={section}>
            <Link to={`/?view=${section}`}>{names[section].tab}</Link>{" "}
          </Fragment>
        ))}
        <Link to="/?q=">{landingTexts.allTopics}</Link>
      </p>
    </div>
  );
}

type UntilLandingProps = Pick<LandingProps, "sections"> & { isOff: boolean; children: ReactNode };

/**
 * A screen; or the landing's loading state, once the member has left for the landing and it is late. That is as high as the screen
 * was, so that Back finds its scroll position.
 */
export function UntilLanding({ isOff, sections, children }: UntilLandingProps) {
  const { state, location } = useNavigation();
  const isOnItsWay =
    !isOff && state === "loading" && location.search === "" && /^\/(dashboard)?$/.test(stripBase(location.pathname));
  const screen = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!isOnItsWay) return undefined;
    const timer = setTimeout(() => setHeight(screen.current?.offsetHeight ?? 0), LATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setHeight(0);
    };
  }, [isOnItsWay]);
  const isLate = isOnItsWay && height > 0;
  return (
    <div ref={screen} style={isLate ? { minHeight: height } : undefined}>
      {isLate ? <Landing sections={sections} /> : children}
    </div>
  );
}
