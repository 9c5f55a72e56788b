import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

import buttons from "../../components/button.module.css";
import { Icon } from "../../components/icons.tsx";
import { goDark } from "./darkness.ts";
import { useFading } from "../core/fading.ts";
import { type Choice, choiceText, describeTimer, offerChoices, type Played, type Timer } from "../core/sleep-time.ts";
import styles from "./sleep-timer.module.css";
import { startNightly, useTimerSettings, writeTimerSettings } from "../core/settings.ts";

type TimerControlsProps = {
  timer: Timer | undefined;
  /** `undefined` turns the timer off. */
  onChoose: (choice: Choice | undefined) => void;
  /** Says what was chosen. */
  announcement: string;
  /** Whether a favourite may follow what plays. */
  canFollow?: boolean;
};

/** A timer to set: the last choice as a button, and the others behind one. */
export function TimerControls({ timer, onChoose, announcement, canFollow = false }: TimerControlsProps) {
  const { last } = useTimerSettings();
  const [first, ...others] = offerChoices(last);
  return (
    <div className={styles.timer} role="group" aria-label="Sleep timer">
      <button
        type="button"
        className={buttons.pill}
        aria-pressed={timer?.choice === first}
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
  const { isNightly, isFollowed } = useTimerSettings();
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
        {timer && (
          <li>
            <button type="button" onClick={() => choose(undefined)}>
              No timer
            </button>
          </li>
        )}
        <Switch isOn={isNightly} onSwitch={(isOn) => writeTimerSettings({ isNightly: isOn })}>
          By itself between 22:00 and 6:00
        </Switch>
        {canFollow && (
          <Switch isOn={isFollowed} onSwitch={(isOn) => writeTimerSettings({ isFollowed: isOn })}>
            Then my next favourite, until the timer ends
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
          // The page around it is one form.
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

/** Closes an open menu by a tap beside it, by Escape, and when the focus leaves it; answers how to stop that. */
function closeElsewhere(menu: HTMLDetailsElement | null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  function closeUnlessIn({ target }: Event): void {
    if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
  }
  document.addEventListener("pointerdown", closeUnlessIn, { signal });
  document.addEventListener("focusin", closeUnlessIn, { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !menu?.open) return;
      // It closes this menu, and not the player around it.
      event.preventDefault();
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary")?.focus();
    },
    { signal, capture: true },
  );
  return () => ending.abort();
}

type SleepTimerProps = {
  media: RefObject<HTMLMediaElement | HTMLIFrameElement | null>;
  played: Exclude<Played, "sound">;
  /** The rest of another host's film, in ms. */
  frameLeft?: (() => number) | undefined;
};

/**
 * Lets a film fade out and the screen go dark, at the end of some minutes or of the film. Then nothing follows until the screen is
 * tapped.
 */
export function SleepTimer({ media, played, frameLeft }: SleepTimerProps) {
  const [timer, setTimer] = useState(startNightly);
  const [isOff, setOff] = useState(false);
  const isStopped = useRef(false);
  const playedMs = useRef(0);

  function end(): void {
    setTimer(undefined);
    goDark();
    const element = media.current;
    if (!(element instanceof HTMLIFrameElement)) return;
    // Silent at once, whatever the way back takes; and without a step in the history.
    element.contentWindow?.location.replace("about:blank");
    // As Escape closes it.
    element.closest("dialog")?.dispatchEvent(new Event("cancel", { cancelable: true }));
  }
  useFading({ media, timer, playedMs, isStopped, frameLeft, onEnd: end, onTimer: setTimer });

  function choose(choice: Choice | undefined): void {
    setTimer(choice && { choice, setAt: Date.now() });
    setOff(!choice);
    if (!choice) return;
    writeTimerSettings({ last: choice });
    if (isStopped.current && media.current instanceof HTMLMediaElement) void media.current.play();
    isStopped.current = false;
  }
  const announcement = timer ? describeTimer(timer.choice, played) : isOff ? "The timer is off." : "";
  return <TimerControls timer={timer} onChoose={choose} announcement={announcement} />;
}
