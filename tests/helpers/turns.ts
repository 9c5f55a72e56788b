import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";

/** How many turns others have while `work` runs, in a process where each look at the time finds that 20 ms have gone by. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [now, turns] = [performance.now(), 0];
  const time = vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
  try {
    const over = work().then(() => true);
    while (!(await Promise.race([over, nextTurn(false)]))) turns += 1;
  } finally {
    time.mockRestore();
    // The next work begins in a turn of its own, by the real time.
    await nextTurn();
  }
  return turns;
}
