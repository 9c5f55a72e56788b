import buttons from "../components/button.module.css";
import { createListening } from "./core/listening.ts";
import { nowPlaying, type Recording } from "./now-playing.ts";
import { playOn, showBar } from "./player-bar.tsx";
import type { KnownPlace } from "./core/positions.ts";
import { choiceText, offerChoices } from "./core/sleep-time.ts";
import { chooseTimer, useSoundTimer } from "./sound-timer.ts";
import { useTimerSettings } from "./core/settings.ts";

/** Puts a recording into the bar that a press on another page than its own has begun. */
export function takeOver(
  recording: Recording,
  { element, place }: { element: HTMLAudioElement; place: KnownPlace },
): void {
  element.setAttribute("aria-label", recording.title);
  const listening = createListening(recording, { element, place, startAt: place.startAt });
  playOn(listening);
  // One that the browser did not let begin, or that cannot be reached, has its Play there.
  if (nowPlaying.read()?.element !== element) showBar(listening);
}

/** Sets the timer of what plays to the time that the member chose last. */
export function OneTapTimer() {
  const { timer, announcement } = useSoundTimer();
  const { last } = useTimerSettings();
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
