import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createLeases } from "./tasks.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const leasesOf = (holder: string) => createLeases({ db: database.db, clock, holder });
  return { ...database, clock, leasesOf, here: leasesOf("here"), there: leasesOf("there") };
}

describe.each(engines)("leases on %s", (engine) => {
  test("what one holds no other can take, nor it itself again", async () => {
    await using house = await openHouse(engine);
    expect(await house.here.take("purge", MINUTE_IN_MS)).toBe(true);
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await house.here.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await house.there.take("remind", MINUTE_IN_MS)).toBe(true);
  });

  test("what is given back can be taken at once", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    await house.here.giveBack("purge");
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("a dead holder's lease runs out, to the millisecond", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    house.clock.advance(MINUTE_IN_MS - 1);
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(false);
    house.clock.advance(1);
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("who is alive keeps what it holds", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    for (let count = 0; count < 10; count += 1) {
      house.clock.advance(MINUTE_IN_MS - 1);
      expect(await house.here.renew("purge", MINUTE_IN_MS)).toBe(true);
      expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(false);
    }
  });

  test("who was too slow has lost it, and cannot give back what is another's", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    house.clock.advance(MINUTE_IN_MS);
    await house.there.take("purge", MINUTE_IN_MS);
    expect(await house.here.renew("purge", MINUTE_IN_MS)).toBe(false);
    await house.here.giveBack("purge");
    expect(await house.here.take("purge", MINUTE_IN_MS)).toBe(false);
    expect(await house.there.renew("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("what nobody holds cannot be renewed", async () => {
    await using house = await openHouse(engine);
    expect(await house.here.renew("purge", MINUTE_IN_MS)).toBe(false);
  });

  test.each(["new", "run out"])("of twenty that take a %s lease at once one gets it", async (kind) => {
    await using house = await openHouse(engine);
    if (kind === "run out") await house.here.take("purge", MINUTE_IN_MS);
    house.clock.advance(MINUTE_IN_MS);
    const takers = Array.from({ length: 20 }, (_, place) => house.leasesOf(`process ${place}`));
    const taken = await Promise.all(takers.map((leases) => leases.take("purge", MINUTE_IN_MS)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const holder = takers[taken.indexOf(true)];
    expect(await holder?.renew("purge", MINUTE_IN_MS)).toBe(true);
  });

  test("a clock that is a little slow takes nothing from who is alive", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    house.clock.advance(-MINUTE_IN_MS);
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(false);
  });

  test("a clock that was set back by a day does not close a task for a day", async () => {
    await using house = await openHouse(engine);
    await house.here.take("purge", MINUTE_IN_MS);
    house.clock.advance(-DAY_IN_MS);
    expect(await house.there.take("purge", MINUTE_IN_MS)).toBe(true);
  });
});
