import { after, SECOND_IN_MS, type Clock } from "../clock.ts";

/** Spares whoever waits for a server that does not answer: after some failures in a row nobody asks it, but one now and then. */
export type Breaker = {
  /** Whether one may ask now. Who may says afterwards how it went. */
  mayAsk(): boolean;
  succeeded(): void;
  failed(): void;
};

const FAILURES = 5;
const PAUSE_IN_MS = 15 * SECOND_IN_MS;

export function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let openUntil: Date | undefined;
  return {
    mayAsk() {
      if (!openUntil) return true;
      if (clock() < openUntil) return false;
      // This one tries; the others wait another pause for what it finds.
      openUntil = after(clock(), PAUSE_IN_MS);
      return true;
    },
    succeeded() {
      failures = 0;
      openUntil = undefined;
    },
    failed() {
      failures += 1;
      if (failures >= FAILURES) openUntil = after(clock(), PAUSE_IN_MS);
    },
  };
}
