import { expect, test } from "vitest";

import { HOUR_IN_MS } from "../../platform/clock.ts";
import { findMonday, listDays, shiftDay, toSpan } from "./days.ts";

test("days are counted across the ends of months and years", () => {
  expect(shiftDay("2026-12-31", 1)).toBe("2027-01-01");
  expect(shiftDay("2028-03-01", -1)).toBe("2028-02-29");
  expect(listDays("2026-02-27", "2026-03-02")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(listDays("2026-03-02", "2026-03-02")).toEqual([]);
});

test("a day is London's, and has 23 or 25 hours where the clocks change", () => {
  const countHours = (day: string) => (toSpan(day).to.getTime() - toSpan(day).from.getTime()) / HOUR_IN_MS;
  expect(toSpan("2026-07-01").from.toISOString()).toBe("2026-06-30T23:00:00.000Z");
  expect(["2026-03-29", "2026-10-25", "2026-11-20"].map(countHours)).toEqual([23, 25, 24]);
  expect(toSpan("2026-10-25").to).toEqual(toSpan("2026-10-26").from);
});

test("a week begins on Monday, also before its Sunday and over a new year", () => {
  expect(["2026-11-23", "2026-11-26", "2026-11-29"].map(findMonday)).toEqual([
    "2026-11-23",
    "2026-11-23",
    "2026-11-23",
  ]);
  expect(findMonday("2027-01-02")).toBe("2026-12-28");
});
