import { expect, test } from "vitest";

import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { layOutTerms } from "./merged-terms.ts";
import { findCover } from "./cover.ts";

const now = new Date("2026-11-20T03:00:00.000Z");
const day = (count: number) => after(now, count * DAY_IN_MS);
type Term = { id: number; startsAt: Date; endsAt: Date; revokedAt: Date | undefined };
const term = (id: number, from: number, to: number): Term => ({
  id,
  startsAt: day(from),
  endsAt: day(to),
  revokedAt: undefined,
});

function merge(kept: Term[], gone: Term[]): [id: number, from: number, to: number][] {
  const toDays = (instant: Date) => (instant.getTime() - now.getTime()) / DAY_IN_MS;
  return layOutTerms(kept, gone, now).map(({ id, startsAt, endsAt }) => [id, toDays(startsAt), toDays(endsAt)]);
}

test("a running term waits for the other account's, with what is left of it", () => {
  expect(merge([term(1, -10, 20)], [term(2, -100, 5)])).toEqual([[2, 20, 25]]);
});

test("what begins first stays, whichever account has it, so that there is no gap now", () => {
  expect(merge([term(1, 10, 40)], [term(2, -5, 60)])).toEqual([[1, 60, 90]]);
});

test("terms that do not meet, have ended or were revoked stay where they are", () => {
  expect(
    merge(
      [term(1, -10, 20), term(2, 20, 50)],
      [term(3, 50, 80), term(4, -90, -1), { ...term(5, 0, 30), revokedAt: now }],
    ),
  ).toEqual([]);
});

test("the renewal of the account that stays does not move for the other, whose terms follow it", () => {
  expect(merge([term(1, -10, 20), term(2, 20, 50)], [term(3, -5, 10), term(4, 10, 40)])).toEqual([
    [3, 50, 60],
    [4, 60, 90],
  ]);
});

test("no day is lost and none counts twice, however the terms lie", () => {
  const random = (seed: number) => () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = random(seed);
    let id = 0;
    const account = (): Term[] => {
      let from = Math.floor(next() * 40) - 20;
      return Array.from({ length: 1 + Math.floor(next() * 3) }, () => {
        const to = from + 1 + Math.floor(next() * 30);
        const made = term((id += 1), from, to);
        from = to + (next() < 0.3 ? Math.floor(next() * 10) : 0);
        return made;
      });
    };
    const [kept, gone] = [account(), account()];
    const moved = new Map(layOutTerms(kept, gone, now).map((each) => [each.id, each]));
    const all = [...kept, ...gone].map((each) => Object.assign({}, each, moved.get(each.id)));
    const left = (terms: Term[]) =>
      terms.reduce(
        (sum, { startsAt, endsAt }) =>
          sum + Math.max(0, endsAt.getTime() - Math.max(startsAt.getTime(), now.getTime())) / DAY_IN_MS,
        0,
      );
    expect(left(all), `seed ${seed}`).toBe(left([...kept, ...gone]));
    const live = all
      .filter(({ endsAt }) => endsAt > now)
      .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
    for (const [index, each] of live.entries()) {
      const before = live[index - 1];
      if (before) expect(each.startsAt >= before.endsAt, `seed ${seed}`).toBe(true);
    }
    const hadAccess = [kept, gone].some((terms) => findCover(terms, now).state === "active");
    if (hadAccess) expect(findCover(all, now).state, `seed ${seed}`).toBe("active");
  }
});
