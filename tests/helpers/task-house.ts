import { MINUTE_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { createTasks, type Task } from "../../server/tasks/tasks.ts";
import { openTestDatabase } from "./databases.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

export type TaskHouse = Awaited<ReturnType<typeof openTaskHouse>>;

/** A database, and as many processes of the house on it as a test wants. */
export async function openTaskHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const log = createQuietLog();
  let processes = 0;
  /** One process of the house on this database. */
  const openProcess = (tasks: Record<string, Task>) => {
    processes += 1;
    return createTasks({ tasks, db: database.db, clock, log, holder: `process ${processes}` });
  };
  /** A process in the middle of the task “purge”, which goes on until it is told to end. */
  async function beginPurge() {
    const { work, calls, begun } = createWork();
    const beginning = begun();
    const ended = openProcess({ purge: task(work) }).run("purge");
    await beginning;
    return { end: () => calls[0]?.end(), ended };
  }
  return { ...database, clock, log, openProcess, beginPurge };
}

/** A piece of work that begins when it is called and ends when it is told to. */
export function createWork() {
  const calls: { end(): void }[] = [];
  const waiting: (() => void)[] = [];
  return {
    calls,
    work: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      calls.push({ end: resolve });
      waiting.shift()?.();
      return promise;
    },
    /** Resolves when the work is next begun. */
    begun: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

export const task = (work: Task["work"], more: Partial<Task> = {}): Task => ({
  everyInMs: MINUTE_IN_MS,
  isShared: true,
  work,
  ...more,
});
