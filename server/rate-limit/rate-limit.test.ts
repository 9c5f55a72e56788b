import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createRateLimiter, networkOf } from "./rate-limit.ts";

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  return { ...database, clock: ctx.clock, rateLimiter: createRateLimiter(ctx) };
}

describe.each(engines)("the rate limiter on %s", (engine) => {
  test("counts within a window and starts anew after it", async () => {
    await using house = await openHouse(engine);
    expect((await house.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
    house.clock.advance(MINUTE_IN_MS / 2);
    const second = await house.rateLimiter.take("a", MINUTE_IN_MS);
    expect(second.number).toBe(2);
    expect(second.windowEndsAt.getTime() - house.clock().getTime()).toBe(MINUTE_IN_MS / 2);
    house.clock.advance(MINUTE_IN_MS / 2);
    expect((await house.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
  });

  test("counts each key by itself and keeps no key readable", async () => {
    await using house = await openHouse(engine);
    await house.rateLimiter.take("ada@dormouse.example", MINUTE_IN_MS);
    expect((await house.rateLimiter.take("other", MINUTE_IN_MS)).number).toBe(1);
    expect(JSON.stringify(await house.db.selectFrom("throttles").selectAll().execute())).not.toContain("ada");
  });

  test("fifty attempts at once are fifty attempts", async () => {
    await using house = await openHouse(engine);
    const attempts = await Promise.all(Array.from({ length: 50 }, () => house.rateLimiter.take("a", MINUTE_IN_MS)));
    expect(attempts.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  test("an attempt can be given back, but never below none", async () => {
    await using house = await openHouse(engine);
    await house.rateLimiter.take("a", MINUTE_IN_MS);
    await house.rateLimiter.giveBack("a");
    await house.rateLimiter.giveBack("a");
    expect((await house.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
  });

  test("a count that is forgotten begins anew, and no other does", async () => {
    await using house = await openHouse(engine);
    for (const key of ["a", "a", "b"]) await house.rateLimiter.take(key, MINUTE_IN_MS);
    await house.rateLimiter.forget("a");
    expect((await house.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
    expect((await house.rateLimiter.take("b", MINUTE_IN_MS)).number).toBe(2);
  });

  test("purging forgets windows that are over", async () => {
    await using house = await openHouse(engine);
    await house.rateLimiter.take("old", MINUTE_IN_MS);
    house.clock.advance(MINUTE_IN_MS);
    await house.rateLimiter.take("new", MINUTE_IN_MS);
    expect(await house.rateLimiter.purge()).toBe(1);
    expect((await house.rateLimiter.take("new", MINUTE_IN_MS)).number).toBe(2);
  });
});

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("the network of %s is %s", (address, network) => expect(networkOf(address)).toBe(network));
