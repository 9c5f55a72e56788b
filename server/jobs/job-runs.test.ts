import { afterEach, describe, expect, test, vi } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { createWork, openJobApp, job, type JobApp } from "../../tests/helpers/job-app.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("jobs on timers on %s", (engine) => {
  afterEach(() => void vi.useRealTimers());

  const holdTimers = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

  /** Lets the timers and the clock of the app go on together. */
  function pass(app: JobApp, ms: number) {
    app.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  }

  test("each first runs after its own pace, then at it, until it is stopped", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    const done: string[] = [];
    const jobs = app.openProcess({
      often: job(async () => done.push("often"), { everyInMs: SECOND_IN_MS, isShared: false }),
      seldom: job(async () => done.push("seldom"), { everyInMs: 3 * SECOND_IN_MS, isShared: false }),
    });
    const stop = jobs.start();
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * SECOND_IN_MS);
    await stop();
    expect(done.toSorted()).toEqual(["often", "often", "often", "seldom"]);
    await vi.advanceTimersByTimeAsync(MINUTE_IN_MS);
    expect(done).toHaveLength(4);
  });

  test("one that takes longer than its pace is not begun again meanwhile, and stopping waits for it", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    const { work, calls, begun } = createWork();
    const jobs = app.openProcess({ purge: job(work) });
    const stop = jobs.start();
    const beginning = begun();
    pass(app, MINUTE_IN_MS);
    await beginning;
    for (let minute = 0; minute < 5; minute += 1) pass(app, MINUTE_IN_MS);
    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    expect(await jobs.run("purge")).toBe("busy");
    expect(isStopped).toBe(false);
    calls[0]?.end();
    await stopped;
    expect(calls).toHaveLength(1);
  });

  test("a shared one is done once at its pace, however many processes there are and however quick it is", async () => {
    await using app = await openJobApp(engine);
    const runs = { shared: 0, own: 0 };
    const open = () =>
      app.openProcess({
        shared: job(async () => (runs.shared += 1)),
        own: job(async () => (runs.own += 1), { isShared: false }),
      });
    for (let minute = 1; minute <= 3; minute += 1) {
      // Each process comes round at a moment of its own, and has finished before the next one does.
      for (let count = 0; count < 4; count += 1) {
        holdTimers();
        const stop = open().start();
        vi.advanceTimersByTime(MINUTE_IN_MS);
        await stop();
        app.clock.advance(10 * SECOND_IN_MS);
      }
      expect(runs).toEqual({ shared: minute, own: 4 * minute });
      app.clock.advance(20 * SECOND_IN_MS);
    }
  });

  test("by hand a shared one runs between its turns, too", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    let runs = 0;
    const jobs = app.openProcess({ purge: job(async () => (runs += 1)) });
    const stop = jobs.start();
    pass(app, MINUTE_IN_MS);
    await stop();
    expect(runs).toBe(1);
    expect(await jobs.run("purge")).toBe("done");
    expect(runs).toBe(2);
  });

  test("the list says when a server last began each job, to the minute for one of each server's own", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    const open = () =>
      app.openProcess({
        mail: job(async () => {}, { everyInMs: SECOND_IN_MS, isShared: false }),
        purge: job(async () => {}),
      });
    const operator = open();
    expect(await operator.run("purge")).toBe("done");
    const mail = { name: "mail", everyInMs: SECOND_IN_MS, isShared: false, lastRunAt: undefined };
    const purge = { name: "purge", everyInMs: MINUTE_IN_MS, isShared: true, lastRunAt: undefined };
    expect(await operator.list(), "an operator is no server").toEqual([mail, purge]);

    const stop = open().start();
    pass(app, SECOND_IN_MS);
    const mailAt = app.clock();
    await expect.poll(() => operator.list()).toEqual([{ ...mail, lastRunAt: mailAt }, purge]);
    pass(app, MINUTE_IN_MS - SECOND_IN_MS);
    const purgeAt = app.clock();
    await stop();
    app.clock.advance(MINUTE_IN_MS);
    expect(await operator.list()).toEqual([
      { ...mail, lastRunAt: mailAt },
      { ...purge, lastRunAt: purgeAt },
    ]);
  });

  test("long work keeps its lease while it goes on", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    const long = await app.beginPurge();
    const other = app.openProcess({ purge: job(async () => {}) });
    for (let count = 0; count < 6; count += 1) {
      pass(app, 10 * SECOND_IN_MS);
      // Nothing tells when the renewal has been written, but what it wrote.
      await expect.poll(() => findExpiry(app)).toBe(app.clock().getTime() + 30 * SECOND_IN_MS);
      expect(await other.run("purge")).toBe("busy");
    }
    long.end();
    expect(await long.ended).toBe("done");
    expect(await other.run("purge")).toBe("done");
    expect(app.log.lines).toEqual([]);
  });

  test("work that has lost its lease says so", async () => {
    await using app = await openJobApp(engine);
    holdTimers();
    const long = await app.beginPurge();
    app.clock.advance(MINUTE_IN_MS);
    const heir = app.openProcess({ purge: job(async () => {}) });
    expect(await heir.run("purge")).toBe("done");
    vi.advanceTimersByTime(10 * SECOND_IN_MS);
    await expect
      .poll(() => app.log.lines)
      .toEqual([{ level: "warn", event: "a job lost its lease", facts: { job: "purge" } }]);
    long.end();
    expect(await long.ended).toBe("done");
  });
});

async function findExpiry({ db }: JobApp): Promise<number> {
  const row = await db.selectFrom("task_leases").select("expires_at").where("name", "=", "purge").executeTakeFirst();
  return Date.parse(row?.expires_at ?? "");
}
