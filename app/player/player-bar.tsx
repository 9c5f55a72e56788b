import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useRouteLoaderData } from "react-router";

import { parseItemKey } from "../../server/content/items/kinds.ts";
import buttons from "../components/button.module.css";
import { Icon } from "../components/icons.tsx";
import { moveFocus } from "../frame/focus.ts";
import { isDashboard, itemPath } from "../frame/paths.ts";
import type { Controls } from "./core/controls.ts";
import { useNext } from "./following.ts";
import { readProgress, toControls } from "./core/listening.ts";
import { showOnLockScreen } from "./core/lock-screen.ts";
import { nowPlaying, type Playing, type Recording, SESSION_KEY } from "./now-playing.ts";
import styles from "./player-bar.module.css";
import { KeyArea, PlayButton, SkipButton, TimeLeft, useProgress } from "./controls/player-controls.tsx";
import { keepPosition, type KnownPosition } from "./core/positions.ts";
import { choices, drawPhase, msLeft, type Timer } from "./core/sleep-time.ts";
import { TimerMenu, useFading } from "./controls/sleep-timer.tsx";
import { playAlone } from "./core/solo.ts";
import { chooseTimer, soundTimer } from "./sound-timer.ts";
import { readItem, writeItem } from "./core/storage.ts";
import { createStore } from "./core/store.ts";
import { goDark } from "./controls/darkness.ts";
import { useStore } from "./controls/use-store.ts";

/** The item whose own controls are on the screen. */
export const stageInView = createStore<string | undefined>(undefined);

/**
 * Puts a recording into the bar once it plays, so that it goes on while its member leaves the page.
 * @returns a function that stops waiting for that.
 */
export function playOn(listening: Playing): () => void {
  const { element } = listening;
  element.controls = false;
  function begin(): void {
    const last = nowPlaying.read();
    if (last?.element === element) return;
    if (last) stop(last);
    soundTimer.begin();
    showBar(listening);
  }
  if (!element.paused) begin();
  element.addEventListener("play", begin);
  return () => element.removeEventListener("play", begin);
}

export function showBar(listening: Playing): void {
  // Out of its item's page, which goes. Taken out and put back in one task, it plays on (HTML, “media elements removed from a document”).
  document.body.append(listening.element);
  nowPlaying.set({ ...listening, Bar: PlayerBar });
}

function stop({ element }: Playing): void {
  element.pause();
  element.remove();
  nowPlaying.set(undefined);
  writeNote(undefined);
}

/** The facts that a reload of the tab restores. */
type Note = {
  recording: Recording;
  startAt?: number | undefined;
  position?: KnownPosition | undefined;
  memberId?: number | undefined;
};

export function readNote(): Note | undefined {
  const text = readItem(SESSION_KEY, "sessionStorage");
  return text === null ? undefined : (JSON.parse(text) as Note);
}

function writeNote(note: Note | undefined): void {
  writeItem(SESSION_KEY, note && JSON.stringify(note), "sessionStorage");
}

type BarProps = { playing: Playing };

function PlayerBar({ playing }: BarProps) {
  return <Bar key={playing.recording.itemKey} playing={playing} />;
}

