import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

import buttons from "../../components/button.module.css";
import { Icon } from "../../components/icons.tsx";
import { type Fading, startFading } from "../core/fading.ts";
import { closeElsewhere } from "../core/menu.ts";
import { startNightly, timerSettings, writeTimerSettings } from "../core/settings.ts";
import { type Choice, choiceText, offerChoices } from "../core/sleep-time.ts";
import { createSleepTimer, type SleepTimer } from "../core/sleep-timer.ts";
import { darken, goDark } from "./darkness.ts";
import styles from "./sleep-timer.module.css";
import { useStore } from "./use-store.ts";

type TimerControlsProps = {
  timer: SleepTimer;
  /** `undefined` turns the timer off. */
  onChoose: (choice: Choice | undefined) => void;
  /** Whether a favourite may follow what plays. */
  canFollow?: boolean;
};

/** A timer to set: the last choice as a button, and the others behind one. */
export function TimerControls({ timer, onChoose, canFollow = false }: TimerControlsProps) {
  const { last } = useStore(timerSettings);
  const { timer: set, announcement } = useStore(timer);
  const [first, ...others] = offerChoices(last);
  return (
    <div className={styles.timer} role="group" aria-label="Sleep timer">
      <button
        type="button"
        className={buttons.pill}
        aria-pressed={set?.choice === first}
        onClick={() => onChoose(first)}
      >
        <Icon name="moon" />
        <span>{`Timer: ${choiceText(first)}`}</span>
      </button>
      <TimerMenu
        className={styles.others}
        label="Other times"
        choices={others}
        timer={timer}
        onChoose={onChoose}
        canFollow={canFollow}
      />
      <p role="status">{announcement}</p>
    </div>
  );
}

type TimerMenuProps = Pick<TimerControlsProps, "timer" | "onChoose" | "canFollow"> & {
  className: string | undefined;
  label: ReactNode;
  choices: Choice[];
};

/** Times to choose from, whether the timer starts by itself at night, and what follows a recording while it runs. */
export function TimerMenu({ className, label, choices, timer, onChoose, canFollow = false }: TimerMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { isNightly, isFollowed } = useStore(timerSettings);
  const { timer: set } = useStore(timer);
  useEffect(() => closeElsewhere(menu.current), []);
  function choose(choice: Choice | undefined): void {
    if (menu.current) menu.current.open = false;
    onChoose(choice);
  }
  return (
    <details ref={menu} className={className}>
      <summary className={buttons.pill}>{label}</summary>
      <ul className={styles.menu}>
        {choices.map((choice) => (
          <li key={choice}>
            <button type="button" onClick={() => choose(choice)}>
              {choiceText(choice)}
            </button>
          </li>
        ))}
        {set && (
          <li>
            <button type="button" onClick={() => choose(undefined)}>
              No timer
            </button>
          </li>
        )}
        <Switch isOn={isNightly} onSwitch={(isOn) => writeTimerSettings({ isNightly: isOn })}>
          Start the timer automatically between 10 pm and 6 am
        </Switch>
        {canFollow && (
          <Switch isOn={isFollowed} onSwitch={(isOn) => writeTimerSettings({ isFollowed: isOn })}>
            Play my other favourites until the timer ends
          </Switch>
        )}
      </ul>
    </details>
  );
}

type SwitchProps = { isOn: boolean; onSwitch: (isOn: boolean) => void; children: ReactNode };

function Switch({ isOn, onSwitch, children }: SwitchProps) {
  return (
    <li>
      <label className={styles.nightly}>
        <input
          // Belongs to no form: the page around it is one.
          form="none"
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
        />
        {children}
      </label>
    </li>
  );
}

export function useFading(fading: Fading): void {
  const { element, timer, playMinutes, playedMs, isStopped, frameLeft, risesTo } = fading;
  const end = useEffectEvent(() => fading.onEnd?.());
  const endItem = useEffectEvent((volume: number) => fading.onItemEnd?.(volume));
  useEffect(() => {
    const media = { element, playMinutes, playedMs, isStopped, frameLeft, risesTo };
    const onEnd = () => end();
    const onItemEnd = (volume: number) => endItem(volume);
    return startFading({ ...media, timer, onEnd, onItemEnd, onDarkness: darken });
  }, [element, timer, playMinutes, playedMs, isStopped, frameLeft, risesTo]);
}

type FilmTimerProps = {
  /** Another host's film has none. */
  element?: HTMLVideoElement;
  /** The rest of another host's film, in ms. */
  frameLeft?: () => number;
  onEnd?: () => void;
};

/**
 * Lets a film fade out and the screen go dark, at the end of some minutes or of the film. Then nothing follows until the screen is
 * tapped.
 */
export function FilmTimer({ element, frameLeft, onEnd }: FilmTimerProps) {
  const [timer] = useState(() => createSleepTimer(element ? "film" : "frame", startNightly()));
  const isStopped = useRef(false);
  const playedMs = useRef(0);

  function end(): void {
    goDark();
    onEnd?.();
  }
  useFading({ element, timer, playedMs, isStopped, frameLeft, onEnd: end });
  return <TimerControls timer={timer} onChoose={(choice) => timer.choose(choice, element && { element, isStopped })} />;
}
