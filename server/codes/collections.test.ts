import { describe, expect, test } from "vitest";

import { nextPeriod, type Collection } from "./collections.ts";

const year = (period: number, day: string): Collection => ({
  period,
  amountInPence: 1,
  state: "paid-out",
  dueAt: new Date(day),
  gatewayId: `dd_${period}`,
});

describe("the years of a company", () => {
  test("the first begins when it becomes live", () => {
    const liveSince = new Date("2026-11-20T03:00:00.000Z");
    expect(nextPeriod([], liveSince)).toEqual({ period: 0, dueAt: liveSince });
  });

  test("the next begins on the same day a year later, without a gap", () => {
    const first = year(0, "2026-11-20T03:00:00.000Z");
    expect(nextPeriod([first], first.dueAt)).toEqual({ period: 1, dueAt: new Date("2027-11-20T03:00:00.000Z") });
  });

  test("a year that began on 29 February is followed by one from the 28th", () => {
    const leap = year(0, "2028-02-29T12:00:00.000Z");
    expect(nextPeriod([leap], leap.dueAt).dueAt).toEqual(new Date("2029-02-28T12:00:00.000Z"));
  });

  test("the time that it was stopped is not charged: the next begins when it is live again", () => {
    const liveSince = new Date("2029-05-01T12:00:00.000Z");
    expect(nextPeriod([year(0, "2026-11-20T03:00:00.000Z")], liveSince)).toEqual({ period: 1, dueAt: liveSince });
  });

  test("what was paid for before a stop is used up first", () => {
    const liveSince = new Date("2027-05-01T12:00:00.000Z");
    expect(nextPeriod([year(0, "2026-11-20T03:00:00.000Z")], liveSince).dueAt).toEqual(
      new Date("2027-11-20T03:00:00.000Z"),
    );
  });
});
