import { describe, expect, test } from "vitest";

import { openCodeHouse } from "../../tests/helpers/code-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";

/** A code with one seat, which Ada holds. */
async function openHouse(engine: Engine, people = 2) {
  const house = await openCodeHouse(engine, people);
  await house.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
  await house.seat(house.ada, "DORMOUSE-ONE");
  return house;
}

const held = { "DORMOUSE-ONE": { counted: 1, held: 1 } };
const free = { "DORMOUSE-ONE": { counted: 0, held: 0 } };

describe.each(engines)("the end of a seat on %s", (engine) => {
  test("comes at its instant and not before, and then somebody else may sit there", async () => {
    await using house = await openHouse(engine);
    const endsAt = after(house.clock(), DAY_IN_MS);
    await house.end(house.ada, endsAt);
    expect(await house.codes.listSeatsFor(house.ada)).toMatchObject([{ code: "DORMOUSE-ONE", endsAt }]);
    house.clock.advance(DAY_IN_MS - 1);
    expect(await house.codes.releaseEnded()).toBe(0);
    expect(await house.count()).toEqual(held);
    house.clock.advance(1);
    expect(await house.codes.releaseEnded()).toBe(1);
    expect(await house.count()).toEqual(free);
    expect(await house.seat(house.bo, "DORMOUSE-ONE")).toMatchObject({ isValid: true });
    expect(await house.codes.releaseEnded()).toBe(0);
  });

  test("that has come already frees it at once", async () => {
    await using house = await openHouse(engine);
    await house.end(house.ada, house.clock());
    expect(await house.count()).toEqual(free);
  });

  test("is the earlier of two", async () => {
    await using house = await openHouse(engine);
    const soon = after(house.clock(), DAY_IN_MS);
    await house.end(house.ada, soon);
    await house.end(house.ada, after(soon, DAY_IN_MS));
    expect(await house.codes.listSeatsFor(house.ada)).toMatchObject([{ endsAt: soon }]);
    await house.end(house.ada, after(soon, -1));
    expect(await house.codes.listSeatsFor(house.ada)).toMatchObject([{ endsAt: after(soon, -1) }]);
  });

  test("is off when its holder takes the seat again, or another", async () => {
    await using house = await openHouse(engine);
    await house.codes.create({ code: "DORMOUSE-TWO", seats: 2 });
    for (const code of ["DORMOUSE-ONE", "DORMOUSE-TWO"]) {
      await house.end(house.ada, after(house.clock(), DAY_IN_MS));
      expect(await house.seat(house.ada, code)).toMatchObject({ isValid: true });
      house.clock.advance(DAY_IN_MS);
      expect(await house.codes.releaseEnded()).toBe(0);
    }
  });

  test("stays when the code is refused to its holder", async () => {
    await using house = await openHouse(engine);
    const endsAt = after(house.clock(), DAY_IN_MS);
    await house.end(house.ada, endsAt);
    await house.codes.revoke("DORMOUSE-ONE");
    expect(await house.seat(house.ada, "DORMOUSE-ONE")).toMatchObject({ isValid: false });
    expect(await house.codes.listSeatsFor(house.ada)).toMatchObject([{ endsAt }]);
  });

  test("is nothing to who holds none", async () => {
    await using house = await openHouse(engine);
    await house.end(house.bo, after(house.clock(), DAY_IN_MS));
    await house.end(house.bo, house.clock());
    expect(await house.count()).toEqual(held);
  });

  test("comes while twenty people wait for the seat and three processes free it: it is freed once and taken once", async () => {
    await using house = await openHouse(engine, 21);
    await house.end(house.ada, after(house.clock(), DAY_IN_MS));
    house.clock.advance(DAY_IN_MS);
    const waiting = house.members.filter((member) => member !== house.ada);
    const frees = Array.from({ length: 3 }, () => house.codes.releaseEnded());
    const checks = await Promise.all(waiting.map((member) => house.seat(member, "DORMOUSE-ONE")));
    const freed = (await Promise.all(frees)).reduce((sum, each) => sum + each, 0);
    expect(freed).toBe(1);
    const seated = checks.filter(({ isValid }) => isValid).length;
    expect(seated).toBeLessThanOrEqual(1);
    expect(await house.count()).toEqual(seated === 1 ? held : free);
  });

  test("comes while its holder takes the seat again and others want it: one of them has it, whoever is first", async () => {
    await using house = await openHouse(engine, 5);
    for (let round = 0; round < 8; round += 1) {
      await house.release(house.ada);
      await Promise.all(house.members.map((member) => house.release(member)));
      await house.seat(house.ada, "DORMOUSE-ONE");
      await house.end(house.ada, after(house.clock(), DAY_IN_MS));
      house.clock.advance(DAY_IN_MS);
      const [, ...checks] = await Promise.all([
        house.codes.releaseEnded(),
        ...house.members.map((member) => house.seat(member, "DORMOUSE-ONE")),
        house.codes.releaseEnded(),
      ]);
      const seated = checks.filter((check) => typeof check === "object" && check.isValid).length;
      expect(seated).toBe(1);
      expect(await house.count()).toEqual(held);
      expect(await house.codes.releaseEnded()).toBe(0);
    }
  });
});
