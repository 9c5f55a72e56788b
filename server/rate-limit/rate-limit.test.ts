import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createRateLimiter, networkOf } from "./rate-limit.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  return { ...database, clock: ctx.clock, rateLimiter: createRateLimiter(ctx) };
}

describe.each(engines)("the rate limiter on %s", (engine) => {
  test("counts within a window and starts anew after it", async () => {
    await using app = await openApp(engine);
    expect((await app.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
    app.clock.advance(MINUTE_IN_MS / 2);
    const second = await app.rateLimiter.take("a", MINUTE_IN_MS);
    expect(second.number).toBe(2);
    expect(second.windowEndsAt.getTime() - app.clock().getTime()).toBe(MINUTE_IN_MS / 2);
    app.clock.advance(MINUTE_IN_MS / 2);
    expect((await app.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
  });

  test("counts each key by itself and keeps no key readable", async () => {
    await using app = await openApp(engine);
    await app.rateLimiter.take("ada@dormouse.example", MINUTE_IN_MS);
    expect((await app.rateLimiter.take("other", MINUTE_IN_MS)).number).toBe(1);
    expect(JSON.stringify(await app.db.selectFrom("throttles").selectAll().execute())).not.toContain("ada");
  });

  test("fifty attempts at once are fifty attempts", async () => {
    await using app = await openApp(engine);
    const attempts = await Promise.all(Array.from({ length: 50 }, () => app.rateLimiter.take("a", MINUTE_IN_MS)));
    expect(attempts.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  test("an attempt can be given back, but never below none", async () => {
    await using app = await openApp(engine);
    await app.rateLimiter.take("a", MINUTE_IN_MS);
    await app.rateLimiter.giveBack("a");
    await app.rateLimiter.giveBack("a");
    expect((await app.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
  });

  test("a count that is forgotten begins anew, and no other does", async () => {
    await using app = await openApp(engine);
    for (const key of ["a", "a", "b"]) await app.rateLimiter.take(key, MINUTE_IN_MS);
    await app.rateLimiter.forget("a");
    expect((await app.rateLimiter.take("a", MINUTE_IN_MS)).number).toBe(1);
    expect((await app.rateLimiter.take("b", MINUTE_IN_MS)).number).toBe(2);
  });

  test("purging forgets windows that are over", async () => {
    await using app = await openApp(engine);
    await app.rateLimiter.take("old", MINUTE_IN_MS);
    app.clock.advance(MINUTE_IN_MS);
    await app.rateLimiter.take("new", MINUTE_IN_MS);
    expect(await app.rateLimiter.purge()).toBe(1);
    expect((await app.rateLimiter.take("new", MINUTE_IN_MS)).number).toBe(2);
  });
});

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("the network of %s is %s", (address, network) => expect(networkOf(address)).toBe(network));
