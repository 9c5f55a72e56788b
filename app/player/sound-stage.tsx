import { useEffect, useMemo, useState } from "react";

import { createListening, toControls } from "./listening.ts";
import { nowPlaying, type Recording } from "./now-playing.ts";
import { playOn, readNote, stageInView } from "./player-bar.tsx";
import { KeyArea, Place, PlayButton, SkipButton, TimeLeft } from "./player-controls.tsx";
import type { KnownPlace } from "./positions.ts";
import { TimerControls } from "./sleep-timer.tsx";
import { chooseTimer, clearTimer, useSoundTimer } from "./sound-timer.ts";
import styles from "./sound-stage.module.css";

type SoundStageProps = Pick<Recording, "itemKey" | "title" | "sound"> & {
  place: KnownPlace | undefined;
  /** The element with the picture and the browser's own player. */
  stage: HTMLElement;
};

/** A recording's player on the page of its item: ours in place of the browser's. Once it plays it goes on without the page. */
export function SoundStage({ stage, itemKey, title, sound, place }: SoundStageProps) {
  const playing = nowPlaying.use();
  const [own, setOwn] = useState(prepare);
  const isOn = playing?.recording.itemKey === itemKey;
  const listening = isOn ? playing : own;
  const controls = useMemo(() => toControls(listening), [listening]);
  useEffect(() => playOn(own), [own]);
  // Another recording follows in the element of this one.
  if (playing && !isOn && playing.element === own.element) setOwn(createListening(own.recording, { place }));
  // A timer that was set for nothing does not wait for the next recording.
  useEffect(() => () => void (nowPlaying.read() ?? clearTimer()), []);
  useInView(stage, itemKey);

  function prepare() {
    const element = stage.querySelector("audio") ?? undefined;
    const image = stage.querySelector("img");
    const note = readNote();
    const startAt = note?.recording.itemKey === itemKey ? note.startAt : place?.startAt;
    const recording = { itemKey, title, sound, picture: image?.currentSrc || image?.src };
    return createListening(recording, { element, startAt, place });
  }

  const { timer, announcement } = useSoundTimer();
  return (
    <KeyArea controls={controls} className={styles.stage}>
      <div className={styles.over}>
        <PlayButton controls={controls} isBig />
      </div>
      <div className={styles.row}>
        <SkipButton controls={controls} isBack />
        <Place controls={controls} />
        <SkipButton controls={controls} />
      </div>
      <p className={styles.left}>
        <TimeLeft controls={controls} />
      </p>
      <TimerControls timer={timer} announcement={announcement} onChoose={chooseTimer} canFollow />
    </KeyArea>
  );
}

/** Tells the bar while these controls are on the screen: it would say the same twice. */
function useInView(stage: HTMLElement, itemKey: string): void {
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => stageInView.set(entry?.isIntersecting ? itemKey : undefined));
    watcher.observe(stage);
    return () => {
      watcher.disconnect();
      stageInView.set(undefined);
    };
  }, [stage, itemKey]);
}
