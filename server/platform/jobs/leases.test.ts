import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { giveBackLease, renewLease, takeLease } from "./jobs.ts";

/** Two processes on one database, of which the first has taken a lease. */
async function openLeases(engine: Engine) {
  const app = await openApp({ engine });
  const open = (holder: string) => {
    const ctx = { ...app.ctx, holder };
    const take = (name = "purge") => takeLease(ctx, name, MINUTE_IN_MS);
    return { take, renew: () => renewLease(ctx, "purge", MINUTE_IN_MS), giveBack: () => giveBackLease(ctx, "purge") };
  };
  const [here, there] = [open("here"), open("there")];
  expect(await here.take()).toBe(true);
  return { ...app, open, here, there };
}

describe.each(engines)("leases on %s", (engine) => {
  test("a lease cannot be taken again, even by its holder, until it is given back", async () => {
    await using app = await openLeases(engine);
    expect(await app.there.take()).toBe(false);
    expect(await app.here.take()).toBe(false);
    expect(await app.there.take("remind")).toBe(true);
    await app.here.giveBack();
    expect(await app.here.renew(), "nobody holds it").toBe(false);
    expect(await app.there.take()).toBe(true);
  });

  test("a dead holder's lease expires, to the millisecond, and a renewed one does not", async () => {
    await using app = await openLeases(engine);
    for (let count = 0; count < 10; count += 1) {
      app.clock.advance(MINUTE_IN_MS - 1);
      expect(await app.there.take()).toBe(false);
      expect(await app.here.renew()).toBe(true);
    }
    app.clock.advance(MINUTE_IN_MS - 1);
    expect(await app.there.take()).toBe(false);
    app.clock.advance(1);
    expect(await app.there.take()).toBe(true);
  });

  test("a holder that was too slow loses the lease, and cannot give back the next holder's", async () => {
    await using app = await openLeases(engine);
    app.clock.advance(MINUTE_IN_MS);
    await app.there.take();
    expect(await app.here.renew()).toBe(false);
    await app.here.giveBack();
    expect(await app.here.take()).toBe(false);
    expect(await app.there.renew()).toBe(true);
  });

  test.each(["new", "run out"])("of twenty processes that take a %s lease at once one gets it", async (kind) => {
    await using app = await openLeases(engine);
    if (kind === "new") await app.here.giveBack();
    app.clock.advance(MINUTE_IN_MS);
    const takers = Array.from({ length: 20 }, (_, place) => app.open(`process ${place}`));
    const taken = await Promise.all(takers.map((leases) => leases.take()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await takers[taken.indexOf(true)]?.renew()).toBe(true);
  });

  test.each([
    ["a little slow takes nothing from the holder", MINUTE_IN_MS, false],
    ["set back by a day does not close a job for a day", DAY_IN_MS, true],
  ])("a clock that is %s", async (_, back, isFree) => {
    await using app = await openLeases(engine);
    app.clock.advance(-back);
    expect(await app.there.take()).toBe(isFree);
  });
});
