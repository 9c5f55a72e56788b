import { Fragment } from "react";

import { href } from "../../paths.ts";
import { Picture } from "../../ui/picture.tsx";
import { sceneNumber, type SceneName } from "../../ui/scenes.ts";
import { sectionKinds, sections } from "./sections.ts";
import { searchPath } from "./view.ts";
import styles from "./landing.module.css";

/** The six topics of the landing and the terms they search for (spec, section 2). */
const tiles: { label: string; term: string; scene: SceneName }[] = [
  { label: "Can't get to sleep", term: "can't sleep", scene: "moon-over-hills" },
  { label: "Waking in the night", term: "waking in the night", scene: "owl-on-a-bough" },
  { label: "Temperature", term: "temperature", scene: "rain-on-a-window" },
  { label: "Snoring/Sleep apnea", term: "snoring", scene: "sleeping-village" },
  { label: "Menopause", term: "menopause", scene: "attic-lamp" },
  { label: "Shift Work", term: "shift work", scene: "lighthouse" },
];

/** Where a member arrives: what keeps you awake? */
export function Landing() {
  return (
    <div className={styles.landing}>
      <hgroup className={styles.heading}>
        <h1 tabIndex={-1}>Let's Get Started</h1>
        <p>What's your problem?</p>
      </hgroup>
      <ul className={styles.tiles}>
        {tiles.map(({ label, term, scene }) => (
          <li key={term}>
            <a className={styles.tile} href={href(searchPath({ term }))}>
              <Picture picture={{ scene: sceneNumber(scene) }} sizes="tile" isFirst />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.browse}>
        Or browse{" "}
        {sectionKinds.map((kind) => (
          <Fragment key={kind}>
            <a href={href(`/?view=${kind}`)}>{sections[kind].label}</a>{" "}
          </Fragment>
        ))}
        <a href={href("/?q=")}>All topics</a>
      </p>
    </div>
  );
}
