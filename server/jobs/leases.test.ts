import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createLeases } from "./jobs.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const leasesOf = (holder: string) => createLeases({ db: database.db, clock, holder });
  return { ...database, clock, leasesOf, here: leasesOf("here"), there: leasesOf("there") };
}

describe.each(engines)("leases on %s", (engine) => {
  test("what one holds no other can take, nor it itself again", async () => {
    await using app = await openApp(engine);
    expect(await app.here.take("purge", MINUTE_IN_MS)).toBe(true);
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await app.here.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await app.there.take("remind", MINUTE_IN_MS)).toBe(true);
  });

  test("what is given back can be taken at once", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    await app.here.giveBack("purge");
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("a dead holder's lease runs out, to the millisecond", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    app.clock.advance(MINUTE_IN_MS - 1);
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(false);
    app.clock.advance(1);
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("who is alive keeps what it holds", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    for (let count = 0; count < 10; count += 1) {
      app.clock.advance(MINUTE_IN_MS - 1);
      expect(await app.here.renew("purge", MINUTE_IN_MS)).toBe(true);
      expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(false);
    }
  });

  test("who was too slow has lost it, and cannot give back what is another's", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    app.clock.advance(MINUTE_IN_MS);
    await app.there.take("purge", MINUTE_IN_MS);
    expect(await app.here.renew("purge", MINUTE_IN_MS)).toBe(false);
    await app.here.giveBack("purge");
    expect(await app.here.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await app.there.renew("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("what nobody holds cannot be renewed", async () => {
    await using app = await openApp(engine);
    expect(await app.here.renew("purge", MINUTE_IN_MS)).toBe(false);
  });

  test.each(["new", "run out"])("of twenty that take a %s lease at once one gets it", async (kind) => {
    await using app = await openApp(engine);
    if (kind === "run out") await app.here.take("purge", MINUTE_IN_MS);
    app.clock.advance(MINUTE_IN_MS);
    const takers = Array.from({ length: 20 }, (_, place) => app.leasesOf(`process ${place}`));
    const taken = await Promise.all(takers.map((leases) => leases.take("purge", MINUTE_IN_MS)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const holder = takers[taken.indexOf(true)];
    expect(await holder?.renew("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("a clock that is a little slow takes nothing from who is alive", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    app.clock.advance(-MINUTE_IN_MS);
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(false);
  });

  test("a clock that was set back by a day does not close a job for a day", async () => {
    await using app = await openApp(engine);
    await app.here.take("purge", MINUTE_IN_MS);
    app.clock.advance(-DAY_IN_MS);
    expect(await app.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });
});
