import { expect, test } from "vitest";

import {
  choices,
  type Course,
  darknessAt,
  describeTimer,
  drawPhase,
  keepPace,
  msLeft,
  offerChoices,
  parseChoice,
  passTime,
  type Moment,
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

test("a timer that is set while nothing plays has its whole time, however long ago that was looked at", () => {
  const waiting = keepPace({ choice: 10, setAt: night }, false, night - 5 * MINUTE);
  expect(msLeft(waiting, { now: night + MINUTE, toEnd: Infinity })).toBe(10 * MINUTE);
});

test("the end of an item is as far away as the item says", () => {
  const timer = { choice: "end", setAt: night } as const;
  expect(msLeft(timer, { now: night + 90 * MINUTE, toEnd: 12_000 })).toBe(12_000);
  expect(msLeft(timer, { now: night, toEnd: Infinity })).toBe(Infinity);
});

/** Something that plays since a time, with a timer of ten minutes, and what it is a while later. */
function pass(ms: number, { course = {}, seen = {} }: { course?: Partial<Course>; seen?: Partial<Moment> } = {}) {
  const timer = { choice: 10, setAt: night } as const;
  return passTime(
    { at: night, isPlaying: true, playedMs: 0, heard: 1, timer, ...course },
    { now: night + ms, isPlaying: true, isOver: false, itemLeft: Infinity, loopMs: Infinity, ...seen },
  );
}

test("time passes by the clock: a page that slept for an hour has played it, and its timer is over", () => {
  expect(pass(60 * MINUTE)).toMatchObject({ playedMs: 60 * MINUTE, timerLeft: -50 * MINUTE, isActive: true });
});

test("a pause counts what was played before it, and then nothing; a device that slept may report it late", () => {
  const paused = pass(MINUTE, { seen: { isPlaying: false } });
  expect(paused).toMatchObject({ playedMs: MINUTE, isActive: false, timer: { waitsFrom: night } });
  const later = passTime(paused, {
    now: night + 90 * MINUTE,
    isPlaying: false,
    isOver: false,
    itemLeft: 0,
    loopMs: Infinity,
  });
  expect(later).toMatchObject({ playedMs: MINUTE, timerLeft: 10 * MINUTE });
});

test("a pause at an end is no reason to wait", () => {
  expect(pass(MINUTE, { seen: { isPlaying: false, isOver: true } })).toMatchObject({
    isActive: true,
    timerLeft: 9 * MINUTE,
  });
});

test("a loop ends after its minutes, and so does a timer to the end of the item", () => {
  const end = { choice: "end", setAt: night } as const;
  const seen = { loopMs: 45 * MINUTE };
  expect(pass(MINUTE, { course: { playedMs: 43 * MINUTE, timer: undefined }, seen })).toMatchObject({
    left: MINUTE,
    timerLeft: Infinity,
  });
  expect(pass(MINUTE, { course: { playedMs: 43 * MINUTE, timer: end }, seen }).timerLeft).toBe(MINUTE);
  expect(pass(MINUTE, { course: { timer: end }, seen: { itemLeft: 12_000 } }).timerLeft).toBe(12_000);
});

test("the volume falls with what is left, and comes back within four seconds", () => {
  const late = pass(9.75 * MINUTE);
  expect(late.heard).toBe(0.25);
  const timer = { choice: 10, setAt: late.at } as const;
  const heardAfter = (ms: number) =>
    passTime(
      { ...late, timer },
      { now: late.at + ms, isPlaying: true, isOver: false, itemLeft: Infinity, loopMs: Infinity },
    ).heard;
  expect([0, 1000, 3000, 60_000].map(heardAfter)).toEqual([0.25, 0.5, 1, 1]);
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
  expect(describeTimer(20, "sound")).toBe("Fades out in 20 minutes.");
  expect(describeTimer("end", "film")).toBe("Fades out at the end of this item.");
  expect(describeTimer(60, "frame")).toBe("Closes in 60 minutes.");
});

test.each([
  ["is full", 1, "A9.00 9 0 0 0 12 3Z"],
  ["is three quarters lit", 0.75, "A4.50 9 0 0 0 12 3Z"],
  ["is half", 0.5, "A0.00 9 0 0 1 12 3Z"],
  ["is a sickle", 0.1, "A7.20 9 0 0 1 12 3Z"],
  ["is dark once the time is over", -0.2, "A9.00 9 0 0 1 12 3Z"],
])("the moon of a timer %s", (_, lit, inner) => expect(drawPhase(lit)).toBe(`M12 3A9 9 0 0 0 12 21${inner}`));
