import { expect, test } from "vitest";

import {
  choices,
  darknessAt,
  describeTimer,
  keepPace,
  msLeft,
  offerChoices,
  parseChoice,
  volumeAt,
} from "./sleep-time.ts";

const MINUTE = 60_000;
const night = Date.parse("2026-11-24T03:00:00Z");

test("a choice of minutes ends by the clock, however seldom it is asked", () => {
  const timer = { choice: 20, setAt: night } as const;
  const left = (minutes: number) => msLeft(timer, { now: night + minutes * MINUTE, toEnd: 5 });
  expect([0, 5, 19.5, 20, 300].map(left)).toEqual([20, 15, 0.5, 0, -280].map((minutes) => minutes * MINUTE));
});

test("a timer waits while nothing plays, for hours if need be, and goes on with what it had left", () => {
  const toEnd = Infinity;
  const at = (minutes: number) => night + minutes * MINUTE;
  const set = { choice: 20, setAt: night } as const;
  expect(keepPace(set, true, at(5))).toBe(set);
  const waiting = keepPace(set, false, at(5));
  expect(keepPace(waiting, false, at(30))).toBe(waiting);
  expect(msLeft(waiting, { now: at(300), toEnd })).toBe(15 * MINUTE);
  const playing = keepPace(waiting, true, at(300));
  expect(msLeft(playing, { now: at(300), toEnd })).toBe(15 * MINUTE);
  expect(msLeft(playing, { now: at(315), toEnd })).toBe(0);
});

test("the end of an item is as far away as the item says", () => {
  const timer = { choice: "end", setAt: night } as const;
  expect(msLeft(timer, { now: night + 90 * MINUTE, toEnd: 12_000 })).toBe(12_000);
  expect(msLeft(timer, { now: night, toEnd: Infinity })).toBe(Infinity);
});

test("sound and light fade over the last half minute, and stay gone", () => {
  expect([Infinity, MINUTE, 30_000, 15_000, 0, -1].map(volumeAt)).toEqual([1, 1, 1, 0.25, 0, 0]);
  expect([Infinity, MINUTE, 30_000, 15_000, 0, -1].map(darknessAt)).toEqual([0, 0, 0, 0.5, 1, 1]);
});

test("the last choice is offered first, half an hour before there was any, and nothing twice", () => {
  expect(offerChoices(undefined)).toEqual([30, 10, 20, 45, 60, "end"]);
  expect(offerChoices("end")).toEqual(["end", 10, 20, 30, 45, 60]);
});

test("what was stored is a choice or nothing", () => {
  expect(choices.map((choice) => parseChoice(String(choice)))).toEqual(choices);
  for (const odd of [null, "", "15", "10 ", "constructor"]) expect(parseChoice(odd)).toBeUndefined();
});

test("a sentence says what will happen", () => {
  expect(describeTimer(20, "sound")).toBe("Sound fades out at the end of 20 minutes.");
  expect(describeTimer("end", "film")).toBe("The film fades out at the end of this item.");
  expect(describeTimer(60, "frame")).toBe("The player closes at the end of 60 minutes.");
});
