import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";

import { type SceneName, sceneNumber, type Section, sections as names } from "../../../server/content/kinds.ts";
import type { LandingTopic } from "../../../server/content/rules.ts";
import type { Services } from "../../../server/services.ts";
import { href, stripBase } from "../../paths.ts";
import { Picture } from "../../components/picture.tsx";
import { findStarted, type Started } from "./go-on.ts";
import { landingTexts } from "./landing-texts.ts";
import { searchPath } from "./view.ts";
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

export type LandingScreen = { name: "landing"; started: Started[] };

/** `forgotten`: what was just taken out of the first row, as an address has it. */
export async function findLanding(services: Services, memberId: number, forgotten = ""): Promise<LandingScreen> {
  return { name: "landing", started: await findStarted(services, memberId, forgotten) };
}

/** A wait that is noticed. */
const LATE_AFTER_MS = 200;

/** How high the first row was when it was last seen, in CSS pixels: the loading state leaves that space free. */
let rowHeight = 0;

type LandingProps = Partial<LandingScreen> & {
  /** The sections that there are. */
  sections: Section[];
};

/** Where a member arrives. Until its data is there, its tiles are blank. */
export function Landing({ started, sections }: LandingProps) {
  const isLoading = !started;
  const row = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isLoading) rowHeight = row.current?.getBoundingClientRect().height ?? 0;
  });
  return (
    <div className={styles.landing} aria-busy={isLoading || undefined}>
      <h1 tabIndex={-1}>{landingTexts.heading}</h1>
      {isLoading && rowHeight > 0 && <div style={{ height: rowHeight }} />}
      {started?.[0] && (
        <Form ref={row} method="post" replace className={styles.started}>
          <input type="hidden" name="intent" value="forget" />
          <h2 id="go-on">{landingTexts.started}</h2>
          <ul className={styles.row}>
            {started.map(({ key, title, path, left, undo }) => (
              <li key={key}>
                <a href={href(path)}>
                  {title} <span>{left}</span>
                </a>
                <button id={undo && "undo"} name={undo ? "undo" : "item"} value={undo ?? key}>
                  {undo ? "Undo" : "Forget"}
                  <span className="visually-hidden"> {title}</span>
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
