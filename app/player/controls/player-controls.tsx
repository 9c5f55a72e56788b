import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";

import buttons from "../../components/button.module.css";
import { drawIcon, Icon } from "../../components/icons.tsx";
import {
  type Controls,
  leftText,
  positionText,
  type Progress,
  progressEvents,
  skip,
  toggle,
} from "../core/controls.ts";
import { listenForKeys } from "../core/keys.ts";
import styles from "./player-controls.module.css";
import { useEvents } from "./use-events.ts";

export const back = drawIcon(<path d="M4.5 5v5h5M5 10a8 8 0 1 1-1 4" />);
export const forward = drawIcon(<path d="M19.5 5v5h-5M19 10a8 8 0 1 0 1 4" />);

type Props = { controls: Controls };

export function useProgress({ element, read }: Controls): Progress {
  useEvents(element, progressEvents);
  return read();
}

/** `isBig`: over a picture. */
export function PlayButton({ controls, isBig = false }: Props & { isBig?: boolean }) {
  const { isPlaying } = useProgress(controls);
  return (
    <button
      type="button"
      className={isBig ? styles.big : `${buttons.round} ${styles.play}`}
      aria-label={isPlaying ? "Pause" : "Play"}
      onClick={() => toggle(controls)}
    >
      <Icon name={isPlaying ? "pause" : "play"} />
    </button>
  );
}

export function SkipButton({ controls, isBack = false }: Props & { isBack?: boolean }) {
  const { skipSeconds } = controls;
  return (
    <button
      type="button"
      className={`${buttons.round} ${styles.skip}`}
      aria-label={`${isBack ? "Back" : "Forward"} ${skipSeconds} seconds`}
      onClick={() => skip(controls, isBack ? -skipSeconds : skipSeconds)}
    >
      {isBack ? back : forward}
      <span aria-hidden="true">{skipSeconds}</span>
    </button>
  );
}

export function TimeLeft({ controls }: Props) {
  const text = leftText(useProgress(controls), controls.element.playbackRate);
  return text && <span>{text}</span>;
}

export function PositionSlider({ controls }: Props) {
  const progress = useProgress(controls);
  const { seconds, duration } = progress;
  return (
    <Slider
      name="Place"
      text={positionText(progress)}
      max={Math.round(duration)}
      value={Math.round(seconds)}
      onMove={controls.seek}
    />
  );
}

type SliderProps = {
  name: string;
  text: string;
  max: number;
  step?: number;
  value: number;
  onMove: (to: number) => void;
};

/**
 * A value from 0 that can be moved. `text` is the value in words. While the slider has the focus a screen reader says each change of
 * them, over the sound: so they change after a press or a key, and not as something plays on or fades.
 */
export function Slider({ name, text, max, step = 1, value, onMove }: SliderProps) {
  const [spoken, setSpoken] = useState(text);
  const [focus, setFocus] = useState<"none" | "quiet" | "used">("none");
  if (spoken !== text && focus !== "quiet") {
    setSpoken(text);
    if (focus === "used") setFocus("quiet");
  }
  const use = () => setFocus("used");
  return (
    <input
      // Belongs to no form: the page around it is one.
      form="none"
      type="range"
      className={styles.slider}
      aria-label={name}
      aria-valuetext={spoken}
      max={max}
      step={step}
      value={value}
      disabled={max === 0}
      // As CSSOM, which the content security policy allows.
      style={{ "--done": `${max && (100 * value) / max}%` } as CSSProperties}
      onFocus={() => setFocus("quiet")}
      onBlur={() => setFocus("none")}
      onKeyDown={use}
      onChange={({ currentTarget }) => {
        use();
        onMove(currentTarget.valueAsNumber);
      }}
    />
  );
}

type KeyAreaProps = Props & { className: string | undefined; children: ReactNode };

/** Controls that take a player's keys wherever in them the focus is. */
export function KeyArea({ controls, className, children }: KeyAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => listenForKeys(area.current, controls), [controls]);
  return (
    <div ref={area} className={className}>
      {children}
    </div>
  );
}
