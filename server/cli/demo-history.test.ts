import { expect, test } from "vitest";

import { openApp } from "../../tests/helpers/app.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../clock.ts";
import { takeStock } from "../desk/health.ts";
import { fillDemo } from "./demo-data.ts";
import { addDemoHistory } from "./demo-history.ts";

async function openDemo() {
  const app = await openApp({ content: "bundled" });
  await fillDemo(app.services);
  await addDemoHistory(app.services);
  return app;
}

test("a demo's desk has something that waits, and a second start adds nothing", async () => {
  await using app = await openDemo();
  const { services, db } = app;
  const count = async () =>
    Promise.all(
      (["members", "orders", "companies", "dailyCounts", "emails"] as const).map(async (table) => {
        const { rows } = await db.selectFrom(table).select(db.fn.countAll().as("rows")).executeTakeFirstOrThrow();
        return Number(rows);
      }),
    );
  const before = await count();
  await addDemoHistory(services);
  expect(await count()).toEqual(before);

  const findings = await takeStock(services);
  const wrong = findings.filter(({ state }) => state === "wrong").map(({ message }) => message);
  expect(wrong).toEqual(["1 were given up", expect.stringMatching(/^Refund stuck: order 2 \(£30\.00\)/)]);
  expect(
    await services.audit.listFor((await services.accounts.findByEmail("cora@dormouse.example"))?.id ?? 0),
  ).toMatchObject([{ action: "dispute open" }]);
  const figures = await services.figures.list({ unit: "day", count: 60 });
  for (const { measure, days } of figures) {
    expect(
      days.filter(({ value }) => value === undefined),
      measure,
    ).toEqual([]);
  }
  const [company] = await services.companies.list();
  expect(company).toMatchObject({ name: "Bramble Foods", state: "live" });
});

test("what is made up agrees with itself: the jobs of a day find nothing to repair, to warn of or to collect", async () => {
  await using app = await openDemo();
  for (let hour = 0; hour < 24; hour += 1) await app.pass(HOUR_IN_MS);
  await app.services.jobs.run("collect-debits");
  expect(app.log.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  app.clock.advance(DAY_IN_MS);
  const orders = await app.db.selectFrom("orders").select(["id", "state"]).orderBy("id").execute();
  expect(orders).toEqual([
    { id: 1, state: "completed" },
    { id: 2, state: "refund-failed" },
  ]);
});
