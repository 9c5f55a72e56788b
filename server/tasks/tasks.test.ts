import { afterEach, describe, expect, test, vi } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createTasks, type Task } from "./tasks.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const log = createQuietLog();
  let processes = 0;
  /** One process of the house on this database. */
  const openProcess = (tasks: Record<string, Task>) => {
    processes += 1;
    return createTasks({ tasks, db: database.db, clock, log, holder: `process ${processes}` });
  };
  return { ...database, clock, log, openProcess };
}

/** A piece of work that begins when it is called and ends when it is told to. */
function createWork() {
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

const task = (work: Task["work"], more: Partial<Task> = {}): Task => ({
  everyInMs: MINUTE_IN_MS,
  isShared: true,
  work,
  ...more,
});

describe.each(engines)("tasks on %s", (engine) => {
  test("have names, and each is run by its own", async () => {
    await using house = await openHouse(engine);
    const done: string[] = [];
    const tasks = house.openProcess({
      purge: task(async () => done.push("purge")),
      refresh: task(async () => done.push("refresh"), { isShared: false }),
    });
    expect(tasks.names()).toEqual(["purge", "refresh"]);
    expect(await tasks.run("refresh")).toBe("done");
    expect(await tasks.run("purge")).toBe("done");
    expect(await tasks.run("purge")).toBe("done");
    expect(done).toEqual(["refresh", "purge", "purge"]);
  });

  test.each(["", "nothing", "constructor", "__proto__", "toString"])("%j is no task", async (name) => {
    await using house = await openHouse(engine);
    expect(await house.openProcess({ purge: task(async () => {}) }).run(name)).toBe("unknown");
  });

  test.each([true, false])("one that fails is logged and may run again (shared: %s)", async (isShared) => {
    await using house = await openHouse(engine);
    const error = new Error("no mail today");
    let isBroken = true;
    const work = async () => {
      if (isBroken) throw error;
    };
    const tasks = house.openProcess({ mail: task(work, { isShared }) });
    expect(await tasks.run("mail")).toBe("failed");
    expect(house.log.lines).toEqual([{ level: "error", event: "a task failed", facts: { task: "mail", error } }]);
    isBroken = false;
    expect(await tasks.run("mail")).toBe("done");
  });

  test("one that throws before it starts is logged like any other", async () => {
    await using house = await openHouse(engine);
    const tasks = house.openProcess({
      broken: task(() => {
        throw new Error("at once");
      }),
    });
    expect(await tasks.run("broken")).toBe("failed");
    expect(await tasks.run("broken")).toBe("failed");
  });

  test.each([true, false])("never runs twice at once in a process (shared: %s)", async (isShared) => {
    await using house = await openHouse(engine);
    const { work, calls, begun } = createWork();
    const tasks = house.openProcess({ purge: task(work, { isShared }) });
    const beginning = begun();
    const first = tasks.run("purge");
    expect(await tasks.run("purge")).toBe("busy");
    await beginning;
    expect(await tasks.run("purge")).toBe("busy");
    calls[0]?.end();
    expect(await first).toBe("done");
    expect(calls).toHaveLength(1);
  });

  test("a shared one runs in one process at a time, one that is not shared in each", async () => {
    await using house = await openHouse(engine);
    const shared = createWork();
    const own = createWork();
    const open = () => house.openProcess({ shared: task(shared.work), own: task(own.work, { isShared: false }) });
    const [here, there] = [open(), open()];
    const beginning = shared.begun();
    const first = here.run("shared");
    await beginning;
    expect(await there.run("shared")).toBe("busy");
    const both = [here.run("own"), there.run("own")];
    for (const call of own.calls) call.end();
    expect(await Promise.all(both)).toEqual(["done", "done"]);
    shared.calls[0]?.end();
    expect(await first).toBe("done");
    const second = shared.begun();
    const next = there.run("shared");
    await second;
    shared.calls[1]?.end();
    expect(await next).toBe("done");
  });

  test("of ten processes that begin at once one does it", async () => {
    await using house = await openHouse(engine);
    const { work, calls } = createWork();
    const processes = Array.from({ length: 10 }, () => house.openProcess({ purge: task(work) }));
    let answers = 0;
    const ended = await Promise.all(
      processes.map(async (tasks) => {
        const result = await tasks.run("purge");
        answers += 1;
        // The work goes on until the nine others have been told.
        if (answers === 9) calls[0]?.end();
        return result;
      }),
    );
    expect(calls).toHaveLength(1);
    expect(ended.filter((result) => result === "done")).toHaveLength(1);
    expect(ended.filter((result) => result === "busy")).toHaveLength(9);
  });

  test("a process that died in the middle of one keeps the others from it for half a minute", async () => {
    await using house = await openHouse(engine);
    const dying = createWork();
    const beginning = dying.begun();
    const dead = house.openProcess({ purge: task(dying.work) }).run("purge");
    await beginning;
    const heir = house.openProcess({ purge: task(async () => {}) });
    house.clock.advance(30 * SECOND_IN_MS - 1);
    expect(await heir.run("purge")).toBe("busy");
    house.clock.advance(1);
    expect(await heir.run("purge")).toBe("done");
    dying.calls[0]?.end();
    await dead;
  });

  test("a database that does not answer fails the task, not the process", async () => {
    const house = await openHouse(engine);
    const tasks = house.openProcess({ purge: task(async () => {}) });
    await house.close();
    expect(await tasks.run("purge")).toBe("failed");
    expect(house.log.lines).toMatchObject([{ level: "error", event: "a task failed" }]);
  });
});

describe.each(engines)("tasks on timers on %s", (engine) => {
  afterEach(() => void vi.useRealTimers());

  const holdTimers = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

  /** Lets the timers and the clock of the house go on together. */
  function pass(house: { clock: { advance(ms: number): void } }, ms: number) {
    house.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  }

  test("each first runs after its own pace, then at it, until it is stopped", async () => {
    await using house = await openHouse(engine);
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
    await using house = await openHouse(engine);
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
    await using house = await openHouse(engine);
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
    await using house = await openHouse(engine);
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
    await using house = await openHouse(engine);
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
    await using house = await openHouse(engine);
    holdTimers();
    const { work, calls, begun } = createWork();
    const beginning = begun();
    const long = house.openProcess({ purge: task(work) }).run("purge");
    await beginning;
    const other = house.openProcess({ purge: task(async () => {}) });
    for (let count = 0; count < 6; count += 1) {
      pass(house, 10 * SECOND_IN_MS);
      // Nothing tells when the renewal has been written, but what it wrote.
      await expect.poll(() => findExpiry(house)).toBe(house.clock().getTime() + 30 * SECOND_IN_MS);
      expect(await other.run("purge")).toBe("busy");
    }
    calls[0]?.end();
    expect(await long).toBe("done");
    expect(await other.run("purge")).toBe("done");
    expect(house.log.lines).toEqual([]);
  });

  test("work that has lost its lease says so", async () => {
    await using house = await openHouse(engine);
    holdTimers();
    const { work, calls, begun } = createWork();
    const beginning = begun();
    const long = house.openProcess({ purge: task(work) }).run("purge");
    await beginning;
    house.clock.advance(MINUTE_IN_MS);
    const heir = house.openProcess({ purge: task(async () => {}) });
    expect(await heir.run("purge")).toBe("done");
    vi.advanceTimersByTime(10 * SECOND_IN_MS);
    await expect
      .poll(() => house.log.lines)
      .toEqual([{ level: "warn", event: "a task lost its lease", facts: { task: "purge" } }]);
    calls[0]?.end();
    expect(await long).toBe("done");
  });
});

async function findExpiry({ db }: Awaited<ReturnType<typeof openHouse>>): Promise<number> {
  const row = await db.selectFrom("task_leases").select("expires_at").where("name", "=", "purge").executeTakeFirst();
  return Date.parse(row?.expires_at ?? "");
}
