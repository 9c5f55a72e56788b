import { afterEach, describe, expect, test, vi } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createJobs, type Job } from "./jobs.ts";

async function openProcesses(engine: Engine) {
  const app = await openApp({ engine });
  let processes = 0;
  const openProcess = (jobs: Record<string, Job>) => {
    processes += 1;
    return createJobs({ ...app.ctx, jobs, holder: `process ${processes}` });
  };
  /** A process in the middle of the job “purge”, which ends when `end` is called. */
  async function beginPurge() {
    const { work, calls, begun } = createWork();
    const beginning = begun();
    const ended = openProcess({ purge: job(work) }).run("purge");
    await beginning;
    return { end: () => calls[0]?.end(), ended };
  }
  return { ...app, openProcess, beginPurge };
}

type Processes = Awaited<ReturnType<typeof openProcesses>>;

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
    /** Resolves when the work next begins. */
    begun: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

const job = (work: Job["work"], more: Partial<Job> = {}): Job => ({
  everyInMs: MINUTE_IN_MS,
  isShared: true,
  work,
  ...more,
});

describe.each(engines)("jobs on %s", (engine) => {
  test("have names and are run by name", async () => {
    await using app = await openProcesses(engine);
    const done: string[] = [];
    const jobs = app.openProcess({
      purge: job(async () => done.push("purge")),
      refresh: job(async () => done.push("refresh"), { isShared: false }),
    });
    expect(jobs.names()).toEqual(["purge", "refresh"]);
    expect(await jobs.run("refresh")).toBe("done");
    expect(await jobs.run("purge")).toBe("done");
    expect(await jobs.run("purge")).toBe("done");
    expect(done).toEqual(["refresh", "purge", "purge"]);
    for (const name of ["", "nothing", "constructor", "__proto__", "toString"]) {
      expect(await jobs.run(name)).toBe("unknown");
    }
  });

  test.each([
    ["shared", true],
    ["each process's own", false],
    ["broken before it starts", true],
  ])("a failed job is logged and may run again (%s)", async (how, isShared) => {
    await using app = await openProcesses(engine);
    const error = new Error("no mail today");
    let isBroken = true;
    const work = () => {
      if (isBroken && how === "broken before it starts") throw error;
      return isBroken ? Promise.reject(error) : Promise.resolve();
    };
    const jobs = app.openProcess({ mail: job(work, { isShared }) });
    expect(await jobs.run("mail")).toBe("failed");
    expect(app.log.lines).toEqual([{ level: "warn", event: "a job failed", facts: { job: "mail", error } }]);
    isBroken = false;
    expect(await jobs.run("mail")).toBe("done");
    expect(app.log.lines.map(({ event }) => event)).toEqual(["a job failed", "a job works again"]);
  });

  test("runs again beside a run that takes long, where runs may overlap, and a stop waits for both", async () => {
    await using app = await openProcesses(engine);
    const { work, calls } = createWork();
    const jobs = app.openProcess({ mail: job(work, { isShared: false, overlaps: true }) });
    const runs = [jobs.run("mail"), jobs.run("mail")];
    expect(calls).toHaveLength(2);
    calls[1]?.end();
    expect(await runs[1]).toBe("done");
    let isStopped = false;
    const stopped = jobs
      .start()()
      .then(() => (isStopped = true));
    expect(isStopped).toBe(false);
    calls[0]?.end();
    expect(await runs[0]).toBe("done");
    await stopped;
  });

  test.each([true, false])("never runs twice at once in a process (shared: %s)", async (isShared) => {
    await using app = await openProcesses(engine);
    const { work, calls, begun } = createWork();
    const jobs = app.openProcess({ purge: job(work, { isShared }) });
    const beginning = begun();
    const first = jobs.run("purge");
    expect(await jobs.run("purge")).toBe("busy");
    await beginning;
    expect(await jobs.run("purge")).toBe("busy");
    calls[0]?.end();
    expect(await first).toBe("done");
    expect(calls).toHaveLength(1);
  });

  test("a shared job runs in one process at a time, any other in each process", async () => {
    await using app = await openProcesses(engine);
    const shared = createWork();
    const own = createWork();
    const open = () => app.openProcess({ shared: job(shared.work), own: job(own.work, { isShared: false }) });
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

  test("of ten processes that start a job at once one runs it", async () => {
    await using app = await openProcesses(engine);
    const { work, calls } = createWork();
    const processes = Array.from({ length: 10 }, () => app.openProcess({ purge: job(work) }));
    let answers = 0;
    const ended = await Promise.all(
      processes.map(async (jobs) => {
        const result = await jobs.run("purge");
        answers += 1;
        // The work goes on until the nine others have got their answer.
        if (answers === 9) calls[0]?.end();
        return result;
      }),
    );
    expect(calls).toHaveLength(1);
    expect(ended.filter((result) => result === "done")).toHaveLength(1);
    expect(ended.filter((result) => result === "busy")).toHaveLength(9);
  });

  test("after a process dies in the middle of a job the others wait half a minute", async () => {
    await using app = await openProcesses(engine);
    const dying = await app.beginPurge();
    const heir = app.openProcess({ purge: job(async () => {}) });
    app.clock.advance(30 * SECOND_IN_MS - 1);
    expect(await heir.run("purge")).toBe("busy");
    app.clock.advance(1);
    expect(await heir.run("purge")).toBe("done");
    dying.end();
    await dying.ended;
  });

  test("the last run and the last failure of each job are kept, the failure without personal data", async () => {
    await using app = await openProcesses(engine);
    let error: Error | undefined = new Error("ada@example.org was refused");
    const work = async () => {
      app.clock.advance(SECOND_IN_MS);
      if (error) throw error;
    };
    const jobs = app.openProcess({ mail: job(work), rest: job(async () => {}) });
    const [startedAt, tookInMs] = [app.clock(), SECOND_IN_MS];
    await jobs.run("mail");
    const lastFailure = { at: startedAt, error: "[address] was refused" };
    const read = async () => (await jobs.list()).map((each) => [each.lastRun, each.lastFailure]);
    expect(await read()).toEqual([
      [{ startedAt, tookInMs, result: "failed" }, lastFailure],
      [undefined, undefined],
    ]);
    error = undefined;
    const secondAt = app.clock();
    await jobs.run("mail");
    const second = [{ startedAt: secondAt, tookInMs, result: "done" }, lastFailure];
    expect((await read())[0], "the first success after a failure is noted at once").toEqual(second);
    await jobs.run("mail");
    expect((await read())[0], "a success is noted once a minute").toEqual(second);
    app.clock.advance(MINUTE_IN_MS);
    const fourthAt = app.clock();
    await jobs.run("mail");
    expect((await read())[0]).toEqual([{ startedAt: fourthAt, tookInMs, result: "done" }, lastFailure]);
  });

  test("a run that cannot be noted is done all the same", async () => {
    await using app = await openProcesses(engine);
    const jobs = app.openProcess({ mail: job(async () => {}) });
    await app.database.db.schema.dropTable("jobRuns").execute();
    expect(await jobs.run("mail")).toBe("done");
    expect(app.log.lines).toMatchObject([{ level: "warn", event: "a job's run was not recorded" }]);
  });

  test("a database that answers no more fails the job, not the process", async () => {
    const app = await openProcesses(engine);
    const jobs = app.openProcess({ purge: job(async () => {}) });
    expect(await jobs.run("purge")).toBe("done");
    await app.database.close();
    expect(await jobs.run("purge")).toBe("failed");
    expect(app.log.lines).toMatchObject([{ level: "warn", event: "a job failed" }]);
  });
});

describe.each(engines)("jobs on timers on %s", (engine) => {
  afterEach(() => void vi.useRealTimers());

  const holdTimers = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });

  function pass(app: Processes, ms: number) {
    app.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  }

  test("each job runs at its interval, first after one interval, until it is stopped", async () => {
    await using app = await openProcesses(engine);
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

  test("a job that takes longer than its interval is not started again meanwhile, and stopping waits for it", async () => {
    await using app = await openProcesses(engine);
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

  test("a shared job runs once an interval, however many processes there are and however quick it is", async () => {
    await using app = await openProcesses(engine);
    const runs = { shared: 0, own: 0 };
    const open = () =>
      app.openProcess({
        shared: job(async () => (runs.shared += 1)),
        own: job(async () => (runs.own += 1), { isShared: false }),
      });
    for (let minute = 1; minute <= 3; minute += 1) {
      // The processes come one after another, each at its own moment.
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

  test("a shared job can be run by hand between its intervals", async () => {
    await using app = await openProcesses(engine);
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

  test("lists when a server last started each job, to the minute for jobs that are not shared", async () => {
    await using app = await openProcesses(engine);
    holdTimers();
    const open = () =>
      app.openProcess({
        mail: job(async () => {}, { everyInMs: SECOND_IN_MS, isShared: false }),
        purge: job(async () => {}),
      });
    const operator = open();
    expect(await operator.run("purge")).toBe("done");
    const lastRun = { startedAt: expect.any(Date), tookInMs: 0, result: "done" };
    const mail = { name: "mail", everyInMs: SECOND_IN_MS, isShared: false, lastRunAt: undefined };
    const purge = { name: "purge", everyInMs: MINUTE_IN_MS, isShared: true, lastRunAt: undefined, lastRun };
    expect(await operator.list(), "an operator is no server").toEqual([mail, purge]);

    const stop = open().start();
    pass(app, SECOND_IN_MS);
    const mailAt = app.clock();
    await expect.poll(() => operator.list()).toEqual([{ ...mail, lastRunAt: mailAt, lastRun }, purge]);
    pass(app, MINUTE_IN_MS - SECOND_IN_MS);
    const purgeAt = app.clock();
    await stop();
    app.clock.advance(MINUTE_IN_MS);
    expect(await operator.list()).toEqual([
      { ...mail, lastRunAt: mailAt, lastRun },
      { ...purge, lastRunAt: purgeAt },
    ]);
  });

  test("long work renews its lease", async () => {
    await using app = await openProcesses(engine);
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

  test("work that has lost its lease logs it", async () => {
    await using app = await openProcesses(engine);
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

async function findExpiry({ db }: Processes): Promise<number> {
  const row = await db.selectFrom("jobLeases").select("expiresAt").where("name", "=", "purge").executeTakeFirst();
  return row?.expiresAt.getTime() ?? Number.NaN;
}
