import { describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { itemKey, type ItemRef } from "../../content/items/kinds.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { Positions } from "./positions.ts";
import { MOST_PLAYED, POSITIONS_A_MEMBER } from "./progress.ts";

async function openPositions(engine: Engine) {
  const app = await openApp({ engine });
  const countRows = async () => (await app.db.selectFrom("positions").selectAll().execute()).length;
  const [ada, bo] = [await addNamed(app, "Ada"), await addNamed(app, "Bo")];
  return { ...app, positions: app.services.positions, countRows, ada, bo };
}

const film: ItemRef = { kind: "watch", id: 2001 };
const article: ItemRef = { kind: "read", id: 2001 };

const at = (seconds: number, ageInMs = 0) => ({ seconds, duration: 600.5, ageInMs });

describe.each(engines)("positions on %s", (engine) => {
  test("a member goes on where they stopped, and another member begins at the start", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo, clock } = app;
    expect(await positions.note(ada, film, at(61.9))).toEqual({ ok: true, isOn: true });
    expect(await positions.findStart(ada, film)).toBe(61);
    expect(await positions.findStart(bo, film)).toBeUndefined();
    expect(await positions.findStart(ada, article)).toBeUndefined();
    const known = { ...film, state: "started", seconds: 61, duration: 600, observedAt: clock(), finishedAt: undefined };
    expect(await positions.listPlayed(ada)).toEqual([known]);
    expect(await positions.listFor(ada)).toEqual({ isOn: true, items: [known], nights: [] });
  });

  test("the latest observation counts, however late it arrives", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, clock } = app;
    await positions.note(ada, film, at(100));
    clock.advance(MINUTE_IN_MS);
    // A phone that was offline sends what it saw before and after.
    await positions.note(ada, film, at(20, MINUTE_IN_MS + 1));
    expect(await positions.findStart(ada, film)).toBe(100);
    await positions.note(ada, film, at(30, MINUTE_IN_MS - 1));
    expect(await positions.findStart(ada, film)).toBe(30);
  });

  test("a place that was seen before another device's counts as older, however new its device takes it to be", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, clock } = app;
    const seenAt = clock();
    clock.advance(MINUTE_IN_MS);
    await positions.note(ada, film, at(100));
    clock.advance(MINUTE_IN_MS);
    // The clock of a sleeping phone paused, so its position seems to be of this moment.
    await positions.note(ada, film, { ...at(20), seenAt });
    expect(await positions.findStart(ada, film)).toBe(100);
    // A clock ahead of ours makes nothing newer than this moment.
    await positions.note(ada, film, { ...at(30), seenAt: new Date(clock().getTime() + MINUTE_IN_MS) });
    clock.advance(SECOND_IN_MS);
    await positions.note(ada, film, at(40));
    expect(await positions.findStart(ada, film)).toBe(40);
  });

  test("what is finished is not gone on with, and stays finished when it is played again", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, clock } = app;
    await positions.note(ada, film, at(590));
    expect(await positions.findStart(ada, film)).toBeUndefined();
    expect(await positions.listPlayed(ada)).toMatchObject([{ ...film, state: "finished" }]);
    clock.advance(MINUTE_IN_MS);
    await positions.note(ada, film, at(60));
    expect(await positions.findStart(ada, film)).toBe(60);
    expect(await positions.listPlayed(ada)).toMatchObject([{ ...film, state: "started" }]);
    expect(await listMarks(positions, ada, [film])).toEqual({ "watch-2001": "finished" });
  });

  test("opening an item marks it, and neither enters the row nor takes away a place in it", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo } = app;
    const webinar: ItemRef = { kind: "learn", id: 2001 };
    await positions.note(ada, film, at(60));
    for (const item of [film, article]) await positions.noteOpened(ada, item);
    await positions.noteOpened(ada, article);
    expect(await listMarks(positions, ada, [film, article, webinar])).toEqual({
      "watch-2001": "started",
      "read-2001": "opened",
    });
    expect(await listMarks(positions, ada, [article])).toEqual({ "read-2001": "opened" });
    expect(await listMarks(positions, ada, [])).toEqual({});
    expect(await listMarks(positions, bo, [film, article])).toEqual({});
    expect((await positions.listPlayed(ada)).map(({ kind }) => kind)).toEqual(["watch"]);
  });

  test("of those played the latest come first, and so many at most", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, clock } = app;
    const ids = Array.from({ length: MOST_PLAYED + 1 }, (_, index) => index + 1);
    for (const id of [...ids, 1]) {
      await positions.note(ada, { kind: "watch", id }, at(60));
      clock.advance(SECOND_IN_MS);
    }
    const played = await positions.listPlayed(ada);
    expect(played.map(({ id }) => id)).toEqual([1, ...ids.slice(2).toReversed()]);
    await positions.nights.note(ada, [{ topic: "menopause", ...film, state: "skipped" }]);
    expect(await positions.listBegun(ada)).toEqual({ played, nights: await positions.nights.list(ada) });
  });

  test("nights are opened or skipped by topic, opened stays, and beginning again forgets those of one topic", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo } = app;
    const [first, second] = [
      { topic: "menopause", ...film },
      { topic: "menopause", ...article },
    ];
    await positions.nights.note(ada, [{ ...first, state: "skipped" }]);
    await positions.nights.note(ada, [{ ...second, state: "opened" }]);
    await positions.nights.note(ada, [{ ...second, state: "skipped" }]);
    await positions.nights.note(ada, [{ ...film, topic: "snoring", state: "opened" }]);
    expect(await positions.nights.listMarks(ada, "menopause")).toEqual({
      "watch-2001": "skipped",
      "read-2001": "opened",
    });
    await positions.nights.note(ada, [{ ...first, state: "opened" }]);
    expect(await positions.nights.listMarks(ada, "menopause")).toMatchObject({ "watch-2001": "opened" });
    expect(await positions.nights.list(bo)).toEqual([]);
    await positions.nights.forget(ada, "menopause");
    const snoring = { ...film, topic: "snoring", state: "opened" };
    expect(await positions.nights.list(ada)).toEqual([snoring]);
    expect((await positions.listKnownAndNights(ada, [film])).nights).toEqual([snoring]);
    await positions.forgetAll(ada);
    expect((await positions.listFor(ada)).nights).toEqual([]);
  });

  test("one item is forgotten, or all of them", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo } = app;
    for (const item of [film, article, { kind: "watch", id: 2002 } as const]) await positions.note(ada, item, at(60));
    await positions.note(bo, film, at(60));
    await positions.forget(ada, film);
    expect(Object.keys(await listMarks(positions, ada, [film, article]))).toEqual(["read-2001"]);
    await positions.forgetAll(ada);
    expect((await positions.listFor(ada)).items).toEqual([]);
    expect(await positions.findStart(bo, film)).toBe(60);
  });

  test("all that was forgotten comes back, but for what is newer by then", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo } = app;
    await positions.note(ada, film, at(61));
    await positions.noteOpened(ada, article);
    await positions.note(bo, film, at(7));
    await positions.nights.note(ada, [{ topic: "menopause", ...article, state: "skipped" }]);
    const { items, nights } = await positions.listFor(ada);
    const forgotten = await positions.forgetAll(ada);
    expect(forgotten.items).toHaveLength(2);
    expect(forgotten.nights).toEqual(nights);
    expect(await positions.listFor(ada)).toEqual({ isOn: true, items: [], nights: [] });
    expect(await positions.restoreAll(ada, forgotten)).toEqual({ ok: true, isOn: true });
    const back = await positions.listFor(ada);
    expect(new Set(back.items)).toEqual(new Set(items));
    expect(back.nights).toEqual(nights);

    const again = await positions.forgetAll(ada);
    await positions.note(ada, film, at(300));
    await positions.restoreAll(ada, again);
    expect(await positions.findStart(ada, film)).toBe(300);
    expect((await positions.listFor(ada)).items).toHaveLength(2);
    expect(await positions.findStart(bo, film)).toBe(7);
    await positions.switchTo(ada, false);
    expect(await positions.restoreAll(ada, again)).toEqual({ ok: true, isOn: false });
    expect((await positions.listFor(ada)).items).toEqual([]);
  });

  test("off forgets everything and writes nothing, until it is on again", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, countRows } = app;
    expect(await positions.isOn(ada)).toBe(true);
    await positions.note(ada, film, at(60));
    const night = { ...film, topic: "menopause", state: "opened" } as const;
    await positions.nights.note(ada, [night]);
    await positions.switchTo(ada, false);
    expect(await positions.nights.note(ada, [night])).toEqual({ ok: true, isOn: false });
    expect(await positions.nights.list(ada)).toEqual([]);
    expect(await positions.note(ada, film, at(70))).toEqual({ ok: true, isOn: false });
    expect(await positions.noteOpened(ada, article)).toEqual({ ok: true, isOn: false });
    expect([await positions.isOn(ada), await countRows()]).toEqual([false, 0]);
    expect(await positions.listFor(ada)).toEqual({ isOn: false, items: [], nights: [] });
    await positions.switchTo(ada, true);
    await positions.note(ada, film, at(80));
    expect([await positions.isOn(ada), await countRows()]).toEqual([true, 1]);
  });

  test("of positions that arrive while a member switches them off, none stays", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, countRows } = app;
    const notes = Array.from({ length: 30 }, (_, id) => positions.note(ada, { kind: "watch", id: id + 1 }, at(60)));
    await Promise.all([...notes, positions.switchTo(ada, false)]);
    expect(await countRows()).toBe(0);
  });

  test("of fifty positions at once none fails, and the latest counts", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, countRows } = app;
    const ages = Array.from({ length: 50 }, (_, index) => (index * 7) % 50);
    await Promise.all(ages.map((age) => positions.note(ada, film, at(100 - age, age))));
    expect([await positions.findStart(ada, film), await countRows()]).toEqual([100, 1]);
  });

  test("more is sent than devices do, so it is refused until the window ends", async () => {
    await using app = await openPositions(engine);
    const { positions, ada, bo, clock } = app;
    for (let sent = 0; sent < 320; sent += 1)
      expect(await positions.note(ada, film, at(60))).toMatchObject({ ok: true });
    const refusal = { ok: false, reason: "too-many-attempts", waitInMs: 10 * MINUTE_IN_MS };
    expect(await positions.note(ada, film, at(70))).toEqual(refusal);
    expect(await positions.note(bo, film, at(70))).toMatchObject({ ok: true });
    clock.advance(10 * MINUTE_IN_MS);
    expect(await positions.note(ada, film, at(70))).toMatchObject({ ok: true });
  });
});

