import { after, DAY_IN_MS } from "../clock.ts";
import { fromWall } from "../membership/plans.ts";

/** Days and sums as operators type them, in commands and at the desk. */

/** The first or the last millisecond in London of a day such as 31/01/2027 or 2027-01-31. */
export function parseDay(text: string, edge: "first" | "last"): Date | undefined {
  const midnight = toMidnight(text);
  if (!midnight || edge === "first") return midnight && fromWall(midnight);
  return after(fromWall(after(midnight, DAY_IN_MS)), -1);
}

function toMidnight(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [, ukDay, ukMonth, ukYear] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const numbers = [year ?? ukYear, month ?? ukMonth, day ?? ukDay].map(Number) as [number, number, number];
  const midnight = new Date(Date.UTC(numbers[0], numbers[1] - 1, numbers[2]));
  // The 31st of February is the 3rd of March to a computer.
  const isDay = midnight.getUTCMonth() === numbers[1] - 1 && midnight.getUTCFullYear() === numbers[0];
  return isDay ? midnight : undefined;
}

/** Pounds as people write them, in pence. Pounds and pence are read apart, because 0.29 times 100 is 28.999999999999996. */
export function parsePence(text: string): number | undefined {
  const [, pounds, pence = "00"] = /^£?(\d{1,7})(?:\.(\d{2}))?$/.exec(text) ?? [];
  return pounds === undefined ? undefined : Number(pounds) * 100 + Number(pence);
}
