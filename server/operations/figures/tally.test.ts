import { expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { createTally } from "./tally.ts";

test.each(engines)("counts of two servers add up by day, and hold no person: %s", async (engine) => {
  await using app = await openApp({ engine, clock: createTestClock("2026-11-20T12:00:00.000Z") });
  const [one, other] = [createTally(app), createTally(app)];
  for (let count = 0; count < 3; count += 1) one.add("plays-watch");
  other.add("plays-watch");
  other.add("searches");
  expect(await app.db.selectFrom("dailyCounts").selectAll().execute()).toEqual([]);
  expect([await one.write(), await other.write(), await one.write()]).toEqual([1, 2, 0]);
  app.clock.advance(DAY_IN_MS);
  one.add("plays-watch");
  await one.write();
  const rows = await app.db.selectFrom("dailyCounts").selectAll().orderBy("day").orderBy("measure").execute();
  expect(rows).toEqual([
    { day: "2026-11-20", measure: "plays-watch", value: 4 },
    { day: "2026-11-20", measure: "searches", value: 1 },
    { day: "2026-11-21", measure: "plays-watch", value: 1 },
  ]);
});

test("counts that could not be written wait for the next time", async () => {
  await using app = await openApp();
  const tally = createTally(app);
  tally.add("searches");
  await app.db.schema.alterTable("dailyCounts").renameTo("away").execute();
  await expect(tally.write()).rejects.toThrow("no such table");
  await app.db.schema.alterTable("away").renameTo("dailyCounts").execute();
  tally.add("searches");
  await tally.write();
  expect((await app.db.selectFrom("dailyCounts").select("value").execute()).map(({ value }) => value)).toEqual([2]);
});
