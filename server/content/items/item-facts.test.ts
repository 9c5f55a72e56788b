import { afterEach, expect, test } from "vitest";

import { toDay } from "../../platform/format.ts";
import { dayText } from "./item-facts.ts";

const zone = process.env["TZ"];
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

const days: [day: string, today: string, text: string][] = [
  ["2026-11-20", "2026-11-20", "today"],
  ["2026-11-19", "2026-11-20", "yesterday"],
  ["2026-11-18", "2026-11-20", "18 November"],
  ["2026-01-01", "2026-11-20", "1 January"],
  ["2025-11-20", "2026-11-20", "20 November 2025"],
  ["2025-12-30", "2026-01-01", "30 December 2025"],
  ["2025-12-31", "2026-01-01", "yesterday"],
  ["2028-02-29", "2028-03-01", "yesterday"],
  // Clocks in London go forward on the night before one, and back on the night before the other.
  ["2026-03-28", "2026-03-29", "yesterday"],
  ["2026-10-24", "2026-10-25", "yesterday"],
  ["2026-10-24", "2026-10-26", "24 October"],
  // An item that a CMS has dated ahead.
  ["2026-11-21", "2026-11-20", "21 November"],
  ["2027-01-01", "2026-11-20", "1 January 2027"],
  ["2026-11-20", "", "20 November 2026"],
];

test.each(["UTC", "Europe/London", "Pacific/Auckland", "Pacific/Honolulu", "America/St_Johns"])(
  "days are the same in words where the clock is that of %s",
  (timeZone) => {
    process.env["TZ"] = timeZone;
    expect(days.map(([day, today]) => dayText(day, today))).toEqual(days.map(([, , text]) => text));
  },
);

test.each(["", "soon", "2026-13-01", "2026-00-01", "20 Nov 26", "2026-11-2"])(
  "%j is no day, and stays as it is",
  (text) => expect(dayText(text, "2026-11-20")).toBe(text),
);

// London is an hour ahead of UTC in summer: its days begin at 23:00 there.
test.each([
  ["2026-05-31T22:59:59Z", "today"],
  ["2026-05-31T23:00:00Z", "yesterday"],
  ["2026-06-01T22:59:59Z", "yesterday"],
  ["2026-06-01T23:00:00Z", "31 May"],
])("at %s an item of 31 May is of %j, by the days of London", (now, text) => {
  process.env["TZ"] = "Pacific/Auckland";
  expect(dayText("2026-05-31", toDay(new Date(now)))).toBe(text);
});
