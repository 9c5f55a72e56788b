import { describe, expect, test } from "vitest";

import { addMember, addNamed, type App, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { toStoredTerm } from "./empty-searches.ts";

const START = "2026-11-20T03:00:00.000Z";
const openNight = (engine: (typeof engines)[number] = "sqlite") => openApp({ engine, clock: createTestClock(START) });

const nothing = { watch: 0, read: 0, learn: 0 };

function search({ services }: App, memberIds: number[], term: string): void {
  for (const memberId of memberIds) services.emptySearches.note(memberId, { term, page: 1, counts: nothing });
}

async function addMembers(app: App, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await addNamed(app, `M${index}`));
  return ids;
}

const listRows = ({ db }: App) => db.selectFrom("emptySearches").selectAll().execute();

describe.each(engines)("searches without a result on %s", (engine) => {
  test("are read out once five members searched for them: four are not enough", async () => {
    await using app = await openNight(engine);
    const { emptySearches } = app.services;
    const ids = await addMembers(app, 6);
    search(app, ids.slice(0, 4), "Moon  milk");
    expect(await listRows(app), "a page writes nothing").toEqual([]);
    expect(await emptySearches.write()).toBe(4);
    expect(await emptySearches.listFrequent()).toEqual([]);
    search(app, ids.slice(4, 5), " moon MILK");
    await emptySearches.write();
    expect(await emptySearches.listFrequent()).toEqual([{ term: "moon milk", atLeast: 5 }]);
    search(app, ids.slice(5), "moon milk");
    await emptySearches.write();
    expect(await emptySearches.listFrequent(), "the sixth is not to be seen").toEqual([
      { term: "moon milk", atLeast: 5 },
    ]);
  });

  test("a member who searches five times counts once, also over two months", async () => {
    await using app = await openNight(engine);
    const { emptySearches } = app.services;
    const [ada = 0, ...others] = await addMembers(app, 3);
    for (let time = 0; time < 5; time += 1) {
      search(app, [ada], "moon milk");
      await emptySearches.write();
    }
    expect(await listRows(app)).toHaveLength(1);
    search(app, others, "moon milk");
    await emptySearches.write();
    app.clock.advance(12 * DAY_IN_MS);
    search(app, [ada, ...others], "moon milk");
    await emptySearches.write();
    expect(await listRows(app)).toHaveLength(6);
    expect(await emptySearches.listFrequent()).toEqual([]);
  });

  test("neither the member nor their other searches can be told from a row", async () => {
    await using app = await openNight(engine);
    const [ada = 0] = await addMembers(app, 1);
    search(app, [ada], "moon milk");
    search(app, [ada], "owl choir");
    await app.services.emptySearches.write();
    app.clock.advance(12 * DAY_IN_MS);
    search(app, [ada], "moon milk");
    await app.services.emptySearches.write();
    const rows = await listRows(app);
    expect(new Set(rows.map(({ searcher }) => searcher)).size).toBe(3);
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(["month", "searcher", "term"]);
  });

  test("are forgotten within ninety days", async () => {
    await using app = await openNight(engine);
    const { emptySearches } = app.services;
    const ids = await addMembers(app, 5);
    search(app, ids, "moon milk");
    await emptySearches.write();
    app.clock.advance(70 * DAY_IN_MS);
    expect(await emptySearches.purge()).toBe(0);
    expect(await emptySearches.listFrequent()).toHaveLength(1);
    // 18 February: 20 November is ninety days ago.
    app.clock.advance(20 * DAY_IN_MS);
    expect(await emptySearches.listFrequent()).toEqual([]);
    expect(await emptySearches.purge()).toBe(5);
  });

  test("a member's own are exported and erased, those of others stay", async () => {
    await using app = await openNight(engine);
    const { emptySearches, personalData } = app.services;
    const ada = await addMember(app);
    const bo = await addNamed(app, "Bo");
    for (let index = 0; index < 40; index += 1) search(app, [ada.id, bo], `owl choir ${index}`);
    await emptySearches.write();
    app.clock.advance(12 * DAY_IN_MS);
    search(app, [ada.id], "moon milk");
    await emptySearches.write();
    const person = { memberId: ada.id, email: ada.email };
    const exported = (await personalData.gather(person)).emptySearches;
    expect(exported).toHaveLength(41);
    expect(exported).toContainEqual({ month: "2026-12", term: "moon milk" });

    search(app, [ada.id], "too late");
    await personalData.erase(person, "op");
    await emptySearches.write();
    expect(await listRows(app)).toHaveLength(40);
    expect(await emptySearches.listFor(ada.id)).toEqual([]);
    expect(await emptySearches.listFor(bo)).toHaveLength(40);
  });

  test("nothing is written of a member whom another server has erased meanwhile", async () => {
    await using app = await openNight(engine);
    const ada = await addMember(app);
    search(app, [ada.id], "moon milk");
    await app.db.deleteFrom("members").execute();
    expect(await app.services.emptySearches.write()).toBe(0);
    expect(await listRows(app)).toEqual([]);
  });

  test("a member's own are found among more rows than are read at once", async () => {
    await using app = await openNight(engine);
    const ada = await addMember(app);
    for (let part = 0; part < 3; part += 1) {
      const rows = Array.from({ length: 900 }, (_, index) => ({
        month: "2026-11",
        term: `term ${part} ${index % 90}`,
        searcher: `other ${index}`,
      }));
      await app.db.insertInto("emptySearches").values(rows).execute();
    }
    for (const term of ["a first", "term 1 45", "zzz"]) search(app, [ada.id], term);
    await app.services.emptySearches.write();
    const own = await app.services.emptySearches.listFor(ada.id);
    expect(own.map(({ term }) => term).toSorted()).toEqual(["a first", "term 1 45", "zzz"]);
  });
});

