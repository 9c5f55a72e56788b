import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createRateLimiter, toNetwork } from "./rate-limit.ts";

async function openLimiter(engine: Engine) {
  const app = await openApp({ engine });
  const rateLimiter = createRateLimiter(app.ctx);
  const take = async (key: string) => (await rateLimiter.take(key, MINUTE_IN_MS)).number;
  return { ...app, rateLimiter, take };
}

describe.each(engines)("the rate limiter on %s", (engine) => {
  test("counts within a window, starts again after it and forgets it when purged", async () => {
    await using app = await openLimiter(engine);
    expect(await app.take("a")).toBe(1);
    app.clock.advance(MINUTE_IN_MS / 2);
    const windowEndsAt = after(app.clock(), MINUTE_IN_MS / 2);
    expect(await app.rateLimiter.take("a", MINUTE_IN_MS)).toEqual({ number: 2, windowEndsAt });
    expect(await app.take("b")).toBe(1);
    app.clock.advance(MINUTE_IN_MS / 2);
    expect(await app.rateLimiter.purge()).toBe(1);
    expect([await app.take("a"), await app.take("b")]).toEqual([1, 2]);
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.take("a"), "without a purge").toBe(1);
  });

  test("counts each key separately, resets one alone, and stores none in readable form", async () => {
    await using app = await openLimiter(engine);
    for (const key of ["ada@dormouse.example", "ada@dormouse.example", "b"]) await app.take(key);
    expect(JSON.stringify(await app.db.selectFrom("rateLimits").selectAll().execute())).not.toContain("ada");
    await app.rateLimiter.forget("ada@dormouse.example");
    expect([await app.take("ada@dormouse.example"), await app.take("b")]).toEqual([1, 2]);
  });

  test("fifty attempts at once are fifty attempts", async () => {
    await using app = await openLimiter(engine);
    const numbers = await Promise.all(Array.from({ length: 50 }, () => app.take("a")));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test("refuses the attempt after the last that is allowed, until the window ends", async () => {
    await using app = await openLimiter(engine);
    const count = () => app.rateLimiter.count("a", { attempts: 2, windowInMs: MINUTE_IN_MS });
    expect([await count(), await count()]).toEqual([undefined, undefined]);
    app.clock.advance(SECOND_IN_MS);
    expect(await count()).toEqual({ ok: false, reason: "too-many-attempts", waitInMs: 59 * SECOND_IN_MS });
  });

  test("an attempt can be given back, but never below none", async () => {
    await using app = await openLimiter(engine);
    await app.take("a");
    for (let count = 0; count < 2; count += 1) await app.rateLimiter.giveBack("a");
    expect(await app.take("a")).toBe(1);
  });
});

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("the network of %s is %s", (address, network) => expect(toNetwork(address)).toBe(network));
