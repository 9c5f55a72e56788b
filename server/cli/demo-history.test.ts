import { expect, test } from "vitest";

import { openApp } from "../../tests/helpers/app.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../platform/clock.ts";
import { listObjects } from "../adapters/demo/store.ts";
import { readHealth } from "../operations/desk/health.ts";
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

  const findings = await readHealth(services);
  const wrong = findings.filter(({ state }) => state === "wrong").map(({ message }) => message);
  expect(wrong).toEqual(["1 couldn't be delivered", expect.stringMatching(/^Refund stuck: order 2 \(£30\.00\)/)]);
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
  await app.services.jobs.run("look-after-companies");
  expect(app.log.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  app.clock.advance(DAY_IN_MS);
  const orders = await app.db.selectFrom("orders").select(["id", "state"]).orderBy("id").execute();
  expect(orders).toEqual([
    { id: 1, state: "completed" },
    { id: 2, state: "refund-failed" },
  ]);
});

test("the demo's company has a member for each seat, and its Direct Debit is taken again when its next year begins", async () => {
  await using app = await openDemo();
  const { services, db } = app;
  const [company] = await services.companies.list();
  const holders = (await services.codes.find(company?.code ?? ""))?.holders ?? [];
  expect(holders).toHaveLength(31);
  for (const { memberId } of holders)
    expect(await services.membership.findAccess(memberId)).toMatchObject({ isActive: true });
  const counted = await db.selectFrom("companyMonths").select("joined").execute();
  expect(counted.reduce((sum, { joined }) => sum + joined, 0)).toBe(30);

  await app.pass(400 * DAY_IN_MS);
  await services.jobs.run("look-after-companies");
  const collections = await db.selectFrom("collections").select(["period", "gatewayId"]).orderBy("period").execute();
  const { mandateId } = await db.selectFrom("companies").select("mandateId").executeTakeFirstOrThrow();
  const debits = await listObjects({ db, clock: app.clock }, "dd", mandateId ?? "");
  expect(collections.map(({ gatewayId }) => gatewayId)).toEqual(debits.map(({ id }) => id));
  expect(debits).toHaveLength(3);
  expect(app.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
});