test("of a member the newest two hundred are known, and of another nothing is lost", async () => {
  await using app = await openPositions("sqlite");
  const { positions, ada, bo, clock, countRows } = app;
  await positions.note(bo, film, at(60));
  for (let id = 1; id <= POSITIONS_A_MEMBER + 2; id += 1) {
    clock.advance(MINUTE_IN_MS);
    await positions.note(ada, { kind: "watch", id }, at(60));
  }
  expect(await countRows()).toBe(POSITIONS_A_MEMBER + 1);
  const ids = [1, 2, 3].map((id): ItemRef => ({ kind: "watch", id }));
  expect(await listMarks(positions, ada, ids)).toEqual({ "watch-3": "started" });
  expect(await positions.findStart(bo, film)).toBe(60);
});

test("what comes back counts among the newest two hundred", async () => {
  await using app = await openPositions("sqlite");
  const { positions, ada, clock } = app;
  const open = async (from: number, count: number) => {
    for (let id = from; id < from + count; id += 1) {
      clock.advance(1);
      await positions.noteOpened(ada, { kind: "read", id });
      if (id % 100 === 0) clock.advance(60 * MINUTE_IN_MS);
    }
  };
  await open(1, POSITIONS_A_MEMBER);
  const forgotten = await positions.forgetAll(ada);
  clock.advance(60 * MINUTE_IN_MS);
  await open(1001, 5);
  await positions.restoreAll(ada, forgotten);
  const ids = (await positions.listFor(ada)).items.map(({ id }) => id);
  expect(ids).toHaveLength(POSITIONS_A_MEMBER);
  expect(ids).toEqual(expect.arrayContaining([1001, 1005, 6, POSITIONS_A_MEMBER]));
  expect(ids).not.toContain(5);
});

/** By item, whether it was opened, begun or finished. */
async function listMarks(positions: Positions, memberId: number, items: ItemRef[]) {
  const { items: known } = await positions.listKnownAndNights(memberId, items);
  return Object.fromEntries(known.map((each) => [itemKey(each), each.finishedAt ? "finished" : each.state]));
}
