import type { Sound } from "../../server/content/items/sound.ts";
import { Icon } from "../components/icons.tsx";
import { back, forward } from "./controls/player-controls.tsx";
import style from "./quiet-player.css?inline";
// oxlint-disable-next-line import/default -- its text (`tools/bundle-script.ts`)
import script from "./quiet-script.ts?inline";
import { BrowserPlayer } from "./browser-player.tsx";
import { choiceText, offerChoices } from "./core/sleep-time.ts";

/** The style and the script that a quiet page with a recording carries beside its own. */
export const quietPlayer = { style, script };

/** A recording on a quiet page: the browser's own player, and ours once its script runs. */
export function QuietPlayer({ title, sound }: { title: string; sound: Sound }) {
  const { playMinutes, durationInSeconds = 0 } = sound;
  const [first, ...others] = offerChoices(undefined);
  return (
    <>
      <BrowserPlayer title={title} sound={sound} />
      <div className="player" data-seconds={playMinutes ? playMinutes * 60 : durationInSeconds} hidden>
        <div className="row">
          <button type="button" className="back">
            {back}
            <span aria-hidden="true">15</span> <span className="hidden">Back 15 seconds</span>
          </button>{" "}
          <button type="button" className="play">
            <Icon name="play" />
            <Icon name="pause" />
            <span className="hidden">Play</span>
          </button>{" "}
          <button type="button" className="forward">
            {forward}
            <span aria-hidden="true">15</span> <span className="hidden">Forward 15 seconds</span>
          </button>
        </div>
        <input type="range" aria-label="Place" step={1} defaultValue={0} />
        <p className="left" />
        <div role="group" aria-label="Sleep timer">
          <button type="button" aria-pressed={false}>
            <Icon name="moon" />
            Timer: <span>{choiceText(first)}</span>
          </button>
          <details>
            <summary>Other times</summary>
            <ul>
              {others.map((choice) => (
                <li key={choice}>
                  <button type="button">{choiceText(choice)}</button>
                </li>
              ))}
              <li className="none" hidden>
                <button type="button">No timer</button>
              </li>
            </ul>
          </details>
          <p role="status" />
        </div>
      </div>
    </>
  );
}
