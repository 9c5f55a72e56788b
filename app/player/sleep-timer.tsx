import { useEffect, useRef, useState, type RefObject } from "react";

import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import { darken, goDark } from "./darkness.ts";
import { type Choice, darknessAt, describeTimer, choiceText, msLeft, offerChoices, parseChoice } from "./sleep-time.ts";
import { type Played, type Timer, volumeAt } from "./sleep-time.ts";
import styles from "./sleep-timer.module.css";

/** Where this browser keeps the last choice: `10`, `20`, `30`, `45`, `60` or `end`. Nothing else is kept of a timer. */
const STORAGE_KEY = "sleep-timer";
const TICK_MS = 500;

type SleepTimerProps = {
  media: RefObject<HTMLMediaElement | HTMLIFrameElement | null>;
  played: Played;
  /** A loop ends after so many minutes, timer or not. */
  playMinutes?: number | undefined;
  /** For how long a loop has been played so far. */
  playedMs: RefObject<number>;
  /** The rest of another host's film, in ms. */
  frameLeft?: (() => number) | undefined;
};

/**
 * Lets what plays fade out and the screen go dark, at the end of some minutes or of the item. Then nothing follows until the screen is
 * tapped. All times come from the clock: a page in the background is asked seldom.
 */
export function SleepTimer({ media, played, playMinutes, playedMs, frameLeft }: SleepTimerProps) {
  const [last, setLast] = useState(readChoice);
  const [timer, setTimer] = useState<Timer>();
  const [announcement, setAnnouncement] = useState("");

  function end(): void {
    setTimer(undefined);
    setAnnouncement("");
    goDark();
    const element = media.current;
    if (!(element instanceof HTMLIFrameElement)) return;
    // Silent at once, whatever the way back takes; and without a step in the history.
    element.contentWindow?.location.replace("about:blank");
    // As Escape closes it.
    element.closest("dialog")?.dispatchEvent(new Event("cancel", { cancelable: true }));
  }
  const replay = useFading({ media, timer, playMinutes, playedMs, frameLeft, onEnd: end });

  function choose(choice: Choice | undefined): void {
    if (choice === undefined) {
      setTimer(undefined);
      setAnnouncement("The timer is off.");
      return;
    }
    writeChoice(choice);
    setLast(choice);
    setTimer({ choice, setAt: Date.now() });
    setAnnouncement(describeTimer(choice, played));
    replay();
  }

  return (
    <div className={styles.timer} role="group" aria-label="Sleep timer">
      <Choices last={last} chosen={timer?.choice} onChoose={choose} />
      <p role="status">{announcement}</p>
    </div>
  );
}

type ChoicesProps = {
  last: Choice | undefined;
  /** The present timer. */
  chosen: Choice | undefined;
  /** `undefined` turns the timer off. */
  onChoose: (choice: Choice | undefined) => void;
};

/** The last choice as a button, and the others behind one. */
function Choices({ last, chosen, onChoose }: ChoicesProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [first, ...others] = offerChoices(last);
  function choose(choice: Choice | undefined): void {
    if (menu.current) menu.current.open = false;
    onChoose(choice);
  }
  return (
    <>
      <button type="button" className={buttons.pill} aria-pressed={chosen === first} onClick={() => choose(first)}>
        <Icon name="moon" />
        Timer: {choiceText(first)}
      </button>
      <details ref={menu} className={styles.others}>
        <summary className={buttons.pill}>Other times</summary>
        <ul className={styles.menu}>
          {others.map((choice) => (
            <li key={choice}>
              <button type="button" onClick={() => choose(choice)}>
                {choiceText(choice)}
              </button>
            </li>
          ))}
          {chosen && (
            <li>
              <button type="button" onClick={() => choose(undefined)}>
                No timer
              </button>
            </li>
          )}
        </ul>
      </details>
    </>
  );
}

type Fading = Omit<SleepTimerProps, "played"> & { timer: Timer | undefined; onEnd: () => void };

/** Fades what plays, and the screen where there is a timer. Answers how to play again what was stopped here. */
function useFading({ media, timer, playMinutes, playedMs, frameLeft, onEnd }: Fading): () => void {
  const isStopped = useRef(false);
  /** The volume before the fade. It comes back when the item plays again: earlier, its last moment would be loud. */
  const volume = useRef<number>(undefined);
  const latestOnEnd = useRef(onEnd);
  useEffect(() => {
    latestOnEnd.current = onEnd;
  });

  useEffect(() => {
    const element = media.current instanceof HTMLMediaElement ? media.current : undefined;
    let wasPlaying = element?.paused === false;
    let lastTick = Date.now();
    let isOver = false;

    function tick(): void {
      if (isOver) return;
      const now = Date.now();
      if (wasPlaying) playedMs.current += now - lastTick;
      lastTick = now;
      wasPlaying = element?.paused === false;
      const loopLeft = playMinutes ? playMinutes * 60_000 - playedMs.current : Infinity;
      const itemLeft = element ? mediaLeft(element) : (frameLeft?.() ?? Infinity);
      const left = timer ? msLeft(timer, { now, toEnd: playMinutes ? loopLeft : itemLeft }) : Infinity;
      const firstLeft = Math.min(left, loopLeft);
      if (firstLeft > 0) {
        if (element && wasPlaying) setVolume(element, volumeAt(firstLeft));
        darken(darknessAt(left));
        return;
      }
      isStopped.current = true;
      element?.pause();
      isOver = left <= 0;
      if (isOver) latestOnEnd.current();
    }

    function setVolume(played: HTMLMediaElement, share: number): void {
      if (share === 1 && volume.current === undefined) return;
      volume.current ??= played.volume;
      played.volume = volume.current * share;
      if (share === 1) volume.current = undefined;
    }

    /** After its end a loop begins anew. */
    function begin(): void {
      if (playMinutes && playedMs.current >= playMinutes * 60_000) playedMs.current = 0;
    }

    element?.addEventListener("play", begin);
    const events = ["play", "pause", "timeupdate", "ended"];
    for (const event of events) element?.addEventListener(event, tick);
    document.addEventListener("visibilitychange", tick);
    const ticking = timer && setInterval(tick, TICK_MS);
    return () => {
      if (wasPlaying) playedMs.current += Date.now() - lastTick;
      element?.removeEventListener("play", begin);
      for (const event of events) element?.removeEventListener(event, tick);
      document.removeEventListener("visibilitychange", tick);
      clearInterval(ticking);
      darken(0);
    };
  }, [media, timer, playMinutes, playedMs, frameLeft]);

  return () => {
    if (isStopped.current && media.current instanceof HTMLMediaElement) void media.current.play();
    isStopped.current = false;
  };
}

/** The rest of a film or a recording, in ms; unknown is endless. */
function mediaLeft({ duration, currentTime, playbackRate, ended }: HTMLMediaElement): number {
  if (ended) return 0;
  return Number.isFinite(duration) ? ((duration - currentTime) / playbackRate) * 1000 : Infinity;
}

function readChoice(): Choice | undefined {
  try {
    return parseChoice(localStorage.getItem(STORAGE_KEY));
  } catch {
    // The browser keeps nothing for this site: the usual choice comes first.
    return undefined;
  }
}

function writeChoice(choice: Choice): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(choice));
  } catch {
    // As above.
  }
}
