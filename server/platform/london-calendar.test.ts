import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { DAY_IN_MS } from "./clock.ts";
import { addMonths } from "./london-calendar.ts";

/** A London wall clock, read by other means than the code under test: "2026-08-31 00:30:00". */
const wallClock = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/London",
  dateStyle: "short",
  timeStyle: "medium",
});

function londonDay(instant: Date): string {
  return wallClock.format(instant).slice(0, 10);
}

describe("the end of a term", () => {
  test.each([
    // In winter.
    ["2026-11-20T03:00:00.000Z", 1, "2026-12-20T03:00:00.000Z"],
    ["2027-01-31T23:59:59.999Z", 1, "2027-02-28T23:59:59.999Z"],
    ["2028-02-29T12:00:00.000Z", 12, "2029-02-28T12:00:00.000Z"],
    ["2096-02-29T12:00:00.000Z", 48, "2100-02-28T12:00:00.000Z"],
    // Winter to summer and back: the same time on the wall, an hour's difference in UTC.
    ["2026-08-31T12:00:00.000Z", 3, "2026-11-30T13:00:00.000Z"],
    ["2027-01-15T12:00:00.000Z", 3, "2027-04-15T11:00:00.000Z"],
    // Half past midnight on the 31st in London is still the 30th in UTC.
    ["2026-08-30T23:30:00.000Z", 1, "2026-09-29T23:30:00.000Z"],
    // Half past midnight on 1 September: the 1st, though it is the 31st in UTC.
    ["2026-08-31T23:30:00.000Z", 1, "2026-09-30T23:30:00.000Z"],
    // A summer's 31st to a winter's 30th, after midnight.
    ["2026-10-30T00:30:00.000Z", 1, "2026-11-30T00:30:00.000Z"],
    // 28 March 2027, 01:00 GMT: the clock goes on to 02:00.
    ["2027-02-28T00:59:59.999Z", 1, "2027-03-28T00:59:59.999Z"],
    ["2027-02-28T01:00:00.000Z", 1, "2027-03-28T01:00:00.000Z"],
    ["2027-02-28T01:30:00.000Z", 1, "2027-03-28T01:30:00.000Z"],
    ["2027-02-28T02:00:00.000Z", 1, "2027-03-28T01:00:00.000Z"],
    // 25 October 2026, 02:00 BST: the clock goes back to 01:00, and the first of two half past ones counts.
    ["2026-09-24T23:59:00.000Z", 1, "2026-10-24T23:59:00.000Z"],
    ["2026-09-25T00:30:00.000Z", 1, "2026-10-25T00:30:00.000Z"],
    ["2026-09-25T01:00:00.000Z", 1, "2026-10-25T02:00:00.000Z"],
    // Bought in either of the two half past ones: half past one.
    ["2026-10-25T00:30:00.000Z", 1, "2026-11-25T01:30:00.000Z"],
    ["2026-10-25T01:30:00.000Z", 1, "2026-11-25T01:30:00.000Z"],
  ])("%s plus %i months is %s", (text, months, end) => {
    const start = new Date(text);
    expect(addMonths(start, months).toISOString()).toBe(end);
    expect(start.toISOString(), "left as it was").toBe(text);
  });
});

const starts = fc.date({
  min: new Date("2020-01-01T00:00:00.000Z"),
  max: new Date("2150-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});
const spans = fc.integer({ min: 0, max: 120 });

describe("whatever the start and the months", () => {
  test("the end is the same local day, or the last one of its month", () => {
    fc.assert(
      fc.property(starts, spans, (start, months) => {
        const [year = 0, month = 0, day = 0] = londonDay(start).split("-").map(Number);
        const lastDay = new Date(Date.UTC(year, month + months, 0));
        lastDay.setUTCDate(Math.min(day, lastDay.getUTCDate()));
        expect(londonDay(addMonths(start, months))).toBe(lastDay.toISOString().slice(0, 10));
      }),
      { numRuns: 2000 },
    );
  });

  test("the end is at the same local time, but for the hour that spring skips", () => {
    fc.assert(
      fc.property(starts, spans, (start, months) => {
        const end = addMonths(start, months);
        const [from, to] = [start, end].map((instant) => wallClock.format(instant).slice(11));
        const isSkipped = from?.startsWith("01:") && to === from.replace("01:", "02:");
        expect(to === from || isSkipped).toBe(true);
        expect(end.getUTCMilliseconds()).toBe(start.getUTCMilliseconds());
      }),
      { numRuns: 2000 },
    );
  });

  test("more months end later, and a later day never ends on an earlier one", () => {
    fc.assert(
      fc.property(starts, spans, fc.nat({ max: 40 * DAY_IN_MS }), (start, months, later) => {
        expect(addMonths(start, months + 1).getTime()).toBeGreaterThan(addMonths(start, months).getTime());
        const ends = [start, new Date(start.getTime() + later)].map((each) => londonDay(addMonths(each, months)));
        expect(ends[0]! <= ends[1]!).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("the hours around every change of the clocks until 2060 are no exception", () => {
    for (let year = 2026; year <= 2060; year += 1) {
      for (const month of [2, 9]) {
        for (let hour = 0; hour < 24 * 7; hour += 0.5) {
          const start = new Date(Date.UTC(year, month, 24, 0, hour * 60));
          const end = addMonths(start, 12);
          expect(londonDay(end).slice(5)).toBe(londonDay(start).slice(5));
        }
      }
    }
  });
});
