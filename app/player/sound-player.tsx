import { type ReactNode, useEffect, useMemo, useState } from "react";

import type { Item } from "../../server/content/items/item.ts";
import { itemKey } from "../../server/content/items/kinds.ts";
import type { Sound } from "../../server/content/items/sound.ts";
import { toControls } from "./core/listening.ts";
import { nowPlaying, type Recording } from "./now-playing.ts";
import { playOn, readNote, stageInView } from "./player-bar.tsx";
import { KeyArea, PositionSlider, PlayButton, SkipButton, TimeLeft } from "./controls/player-controls.tsx";
import type { KnownPosition } from "./core/positions.ts";
import { BrowserPlayer } from "./browser-player.tsx";
import { useStore } from "./controls/use-store.ts";
import { openRecording } from "./recording.ts";
import { TimerControls } from "./controls/sleep-timer.tsx";
import styles from "./sound-player.module.css";
import { chooseTimer, soundTimer } from "./sound-timer.ts";

type SoundPlayerProps = {
  item: Pick<Item, "kind" | "id" | "title" | "video">;
  sound: Sound;
  /** The member's position in it, if positions are stored. */
  position: KnownPosition | undefined;
  children: ReactNode;
};

/** An item's recording, below the picture. Once it plays it goes on while its member goes from page to page. */
export function SoundPlayer({ item, sound, position, children }: SoundPlayerProps) {
  const { title, video } = item;
  const key = itemKey(item);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [isPlaying] = useState(() => nowPlaying.read()?.recording.itemKey === key);
  // Of an item with both, the position in its film is kept.
  const known = video?.kind === "file" ? undefined : position;
  return (
    <div ref={setStage} id="sound" className="player-sound" data-sound={key}>
      {children}
      <div className="player-controls">
        {!isPlaying && <BrowserPlayer title={title} sound={sound} />}
        {stage && <SoundStage stage={stage} itemKey={key} title={title} sound={sound} position={known} />}
      </div>
    </div>
  );
}

type SoundStageProps = Pick<Recording, "itemKey" | "title" | "sound"> & {
  position: KnownPosition | undefined;
  /** The element with the picture and the browser's own player. */
  stage: HTMLElement;
};

/** A recording's player on the page of its item: ours in place of the browser's. Once it plays it goes on without the page. */
function SoundStage({ stage, itemKey: key, title, sound, position }: SoundStageProps) {
  const playing = useStore(nowPlaying);
  const [own, setOwn] = useState(prepare);
  const isOn = playing?.recording.itemKey === key;
  const listening = isOn ? playing : own;
  const controls = useMemo(() => toControls(listening), [listening]);
  useEffect(() => playOn(own), [own]);
  // Another recording follows in the element of this one.
  if (playing && !isOn && playing.element === own.element) setOwn(openRecording(own.recording, { position }));
  // A timer that was set for nothing does not wait for the next recording.
  useEffect(() => () => void (nowPlaying.read() ?? soundTimer.set(undefined)), []);
  useInView(stage, key);

  function prepare() {
    const element = stage.querySelector("audio") ?? undefined;
    const image = stage.querySelector("img");
    const note = readNote();
    const startAt = note?.recording.itemKey === key ? note.startAt : position?.startAt;
    const recording = { itemKey: key, title, sound, picture: image?.currentSrc || image?.src };
    return openRecording(recording, { element, startAt, position });
  }

  return (
    <KeyArea controls={controls} className={styles.stage}>
      <div className={styles.over}>
        <PlayButton controls={controls} isBig />
      </div>
      <div className={styles.row}>
        <SkipButton controls={controls} isBack />
        <PositionSlider controls={controls} />
        <SkipButton controls={controls} />
      </div>
      <p className={styles.left}>
        <TimeLeft controls={controls} />
      </p>
      <TimerControls timer={soundTimer} onChoose={chooseTimer} canFollow />
    </KeyArea>
  );
}

/** While these controls are on the screen the bar is hidden: it would repeat them. */
function useInView(stage: HTMLElement, key: string): void {
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => stageInView.set(entry?.isIntersecting ? key : undefined));
    watcher.observe(stage);
    return () => {
      watcher.disconnect();
      stageInView.set(undefined);
    };
  }, [stage, key]);
}
