import { startNightly, writeTimerSettings } from "./settings.ts";
import { type Choice, describeTimer, type Played, type Timer } from "./sleep-time.ts";
import { createStore } from "./store.ts";

/** `announcement` says what was chosen. */
type TimerState = { timer: Timer | undefined; announcement: string };

/** Something that a timer may have stopped. */
type Stopped = { element: HTMLMediaElement; isStopped: { current: boolean } };

export type SleepTimer = ReturnType<typeof createSleepTimer>;

export function createSleepTimer(played: Played, first?: Timer) {
  const toState = (timer: Timer | undefined): TimerState => ({
    timer,
    announcement: timer ? describeTimer(timer.choice, played) : "",
  });
  const store = createStore(toState(first));
  const set = (timer: Timer | undefined) => store.set(toState(timer));
  return {
    ...store,
    set,
    /** Sets it, or turns it off. `stopped`: plays again if an earlier timer, or its own end, has stopped it. */
    choose(choice: Choice | undefined, stopped?: Stopped): void {
      if (!choice) return store.set({ timer: undefined, announcement: "The timer is off." });
      writeTimerSettings({ last: choice });
      set({ choice, setAt: Date.now() });
      if (stopped?.isStopped.current) void stopped.element.play();
      if (stopped) stopped.isStopped.current = false;
    },
    /** Starts the time of a timer that was set before anything played, or the timer that starts automatically. */
    begin(): void {
      const { timer } = store.read();
      set(timer ? { choice: timer.choice, setAt: Date.now() } : startNightly());
    },
  };
}
