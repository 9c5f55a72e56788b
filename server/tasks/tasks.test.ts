import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { createWork, openTaskHouse, task } from "../../tests/helpers/task-house.ts";
import { SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("tasks on %s", (engine) => {
  test("have names, and each is run by its own", async () => {
    await using house = await openTaskHouse(engine);
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
    await using house = await openTaskHouse(engine);
    expect(await house.openProcess({ purge: task(async () => {}) }).run(name)).toBe("unknown");
  });

  test.each([true, false])("one that fails is logged and may run again (shared: %s)", async (isShared) => {
    await using house = await openTaskHouse(engine);
    const error = new Error("no mail today");
    let isBroken = true;
    const work = async () => {
      if (isBroken) throw error;
    };
    const tasks = house.openProcess({ mail: task(work, { isShared }) });
    expect(await tasks.run("mail")).toBe("failed");
    expect(house.log.lines).toEqual([{ level: "warn", event: "a task failed", facts: { task: "mail", error } }]);
    isBroken = false;
    expect(await tasks.run("mail")).toBe("done");
    expect(house.log.lines.map(({ event }) => event)).toEqual(["a task failed", "a task works again"]);
  });

  test("one that throws before it starts is logged like any other", async () => {
    await using house = await openTaskHouse(engine);
    const tasks = house.openProcess({
      broken: task(() => {
        throw new Error("at once");
      }),
    });
    expect(await tasks.run("broken")).toBe("failed");
    expect(await tasks.run("broken")).toBe("failed");
  });

  test.each([true, false])("never runs twice at once in a process (shared: %s)", async (isShared) => {
    await using house = await openTaskHouse(engine);
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
    await using house = await openTaskHouse(engine);
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
    await using house = await openTaskHouse(engine);
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
    await using house = await openTaskHouse(engine);
    const dying = await house.beginPurge();
    const heir = house.openProcess({ purge: task(async () => {}) });
    house.clock.advance(30 * SECOND_IN_MS - 1);
    expect(await heir.run("purge")).toBe("busy");
    house.clock.advance(1);
    expect(await heir.run("purge")).toBe("done");
    dying.end();
    await dying.ended;
  });

  test("a database that does not answer fails the task, not the process", async () => {
    const house = await openTaskHouse(engine);
    const tasks = house.openProcess({ purge: task(async () => {}) });
    await house.close();
    expect(await tasks.run("purge")).toBe("failed");
    expect(house.log.lines).toMatchObject([{ level: "warn", event: "a task failed" }]);
  });
});
