import { afterEach, describe, expect, test, vi } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { createWork, openTaskHouse, task, type TaskHouse } from "../../tests/helpers/task-house.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("tasks on timers on %s", (engine) => {
  afterEach(() => void vi.useRealTimers());

  const holdTimers = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

  /** Lets the timers and the clock of the house go on together. */
  function pass(house: TaskHouse, ms: number) {
    house.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  }

  test("each first runs after its own pace, then at it, until it is stopped", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    const done: string[] = [];
    const tasks = house.openProcess({
      often: task(async () => done.push("often"), { everyInMs: SECOND_IN_MS, isShared: false }),
      seldom: task(async () => done.push("seldom"), { everyInMs: 3 * SECOND_IN_MS, isShared: false }),
    });
    const stop = tasks.start();
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * SECOND_IN_MS);
    await stop();
    expect(done.toSorted()).toEqual(["often", "often", "often", "seldom"]);
    await vi.advanceTimersByTimeAsync(MINUTE_IN_MS);
    expect(done).toHaveLength(4);
  });

  test("stopping waits for what is running", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    const { work, calls, begun } = createWork();
    const tasks = house.openProcess({ purge: task(work) });
    const stop = tasks.start();
    const beginning = begun();
    pass(house, MINUTE_IN_MS);
    await beginning;
    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    expect(await tasks.run("purge")).toBe("busy");
    expect(isStopped).toBe(false);
    calls[0]?.end();
    await stopped;
    expect(calls).toHaveLength(1);
  });

  test("one that takes longer than its pace is not begun again meanwhile", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    const { work, calls, begun } = createWork();
    const stop = house.openProcess({ slow: task(work, { everyInMs: SECOND_IN_MS }) }).start();
    const beginning = begun();
    pass(house, SECOND_IN_MS);
    await beginning;
    for (let second = 0; second < 5; second += 1) pass(house, SECOND_IN_MS);
    calls[0]?.end();
    await stop();
    expect(calls).toHaveLength(1);
  });

  test("a shared one is done once at its pace, however many processes there are and however quick it is", async () => {
    await using house = await openTaskHouse(engine);
    const runs = { shared: 0, own: 0 };
    const open = () =>
      house.openProcess({
        shared: task(async () => (runs.shared += 1)),
        own: task(async () => (runs.own += 1), { isShared: false }),
      });
    for (let minute = 1; minute <= 3; minute += 1) {
      // Each process comes round at a moment of its own, and has finished before the next one does.
      for (let count = 0; count < 4; count += 1) {
        holdTimers();
        const stop = open().start();
        vi.advanceTimersByTime(MINUTE_IN_MS);
        await stop();
        house.clock.advance(10 * SECOND_IN_MS);
      }
      expect(runs).toEqual({ shared: minute, own: 4 * minute });
      house.clock.advance(20 * SECOND_IN_MS);
    }
  });

  test("by hand a shared one runs between its turns, too", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    let runs = 0;
    const tasks = house.openProcess({ purge: task(async () => (runs += 1)) });
    const stop = tasks.start();
    pass(house, MINUTE_IN_MS);
    await stop();
    expect(runs).toBe(1);
    expect(await tasks.run("purge")).toBe("done");
    expect(runs).toBe(2);
  });

  test("long work keeps its lease while it goes on", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    const long = await house.beginPurge();
    const other = house.openProcess({ purge: task(async () => {}) });
    for (let count = 0; count < 6; count += 1) {
      pass(house, 10 * SECOND_IN_MS);
      // Nothing tells when the renewal has been written, but what it wrote.
      await expect.poll(() => findExpiry(house)).toBe(house.clock().getTime() + 30 * SECOND_IN_MS);
      expect(await other.run("purge")).toBe("busy");
    }
    long.end();
    expect(await long.ended).toBe("done");
    expect(await other.run("purge")).toBe("done");
    expect(house.log.lines).toEqual([]);
  });

  test("work that has lost its lease says so", async () => {
    await using house = await openTaskHouse(engine);
    holdTimers();
    const long = await house.beginPurge();
    house.clock.advance(MINUTE_IN_MS);
    const heir = house.openProcess({ purge: task(async () => {}) });
    expect(await heir.run("purge")).toBe("done");
    vi.advanceTimersByTime(10 * SECOND_IN_MS);
    await expect
      .poll(() => house.log.lines)
      .toEqual([{ level: "warn", event: "a task lost its lease", facts: { task: "purge" } }]);
    long.end();
    expect(await long.ended).toBe("done");
  });
});

async function findExpiry({ db }: TaskHouse): Promise<number> {
  const row = await db.selectFrom("task_leases").select("expires_at").where("name", "=", "purge").executeTakeFirst();
  return Date.parse(row?.expires_at ?? "");
}
