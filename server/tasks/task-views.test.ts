import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { createTasks, type Task } from "./tasks.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

describe.each(engines)("the list of tasks on %s", (engine) => {
  test("it says when a server last began each task, to the minute where each server has its own, and an operator's own run is no server", async () => {
    await using database = await openTestDatabase(engine);
    const clock = createTestClock();
    const task = (isShared: boolean, everyInMs: number): Task => ({ everyInMs, isShared, work: async () => {} });
    const tasks = { mail: task(false, SECOND_IN_MS), purge: task(true, MINUTE_IN_MS) };
    const open = () => createTasks({ tasks, db: database.db, clock, log: createQuietLog(), holder: randomUUID() });
    const operator = open();
    expect(await operator.run("purge")).toBe("done");
    const both = [
      { name: "mail", everyInMs: SECOND_IN_MS, isShared: false, lastTurnAt: undefined as Date | undefined },
      { name: "purge", everyInMs: MINUTE_IN_MS, isShared: true, lastTurnAt: undefined as Date | undefined },
    ];
    expect(await operator.list()).toEqual(both);

    const stop = open().start();
    clock.advance(SECOND_IN_MS);
    const mailAt = clock();
    await vi.advanceTimersByTimeAsync(SECOND_IN_MS);
    await expect.poll(() => operator.list()).toEqual([{ ...both[0], lastTurnAt: mailAt }, both[1]]);
    clock.advance(MINUTE_IN_MS - SECOND_IN_MS);
    const turnAt = clock();
    vi.advanceTimersByTime(MINUTE_IN_MS - SECOND_IN_MS);
    await stop();
    clock.advance(MINUTE_IN_MS);
    expect(await operator.list()).toEqual([
      { ...both[0], lastTurnAt: mailAt },
      { ...both[1], lastTurnAt: turnAt },
    ]);
  });
});