describe("what is noted", () => {
  test("only a first page on which nothing was found", async () => {
    await using app = await openNight();
    const { emptySearches } = app.services;
    const ada = await addMember(app);
    emptySearches.note(ada.id, { term: "found", page: 1, counts: { ...nothing, learn: 1 } });
    emptySearches.note(ada.id, { term: "further", page: 2, counts: nothing });
    emptySearches.note(ada.id, { term: "  ", page: 1, counts: nothing });
    expect(await emptySearches.write()).toBe(0);
  });

  test("no more than a thousand, and of one member no more than fifty a day", async () => {
    await using app = await openNight();
    const { emptySearches } = app.services;
    const ids = await addMembers(app, 25);
    for (const id of ids) for (let index = 0; index < 60; index += 1) search(app, [id], `term ${index}`);
    expect(await emptySearches.write()).toBe(1000);
    search(app, ids.slice(0, 1), "one more");
    expect(await emptySearches.write()).toBe(0);
    app.clock.advance(DAY_IN_MS);
    search(app, ids.slice(0, 1), "one more");
    expect(await emptySearches.write()).toBe(1);
  });

  test("what could not be written is written later", async () => {
    await using app = await openNight();
    const { jobs, emptySearches } = app.services;
    search(app, await addMembers(app, 2), "moon milk");
    await app.db.schema.alterTable("emptySearches").renameTo("away").execute();
    expect(await jobs.run("note-empty-searches")).toBe("failed");
    await app.db.schema.alterTable("away").renameTo("emptySearches").execute();
    expect(await emptySearches.write()).toBe(2);
  });

  test.each([
    ["  Moon\t MILK ", "moon milk"],
    ["x".repeat(80), "x".repeat(64)],
    ["covid 19", "covid 19"],
    ["3 am", "3 am"],
    ["a\0b\uD800c", "a b c"],
    ["ada@example.org", undefined],
    ["call 0770 0900", undefined],
    ["020-79 (46)", undefined],
    ["born 1984", undefined],
    ["\u200b", undefined],
  ])("%j is kept as %j", (typed, stored) => {
    expect(toStoredTerm(typed)).toBe(stored);
  });
});
