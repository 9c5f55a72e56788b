import { describe, expect, test } from "vitest";

import { type App, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { insertMembers } from "../../../tests/helpers/member-rows.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { createFigures } from "./figures.ts";
import type { Measure } from "./measures.ts";

/** Just after midnight in London, in summer: the day before has not settled. */
const START = "2026-07-10T23:05:00.000Z";

const openSummer = (engine: Engine) => openApp({ engine, clock: createTestClock(START) });

function addMembers(app: App, count: number, createdAt: string): Promise<number[]> {
  const emails = Array.from({ length: count }, (_, index) => `${createdAt}-${index}@x.example`);
  return insertMembers(
    app,
    emails.map((email) => ({ email, createdAt: new Date(createdAt) })),
  );
}

const term = (memberId: number, [startsAt, endsAt]: [string, string], revokedAt: string | null = null) => ({
  memberId: memberId,
  planType: 1,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  revokedAt: revokedAt === null ? null : new Date(revokedAt),
});

const nobody = { email: "", firstName: "", lastName: "", postcode: "", country: "GB", site: "", currency: "GBP" };

/** An order paid at an instant, and the later state of its charge. */
async function addOrder({ db }: App, paidAt: string, charge: { pence: number; state: string; at: string }) {
  const { pence, state, at } = charge;
  const times = { createdAt: new Date(paidAt), updatedAt: new Date(at) };
  const sold = { accountType: "individual" as const, planType: 1, amountInPence: pence };
  const order = { state: "completed", ...nobody, ...sold, ...times, paidAt: new Date(paidAt) };
  const { id } = await db.insertInto("orders").values(order).returning("id").executeTakeFirstOrThrow();
  const attempt = { orderId: id, attempt: 1, page: "fields" as const, state, amountInPence: pence };
  const row = db.insertInto("payments").values({ ...attempt, ...times });
  return (await row.returning("id").executeTakeFirstOrThrow()).id;
}

async function addPartRefund({ db }: App, paymentId: number, part: { number: number; pence: number; at: string }) {
  const times = { createdAt: new Date(part.at), updatedAt: new Date(part.at) };
  const { number, pence: amountInPence } = part;
  await db
    .insertInto("partRefunds")
    .values({ paymentId, number, amountInPence, state: "refunded", ...times })
    .execute();
}

async function readFigures({ services }: App, days = 30) {
  const listed = await services.figures.list({ unit: "day", count: days });
  return Object.fromEntries(listed.map((each) => [each.measure, { today: each.today, days: each.days }]));
}

const valueAt = (figures: Awaited<ReturnType<typeof readFigures>>, measure: string, day: string) =>
  figures[measure]?.days.find((each) => each.day === day)?.value;

describe.each(engines)("counts by day on %s", (engine) => {
  test("a day is counted by London's clock once it is over, and never again", async () => {
    await using app = await openSummer(engine);
    const { figures } = app.services;
    // The first and the last moment of 10 July in London, and the moments beside them.
    await addMembers(app, 1, "2026-07-09T22:59:59.999Z");
    await addMembers(app, 2, "2026-07-09T23:00:00.000Z");
    await addMembers(app, 4, "2026-07-10T22:59:59.999Z");
    await addMembers(app, 8, "2026-07-10T23:00:00.000Z");
    expect(await figures.countDays(), "the days before yesterday").toBe(60 * 5);
    expect(valueAt(await readFigures(app), "sign-ups", "2026-07-10"), "not settled yet").toBeUndefined();
    app.clock.advance(5 * MINUTE_IN_MS);
    expect(await figures.countDays()).toBe(5);
    expect(await figures.countDays()).toBe(0);
    const read = await readFigures(app);
    expect(read["sign-ups"]?.today).toBe(8);
    expect(["2026-07-09", "2026-07-10"].map((day) => valueAt(read, "sign-ups", day))).toEqual([1, 6]);

    await app.db.deleteFrom("members").execute();
    await figures.countDays();
    expect(valueAt(await readFigures(app), "sign-ups", "2026-07-10")).toBe(6);
  });

  test("a member counts once while any term of theirs runs at the end of the day", async () => {
    await using app = await openSummer(engine);
    const [ada = 0, bo = 0, cy = 0, di = 0, eve = 0, flo = 0] = await addMembers(app, 6, "2026-07-01T00:00:00.000Z");
    const midnight = "2026-07-10T23:00:00.000Z";
    const [before, later] = ["2026-07-10T22:59:59.999Z", "2026-08-01T00:00:00.000Z"];
    const start = "2026-07-01T00:00:00.000Z";
    const terms = [
      term(ada, [start, later]),
      term(ada, ["2026-07-02T00:00:00.000Z", "2026-09-01T00:00:00.000Z"]),
      term(bo, [start, midnight]),
      term(cy, [midnight, later]),
      term(di, [start, later], before),
      term(eve, [start, later], "2026-07-11T12:00:00.000Z"),
      term(flo, [later, "2026-09-01T00:00:00.000Z"]),
    ];
    await app.db.insertInto("subscriptions").values(terms).execute();
    expect(await app.services.membership.countRunning(new Date(midnight)), "Ada, Cy and Eve").toBe(3);
    app.clock.advance(HOUR_IN_MS);
    await app.services.figures.countDays();
    const read = await readFigures(app);
    expect([valueAt(read, "members", "2026-07-10"), valueAt(read, "members", "2026-07-05")]).toEqual([3, 4]);
    expect(read["members"]?.today, "a walk through all terms is no work for a page").toBeUndefined();
  });

  test("more members than are read at once are counted each once", async () => {
    await using app = await openSummer(engine);
    const at = "2026-07-01T00:00:00.000Z";
    const ids: number[] = [];
    for (let part = 0; part < 11; part += 1)
      ids.push(...(await addMembers(app, 1000, `2026-07-01T00:00:00.0${part + 10}Z`)));
    for (let from = 0; from < ids.length; from += 2000) {
      const rows = ids.slice(from, from + 2000).map((id) => term(id, [at, "2026-08-01T00:00:00.000Z"]));
      await app.db.insertInto("subscriptions").values(rows).execute();
    }
    expect(await app.services.membership.countRunning(new Date(START))).toBe(11_000);
  });

  test("income and refunds are sums of pence of their days", async () => {
    await using app = await openSummer(engine);
    await addOrder(app, "2026-07-10T08:00:00.000Z", {
      pence: 6000,
      state: "succeeded",
      at: "2026-07-10T08:00:01.000Z",
    });
    await addOrder(app, "2026-07-08T08:00:00.000Z", { pence: 1500, state: "refunded", at: "2026-07-10T09:00:00.000Z" });
    await addOrder(app, "2026-07-10T22:30:00.000Z", {
      pence: 3000,
      state: "refunding",
      at: "2026-07-10T22:40:00.000Z",
    });
    await addOrder(app, "2026-07-10T23:01:00.000Z", { pence: 1500, state: "refunded", at: "2026-07-10T23:02:00.000Z" });
    app.clock.advance(HOUR_IN_MS);
    await app.services.figures.countDays();
    const read = await readFigures(app);
    const both = (day: string) => [valueAt(read, "income", day), valueAt(read, "refunds", day)];
    expect(both("2026-07-10")).toEqual([9000, 1500]);
    expect(both("2026-07-08")).toEqual([1500, 0]);
    expect([read["income"]?.today, read["refunds"]?.today]).toEqual([1500, 1500]);
  });

  test("a part that went back counts on its day, and a whole refund after it counts what was left", async () => {
    await using app = await openSummer(engine);
    const charge = { pence: 6000, state: "succeeded", at: "2026-07-08T08:00:01.000Z" };
    const goesOn = await addOrder(app, "2026-07-08T08:00:00.000Z", charge);
    const ended = { pence: 3000, state: "refunded", at: "2026-07-10T09:00:00.000Z" };
    const isOver = await addOrder(app, "2026-07-08T08:00:00.000Z", ended);
    await addPartRefund(app, goesOn, { number: 1, pence: 1000, at: "2026-07-09T08:00:00.000Z" });
    await addPartRefund(app, goesOn, { number: 2, pence: 250, at: "2026-07-10T08:00:00.000Z" });
    await addPartRefund(app, isOver, { number: 1, pence: 700, at: "2026-07-09T08:00:00.000Z" });
    app.clock.advance(HOUR_IN_MS);
    await app.services.figures.countDays();
    const read = await readFigures(app);
    expect(["2026-07-09", "2026-07-10"].map((day) => valueAt(read, "refunds", day))).toEqual([1700, 2550]);
  });

  test("days longer ago than sixty stay uncounted, and a gap is a gap", async () => {
    await using app = await openSummer(engine);
    app.clock.advance(HOUR_IN_MS);
    await app.services.figures.countDays();
    app.clock.advance(70 * DAY_IN_MS);
    await app.services.figures.countDays();
    const days = (await readFigures(app, 90))["sign-ups"]?.days ?? [];
    expect(days).toHaveLength(90);
    const gaps = days.filter(({ value }) => value === undefined).map(({ day }) => day);
    expect(gaps).toHaveLength(10);
    expect(gaps.slice(0, 2)).toEqual(["2026-07-11", "2026-07-12"]);
  });

  test("two servers that count at once write each number once", async () => {
    await using app = await openSummer(engine);
    const { figures } = app.services;
    await Promise.all([figures.countDays(), figures.countDays()]);
    const rows = await app.db.selectFrom("dailyCounts").select("day").execute();
    expect(rows).toHaveLength(60 * 5);
  });
});

test("a counter that fails leaves its day for the next run", async () => {
  await using app = await openSummer("sqlite");
  let isBroken = true;
  const count = async () => {
    if (isBroken) throw new Error("The line is down");
    return 7;
  };
  const figures = createFigures({ ...app.ctx, counters: { "sign-ups": count } });
  await expect(figures.countDays()).rejects.toThrow("The line is down");
  isBroken = false;
  expect(await figures.countDays()).toBe(60);
  expect((await figures.list({ unit: "day", count: 2 }))[0]).toMatchObject({
    measure: "sign-ups",
    days: [{ value: 7 }, {}],
    today: 7,
  });
});

test("where a provider counts members and orders, only plays and searches are listed, without a value at first", async () => {
  await using app = await openSummer("sqlite");
  const figures = createFigures({ ...app.ctx, counters: {} });
  expect(await figures.countDays()).toBe(0);
  const listed = await figures.list({ unit: "day", count: 30 });
  expect(listed.map(({ measure }) => measure)).toEqual([
    "plays-watch",
    "plays-listen",
    "plays-read",
    "plays-learn",
    "searches",
  ]);
  expect(listed.flatMap(({ days }) => days.filter(({ value }) => value !== undefined))).toEqual([]);
});

async function openWithCounts(counts: [day: string, measure: Measure, value: number][]) {
  const app = await openApp({ clock: createTestClock("2026-11-26T12:00:00.000Z") });
  const rows = counts.map(([day, measure, value]) => ({ day, measure, value }));
  await app.db.insertInto("dailyCounts").values(rows).execute();
  return app;
}

test("each span has the same days of the time before beside it, if all of them were counted", async () => {
  await using app = await openWithCounts([
    // Two days that count today, and their counterparts two weeks earlier; the third is of a day that is still to come.
    ["2026-11-23", "sign-ups", 4],
    ["2026-11-24", "sign-ups", 2],
    ["2026-11-09", "sign-ups", 1],
    ["2026-11-10", "sign-ups", 2],
    ["2026-11-12", "sign-ups", 50],
    ["2026-11-16", "sign-ups", 3],
    // A level is compared by its last day alone.
    ["2026-11-23", "members", 20],
    ["2026-11-24", "members", 22],
    ["2026-11-10", "members", 11],
    ["2026-11-01", "plays-watch", 1],
    ["2026-11-23", "plays-watch", 5],
  ]);
  const listed = await app.services.figures.list({ unit: "week", count: 2 });
  const of = (measure: string) => listed.find((each) => each.measure === measure)?.days;
  expect(of("sign-ups"), "3 November was not counted").toEqual([
    { day: "2026-11-16", value: 3, before: undefined },
    { day: "2026-11-23", value: 6, before: 3 },
  ]);
  expect(of("members")?.[1]).toEqual({ day: "2026-11-23", value: 22, before: 11 });
  expect(of("plays-watch"), "quiet days count").toEqual([
    { day: "2026-11-16", value: 0, before: 0 },
    { day: "2026-11-23", value: 5, before: 0 },
  ]);
});

test("weeks begin on Monday and months on their first; sums add up, levels are the last, and a quiet day counts as one", async () => {
  await using app = await openWithCounts([
    ["2026-10-31", "sign-ups", 7],
    ["2026-11-16", "sign-ups", 2],
    ["2026-11-22", "sign-ups", 3],
    ["2026-11-23", "sign-ups", 4],
    ["2026-11-16", "members", 20],
    ["2026-11-22", "members", 18],
    ["2026-11-10", "plays-watch", 5],
    ["2026-11-26", "plays-watch", 1],
  ]);
  const read = async (unit: "week" | "month") => {
    const listed = await app.services.figures.list({ unit, count: 12 });
    const toPairs = (measure: string) =>
      listed
        .find((each) => each.measure === measure)
        ?.days.slice(-3)
        .map(({ day, value }) => [day, value]);
    expect(listed.every(({ days }) => days.length === 12)).toBe(true);
    return [toPairs("sign-ups"), toPairs("members"), toPairs("plays-watch")];
  };
  const weeks = ["2026-11-09", "2026-11-16", "2026-11-23"];
  const toPairs = (days: string[], values: (number | undefined)[]) => days.map((day, index) => [day, values[index]]);
  expect(await read("week")).toEqual([
    toPairs(weeks, [undefined, 5, 4]),
    toPairs(weeks, [undefined, 18, undefined]),
    toPairs(weeks, [5, 0, 1]),
  ]);
  const months = ["2026-09-01", "2026-10-01", "2026-11-01"];
  expect(await read("month")).toEqual([
    toPairs(months, [undefined, 7, 9]),
    toPairs(months, [undefined, undefined, 18]),
    toPairs(months, [undefined, undefined, 6]),
  ]);
});
