import { MINUTE_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { createJobs, type Job } from "../../server/jobs/jobs.ts";
import { openTestDatabase } from "./databases.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

export type JobApp = Awaited<ReturnType<typeof openJobApp>>;

/** A database, and as many processes of the app on it as a test wants. */
export async function openJobApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const log = createQuietLog();
  let processes = 0;
  /** One process of the app on this database. */
  const openProcess = (jobs: Record<string, Job>) => {
    processes += 1;
    return createJobs({ jobs, db: database.db, clock, log, holder: `process ${processes}` });
  };
  /** A process in the middle of the job “purge”, which goes on until `end` is called. */
  async function beginPurge() {
    const { work, calls, begun } = createWork();
    const beginning = begun();
    const ended = openProcess({ purge: job(work) }).run("purge");
    await beginning;
    return { end: () => calls[0]?.end(), ended };
  }
  return { ...database, clock, log, openProcess, beginPurge };
}

/** A piece of work that begins when it is called and ends when `end` is called. */
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

export const job = (work: Job["work"], more: Partial<Job> = {}): Job => ({
  everyInMs: MINUTE_IN_MS,
  isShared: true,
  work,
  ...more,
});