function Bar({ playing }: BarProps) {
  const { recording, element } = playing;
  const isStaged = useStore(stageInView) === recording.itemKey;
  const [isOffered, setIsOffered] = useState(element.paused);
  useEffect(() => {
    const begin = () => setIsOffered(false);
    element.addEventListener("play", begin);
    return () => element.removeEventListener("play", begin);
  }, [element]);
  useEffect(() => playAlone(element), [element]);
  const controls = useMemo(() => toControls(playing), [playing]);
  useEffect(() => showOnLockScreen(controls, playing.recording), [controls, playing]);
  useOwner(playing);

  const { timer } = useStore(soundTimer);
  const { playMinutes } = playing.length;
  const onItemEnd = useNext(playing, controls, timer);
  useFading({ ...playing, playMinutes, timer: soundTimer, onEnd: goDark, onItemEnd });
  // After it: the place of a loop is what it has counted.
  useStoredPosition(playing);

  function close(): void {
    stop(playing);
    soundTimer.set(undefined);
    moveFocus();
  }
  if (isStaged) return null;
  const item = parseItemKey(recording.itemKey);
  return (
    <section className={styles.bar} aria-label="Now playing">
      <KeyArea controls={controls} className={styles.inner}>
        <Link className={styles.item} to={item ? itemPath(item) : "/"}>
          {recording.picture && <img src={recording.picture} alt="" width={80} height={45} />}
          <span className={styles.title}>{isOffered ? `Carry on with ${recording.title}` : recording.title}</span>
          <span className={styles.left}>
            <TimeLeft controls={controls} />
          </span>
        </Link>
        <SkipButton controls={controls} isBack />
        <PlayButton controls={controls} />
        <SkipButton controls={controls} />
        <TimerMenu
          className={styles.timer}
          canFollow
          label={<TimerMoon controls={controls} timer={timer} />}
          choices={choices}
          timer={soundTimer}
          onChoose={chooseTimer}
        />
        <button type="button" className={buttons.round} aria-label="Stop and close" onClick={close}>
          <Icon name="close" />
        </button>
      </KeyArea>
    </section>
  );
}

/** The timer as a moon, which wanes with its time. */
function TimerMoon({ controls, timer }: { controls: Controls; timer: Timer | undefined }) {
  const { seconds, duration } = useProgress(controls);
  const left = timer && shareLeft(timer, 1 - seconds / duration);
  return (
    <>
      {left === undefined ? (
        <Icon name="moon" />
      ) : (
        <svg className={styles.moon} viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d={drawPhase(matchMedia(withoutMotion).matches ? Math.ceil(left * 4) / 4 : left)} />
        </svg>
      )}
      <span className="visually-hidden">Sleep timer</span>
    </>
  );
}

/** Here the moon changes by quarters. */
const withoutMotion = "(prefers-reduced-motion: reduce)";

/** The rest of a timer's time, from 1 to 0. */
function shareLeft(timer: Timer, itemLeft: number): number {
  if (timer.choice === "end") return itemLeft;
  return msLeft(timer, { now: Date.now(), toEnd: Infinity }) / (timer.choice * 60_000);
}

function useStoredPosition({ recording, element, length, playedMs, position }: Playing): void {
  const { itemKey } = recording;
  const { playMinutes } = length;
  useEffect(() => {
    const loop = playMinutes ? { playedMs, playMinutes } : undefined;
    return position && keepPosition(element, { itemKey, known: position, loop });
  }, [element, itemKey, playMinutes, playedMs, position]);
}

/** The part of a member's page that says whose it is, and whether they have access. */
type MemberPage = { site: { memberId: number }; screen: { name: string } };

/** Stops for another member, without a subscription, and away from a member's pages; notes it meanwhile for a reload. */
function useOwner(playing: Playing): void {
  const { pathname } = useLocation();
  const page = useRouteLoaderData<MemberPage>("routes/member/dashboard");
  const alias = useRouteLoaderData<MemberPage>("dashboard-alias");
  // A member's page that failed has no data.
  const shown = page ?? alias;
  const memberId = shown?.site.memberId;
  const owner = useRef(playing.memberId);
  const isElsewhere = !shown && !isDashboard(pathname);
  const isLocked = shown?.screen.name === "locked";
  useEffect(() => {
    owner.current ??= memberId;
  }, [memberId]);
  useEffect(() => {
    const note = () => {
      const { recording, position } = playing;
      writeNote({ recording, position, startAt: readProgress(playing).seconds || undefined, memberId: owner.current });
    };
    note();
    addEventListener("pagehide", note);
    document.addEventListener("visibilitychange", note);
    return () => {
      removeEventListener("pagehide", note);
      document.removeEventListener("visibilitychange", note);
    };
  }, [playing]);
  useEffect(() => {
    const isOther = memberId !== undefined && memberId !== owner.current;
    if (isElsewhere || isLocked || isOther) stop(playing);
  }, [playing, memberId, isElsewhere, isLocked]);
}
