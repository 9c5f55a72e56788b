import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createJobs, type Job } from "./jobs.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

describe.each(engines)("the list of jobs on %s", (engine) => {
  test("it says when a server last began each job, to the minute where each server has its own, and an operator's own run is no server", async () => {
    await using database = await openTestDatabase(engine);
    const clock = createTestClock();
    const job = (isShared: boolean, everyInMs: number): Job => ({ everyInMs, isShared, work: async () => {} });
    const jobs = { mail: job(false, SECOND_IN_MS), purge: job(true, MINUTE_IN_MS) };
    const open = () => createJobs({ jobs, db: database.db, clock, log: createQuietLog(), holder: randomUUID() });
    const operator = open();
    expect(await operator.run("purge")).toBe("done");
    const both = [
      { name: "mail", everyInMs: SECOND_IN_MS, isShared: false, lastRunAt: undefined as Date | undefined },
      { name: "purge", everyInMs: MINUTE_IN_MS, isShared: true, lastRunAt: undefined as Date | undefined },
    ];
    expect(await operator.list()).toEqual(both);

    const stop = open().start();
    clock.advance(SECOND_IN_MS);
    const mailAt = clock();
    await vi.advanceTimersByTimeAsync(SECOND_IN_MS);
    await expect.poll(() => operator.list()).toEqual([{ ...both[0], lastRunAt: mailAt }, both[1]]);
    clock.advance(MINUTE_IN_MS - SECOND_IN_MS);
    const turnAt = clock();
    vi.advanceTimersByTime(MINUTE_IN_MS - SECOND_IN_MS);
    await stop();
    clock.advance(MINUTE_IN_MS);
    expect(await operator.list()).toEqual([
      { ...both[0], lastRunAt: mailAt },
      { ...both[1], lastRunAt: turnAt },
    ]);
  });
});
