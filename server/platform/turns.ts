import { setImmediate as atTurnEnd } from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long work may hold the process while others wait. */
const TURN_IN_MS = 20;

let startedAt: number | undefined;

/**
 * Lets other requests run once this one has lasted 20 ms. A loop over many rows awaits it; SQLite's driver does so
 * before each statement outside of a transaction, because an embedded database answers at once.
 */
export function giveWay(): Promise<void> | undefined {
  const now = performance.now();
  if (startedAt === undefined) {
    startedAt = now;
    atTurnEnd(() => (startedAt = undefined));
  }
  return now - startedAt < TURN_IN_MS ? undefined : nextTurn();
}
