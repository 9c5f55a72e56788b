import buttons from "../components/button.module.css";
import { nowPlaying, type Recording } from "./now-playing.ts";
import { playOn, showBar } from "./player-bar.tsx";
import type { KnownPosition } from "./core/positions.ts";
import { choiceText, offerChoices } from "./core/sleep-time.ts";
import { chooseTimer, soundTimer } from "./sound-timer.ts";
import { timerSettings } from "./core/settings.ts";
import { useStore } from "./controls/use-store.ts";
import { openRecording } from "./recording.ts";

/** Puts a recording into the bar that a press on another page than its own has begun. */
export function takeOver(
  recording: Recording,
  { element, position }: { element: HTMLAudioElement; position: KnownPosition },
): void {
  element.setAttribute("aria-label", recording.title);
  const listening = openRecording(recording, { element, position, startAt: position.startAt });
  playOn(listening);
  // One that the browser did not let begin, or that cannot be reached, has its Play there.
  if (nowPlaying.read()?.element !== element) showBar(listening);
}

/** Sets the timer of what plays to the time that the member chose last. */
export function OneTapTimer() {
  const { timer, announcement } = useStore(soundTimer);
  const { last } = useStore(timerSettings);
  const [first] = offerChoices(last);
  return (
    <>
      <button
        type="button"
        className={buttons.pill}
        aria-pressed={timer?.choice === first}
        onClick={() => chooseTimer(first)}
      >
        {`Timer: ${choiceText(first)}`}
      </button>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  );
}
