import { describe, expect, test } from "vitest";

import { openApp, type App } from "../../../../tests/helpers/app.ts";
import { engines } from "../../../../tests/helpers/databases.ts";
import { insertMembers } from "../../../../tests/helpers/member-rows.ts";
import { createTestClock } from "../../../../tests/helpers/test-clock.ts";
import { insertCompany } from "../companies.ts";
import type { Engine } from "../../../platform/database/database.ts";
import { buildCompanyView, type CountedMonth, GROUP, toFives } from "./company-view.ts";

/** Noon on the tenth of three months, and the hour after the end of each in London. */
const months = [
  { name: "2026-09", during: "2026-09-10T12:00:00.000Z", after: "2026-09-30T23:30:00.000Z" },
  { name: "2026-10", during: "2026-10-10T12:00:00.000Z", after: "2026-11-01T00:30:00.000Z" },
  { name: "2026-11", during: "2026-11-10T12:00:00.000Z", after: "2026-12-01T00:30:00.000Z" },
];

/** The month in which a person joins, and the one from which on they are gone; 3 if they stay. */
type Person = { joins: number; leaves: number };

const lives: Person[] = [0, 1, 2].flatMap((joins) =>
  [0, 1, 2, 3].filter((leaves) => leaves >= joins).map((leaves) => ({ joins, leaves })),
);

/** Every group of so many people; their order does not matter. */
function listGroups(size: number, from = 0): Person[][] {
  if (size === 0) return [[]];
  return lives
    .slice(from)
    .flatMap((life, index) => listGroups(size - 1, from + index).map((others) => [life].concat(others)));
}

async function openMonths(engine: Engine): Promise<App> {
  return openApp({ engine, clock: createTestClock("2026-09-01T12:00:00.000Z") });
}

/** Adds companies with a code each, lets each group join and leave, and counts after each month. */
async function live(app: App, groups: Person[][]): Promise<Map<number, CountedMonth[]>> {
  const companies = await addCompanies(app, groups);
  const people = groups.flatMap((group, index) =>
    group.map((life) => ({ ...life, codeId: companies[index]?.codeId ?? 0 })),
  );
  const members = await insertMembers(
    app,
    people.map(() => ({})),
  );
  const seated = people.map((person, index) => Object.assign(person, { memberId: members[index] ?? 0 }));
  for (const [index, { during, after }] of months.entries()) {
    app.clock.advance(Date.parse(during) - app.clock().getTime());
    const comers = seated.filter(({ joins }) => joins === index);
    await inBatches(comers, (batch) =>
      app.db
        .insertInto("seats")
        .values(batch.map(({ memberId, codeId }) => ({ memberId, codeId, takenAt: new Date(during) })))
        .execute(),
    );
    const leavers = seated.filter(({ leaves }) => leaves === index);
    await inBatches(leavers, (batch) =>
      app.db
        .deleteFrom("seats")
        .where(
          "memberId",
          "in",
          batch.map(({ memberId }) => memberId),
        )
        .execute(),
    );
    app.clock.advance(Date.parse(after) - app.clock().getTime());
    await app.services.jobs.run("count-company-months");
  }
  return readMonths(
    app,
    companies.map(({ id }) => id),
  );
}

