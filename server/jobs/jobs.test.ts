import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { createWork, openJobApp, job } from "../../tests/helpers/job-app.ts";
import { SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("jobs on %s", (engine) => {
  test("have names, and each is run by its own", async () => {
    await using app = await openJobApp(engine);
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
  ])("one that fails is logged and may run again (%s)", async (how, isShared) => {
    await using app = await openJobApp(engine);
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

  test.each([true, false])("never runs twice at once in a process (shared: %s)", async (isShared) => {
    await using app = await openJobApp(engine);
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

  test("a shared one runs in one process at a time, one that is not shared in each", async () => {
    await using app = await openJobApp(engine);
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

  test("of ten processes that begin at once one does it", async () => {
    await using app = await openJobApp(engine);
    const { work, calls } = createWork();
    const processes = Array.from({ length: 10 }, () => app.openProcess({ purge: job(work) }));
    let answers = 0;
    const ended = await Promise.all(
      processes.map(async (jobs) => {
        const result = await jobs.run("purge");
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
    await using app = await openJobApp(engine);
    const dying = await app.beginPurge();
    const heir = app.openProcess({ purge: job(async () => {}) });
    app.clock.advance(30 * SECOND_IN_MS - 1);
    expect(await heir.run("purge")).toBe("busy");
    app.clock.advance(1);
    expect(await heir.run("purge")).toBe("done");
    dying.end();
    await dying.ended;
  });

  test("a database that does not answer fails the job, not the process", async () => {
    const app = await openJobApp(engine);
    const jobs = app.openProcess({ purge: job(async () => {}) });
    await app.close();
    expect(await jobs.run("purge")).toBe("failed");
    expect(app.log.lines).toMatchObject([{ level: "warn", event: "a job failed" }]);
  });
});
