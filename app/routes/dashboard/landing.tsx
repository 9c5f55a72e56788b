import { itemKinds, kinds } from "../../../server/content/kinds.ts";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useNavigation } from "react-router";

import { href, stripBase } from "../../paths.ts";
import { Picture, type SceneName, sceneNumber } from "../../components/picture.tsx";
import { searchPath } from "./view.ts";
import styles from "./landing.module.css";

/** The six topics of the landing and the terms they search for (spec, section 2). */
export const tiles: { label: string; term: string; scene: SceneName }[] = [
  { label: "Can't get to sleep", term: "can't sleep", scene: "moon-over-hills" },
  { label: "Waking in the night", term: "waking in the night", scene: "owl-on-a-bough" },
  { label: "Temperature", term: "temperature", scene: "rain-on-a-window" },
  { label: "Snoring/Sleep apnea", term: "snoring", scene: "sleeping-village" },
  { label: "Menopause", term: "menopause", scene: "attic-lamp" },
  { label: "Shift Work", term: "shift work", scene: "lighthouse" },
];

/** A wait that is noticed. */
const LATE_AFTER_MS = 200;

/** Where a member arrives. Until its data is there, its tiles are blank. */
export function Landing({ isLoading = false }: { isLoading?: boolean }) {
  return (
    <div className={styles.landing} aria-busy={isLoading || undefined}>
      <hgroup className={styles.heading}>
        <h1 tabIndex={-1}>Let's Get Started</h1>
        <p>What's your problem?</p>
      </hgroup>
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
        Or browse{" "}
        {itemKinds.map((kind) => (
          <Fragment key={kind}>
            <Link to={`/?view=${kind}`}>{kinds[kind].tab}</Link>{" "}
          </Fragment>
        ))}
        <Link to="/?q=">All topics</Link>
      </p>
    </div>
  );
}

/**
 * A screen; or the landing's loading state, once the member has left for the landing and it is late. That is as high as the screen
 * was, so that Back finds its scroll position.
 */
export function UntilLanding({ isOff, children }: { isOff: boolean; children: ReactNode }) {
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
      {isLate ? <Landing isLoading /> : children}
    </div>
  );
}