async function addCompanies({ db, clock }: App, groups: Person[][]): Promise<{ id: number; codeId: number }[]> {
  const made: { id: number; codeId: number }[] = [];
  const now = clock();
  await db.transaction().execute(async (trx) => {
    for (const [index] of groups.entries()) {
      const terms = { contactEmail: "hr@x.example", accounts: 50, priceInPence: 100, now };
      const id = await insertCompany(trx, { name: `Firm ${index}`, ...terms });
      const code = await trx
        .insertInto("codes")
        .values({
          code: `FIRM-${index}`,
          codeKey: `FIRM-${index}`,
          companyId: id ?? 0,
          products: "117",
          seats: 50,
          seatsTaken: 0,
          startsAt: now,
          createdAt: now,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      made.push({ id: id ?? 0, codeId: code.id });
    }
  });
  return made;
}

async function inBatches<Row>(rows: Row[], work: (batch: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += 500) await work(rows.slice(start, start + 500));
}

async function readMonths({ db }: App, companyIds: number[]): Promise<Map<number, CountedMonth[]>> {
  const all = new Map<number, CountedMonth[]>(companyIds.map((id) => [id, []]));
  const rows = await db.selectFrom("companyMonths").selectAll().orderBy("month").execute();
  for (const row of rows) {
    all.get(row.companyId)?.push({ month: row.month, joined: row.joined, seatsTaken: row.seatsTaken });
  }
  return all;
}

/** Every figure of a company's months, and the sums and differences of each two. */
function listCounts(counted: CountedMonth[]): number[] {
  const figures = counted.flatMap(({ joined, seatsTaken }) => [joined, seatsTaken]);
  const pairs = figures.flatMap((one, index) => figures.slice(index + 1).map((other) => [one, other] as const));
  return [...figures, ...pairs.flatMap(([one, other]) => [one + other, Math.abs(one - other)])];
}

const isAboutFewerThanFive = (figure: number) => figure > 0 && figure < GROUP;

describe.each(engines)("what is counted on %s", (engine) => {
  test("tells nothing of fewer than five, over every history of one to six people in three months", async () => {
    await using app = await openMonths(engine);
    const groups = [1, 2, 3, 4, 5, 6].flatMap((size) => listGroups(size));
    expect(groups).toHaveLength(5004);
    const counted = await live(app, groups);
    const counts = [...counted.values()];
    expect(counts.every((each) => each.length === months.length)).toBe(true);
    expect(counts.flatMap(listCounts).filter(isAboutFewerThanFive)).toEqual([]);
    // Something was counted: five and more are shown, and fewer than five people leave no trace.
    expect(counts.flatMap(listCounts)).toContain(GROUP);
    const small = counts.slice(
      0,
      groups.findIndex((group) => group.length === GROUP),
    );
    expect(small.flatMap(listCounts).every((figure) => figure === 0)).toBe(true);
  }, 120_000);

  test("one person more or less inside a five changes nothing, whichever month they come or go", async () => {
    await using app = await openMonths(engine);
    const stays = { joins: 0, leaves: 3 };
    const five = Array.from({ length: 5 }, () => stays);
    const ten = [...five, ...five];
    const counted = [
      ...(
        await live(app, [
          five,
          ten,
          ...lives.flatMap((life) => [
            [...five, life],
            [...ten, life, life],
          ]),
        ])
      ).values(),
    ];
    const [ofFive, ofTen, ...others] = counted;
    expect(ofFive).toEqual(
      months.map(({ name }, index) => ({ month: name, joined: index === 0 ? 5 : 0, seatsTaken: 5 })),
    );
    for (const [index, each] of others.entries()) expect(each).toEqual(index % 2 === 0 ? ofFive : ofTen);
  });

  test("is counted once, after the month's end in London, and stays although people leave or a clock goes back", async () => {
    await using app = await openMonths(engine);
    await live(app, [[]]);
    const { jobs, companies, companyPage } = app.services;
    const [found] = await companies.list();
    const before = await companyPage.findView(found?.id ?? 0);
    expect(before?.months.map(({ month }) => month)).toEqual(["2026-11", "2026-10", "2026-09"]);
    await app.db.updateTable("companyMonths").set({ joined: 45 }).where("month", "=", "2026-11").execute();
    await jobs.run("count-company-months");
    app.clock.advance(-20 * 24 * 60 * 60 * 1000);
    await jobs.run("count-company-months");
    expect((await companyPage.findView(found?.id ?? 0))?.months[0]).toMatchObject({ month: "2026-11", joined: 45 });
  });
});

test("before midnight in London the month has not ended, whatever UTC says", async () => {
  await using app = await openApp({ clock: createTestClock("2026-09-10T12:00:00.000Z") });
  await addCompanies(app, [[]]);
  const countAt = async (instant: string) => {
    app.clock.advance(Date.parse(instant) - app.clock().getTime());
    return app.services.companyPage.countMonths();
  };
  expect(await countAt("2026-09-30T22:59:59.000Z"), "the month before, in which there was no company").toBe(0);
  expect(await countAt("2026-09-30T23:00:00.000Z"), "midnight in summer time").toBe(1);
  expect(await countAt("2026-10-31T23:59:59.000Z")).toBe(0);
  expect(await countAt("2026-11-01T00:00:00.000Z"), "midnight in winter time").toBe(1);
});

test("rounds down to fives", () => {
  expect([0, 1, 4, 5, 9, 10, 1004].map(toFives)).toEqual([0, 0, 0, 5, 5, 10, 1000]);
});

test("the view is the contract and the counted months, with the latest first, and nothing else", () => {
  const contract = {
    companyId: 1,
    name: "Pillow Works",
    accounts: 50,
    priceInPence: 150_000,
    next: undefined,
    state: "live" as const,
    graceEndsAt: undefined,
    code: "PILLOW",
    codeFault: undefined,
    collections: [],
  };
  const counted = ["2026-10", "2026-11"].map((month) => ({ month, joined: 5, seatsTaken: 10 }));
  expect(buildCompanyView(contract, counted)).toEqual({ ...contract, months: counted.toReversed() });
});
