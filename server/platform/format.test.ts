import { expect, test } from "vitest";

import { formatDate, formatDay, formatPence, formatPenceInFull, formatRecent, waitText } from "./format.ts";

test.each([
  ["2026-11-20T03:00:00.000Z", "20/11/2026", "20 November 2026"],
  ["2026-01-02T12:00:00.000Z", "02/01/2026", "2 January 2026"],
  // London is an hour ahead of UTC in summer: the day begins earlier there.
  ["2026-06-30T22:59:59.999Z", "30/06/2026", "30 June 2026"],
  ["2026-06-30T23:00:00.000Z", "01/07/2026", "1 July 2026"],
  ["2026-12-31T23:59:59.999Z", "31/12/2026", "31 December 2026"],
])("%s is %s in London", (instant, date, day) => {
  expect([formatDate(new Date(instant)), formatDay(new Date(instant))]).toEqual([date, day]);
});

test.each([
  ["2026-11-20T03:00:00.000Z", "today 03:00"],
  ["2026-11-20T00:00:00.000Z", "today 00:00"],
  ["2026-11-19T23:59:59.999Z", "19/11/2026"],
  ["2026-11-21T00:00:00.000Z", "21/11/2026"],
])("%s, looked at on 20 November 2026, is %s", (instant, text) => {
  expect(formatRecent(new Date(instant), new Date("2026-11-20T23:00:00.000Z"))).toBe(text);
});

test.each([
  [6000, "£60", "£60.00"],
  [1500, "£15", "£15.00"],
  [1250, "£12.50", "£12.50"],
  [1205, "£12.05", "£12.05"],
  [5, "£0.05", "£0.05"],
  [0, "£0", "£0.00"],
  [300_000, "£3,000", "£3,000.00"],
  [1_234_567, "£12,345.67", "£12,345.67"],
])("%i pence are %s in a sentence and %s on a receipt", (pence, inSentence, inFull) => {
  expect(formatPence(pence)).toBe(inSentence);
  expect(formatPenceInFull(pence)).toBe(inFull);
});

test.each([
  [-5, "a second"],
  [0, "a second"],
  [1000, "a second"],
  [1001, "2 seconds"],
  [42_000, "42 seconds"],
  [59_001, "a minute"],
  [60_000, "a minute"],
  [60_001, "2 minutes"],
  [15 * 60_000, "15 minutes"],
])("%i milliseconds are %s", (ms, text) => expect(waitText(ms)).toBe(text));
