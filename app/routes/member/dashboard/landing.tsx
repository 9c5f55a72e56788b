import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";
import { useNavigation } from "react-router";

import { sceneNumber, type Section, sections as names } from "../../../../server/content/items/kinds.ts";
import type { Services } from "../../../../server/services.ts";
import { createLateComponent } from "../../../frame/late-component.tsx";
import { href, stripBase } from "../../../frame/paths.ts";
import { Picture } from "../../../components/picture.tsx";
import { findStarted, type Started } from "./go-on.ts";
import { landingTexts, tiles } from "./landing-texts.ts";
import { searchPath } from "./view.ts";
import styles from "./landing.module.css";

export type LandingScreen = { name: "landing"; started: Started[] };

/** `forgotten`: what was just removed from the first row, as an address has it. */
export async function findLanding(services: Services, memberId: number, forgotten = ""): Promise<LandingScreen> {
  return { name: "landing", started: await findStarted(services, memberId, forgotten) };
}

const GoOnRow = createLateComponent("go-on-row", async () => (await import("./go-on-row.tsx")).GoOnRow);

/** A wait that is noticed. */
const LATE_AFTER_MS = 200;

/** In CSS pixels: the loading state leaves the first row's last height free. */
let rowHeight = 0;

type LandingProps = Partial<LandingScreen> & {
  sections: Section[];
};

/** Blank tiles until its data is there. */
export function Landing({ started, sections }: LandingProps) {
  const isLoading = !started;
  useEffect(() => {
    if (!isLoading) rowHeight = document.getElementById("go-on-row")?.getBoundingClientRect().height ?? 0;
  });
  return (
    <div className={styles.landing} aria-busy={isLoading || undefined}>
      <h1 tabIndex={-1}>{landingTexts.heading}</h1>
      {isLoading && rowHeight > 0 && <div style={{ height: rowHeight }} />}
      {started?.[0] && <GoOnRow started={started} />}
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
              <span>{breakAtSlash(label)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.browse}>
        {landingTexts.browse}{" "}
        {sections.map((section) => (
          <Fragment key={section}>
            <a href={href(`/?view=${section}`)}>{names[section].tab}</a>{" "}
          </Fragment>
        ))}
        <a href={href("/?q=")}>{landingTexts.allTopics}</a>
      </p>
    </div>
  );
}

type UntilLandingProps = Pick<LandingProps, "sections"> & { isOff: boolean; children: ReactNode };

/** The screen, or its loading state when that is late; as high as the screen was, so that Back finds its position. */
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

/** A long label may break after its slash: a narrow tile would cut its longest word. */
function breakAtSlash(label: string): ReactNode {
  const at = label.indexOf("/") + 1;
  if (at === 0) return label;
  return (
    <>
      {label.slice(0, at)}
      <wbr />
      {label.slice(at)}
    </>
  );
}
