import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";

/** Counts the turns of others while `work` runs, where 20 ms pass at each look at the time. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [now, turns] = [performance.now(), 0];
  const time = vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
  try {
    const over = work().then(() => true);
    while (!(await Promise.race([over, nextTurn(false)]))) turns += 1;
  } finally {
    time.mockRestore();
    // The next work begins in its own turn, by the real time.
    await nextTurn();
  }
  return turns;
}
