import { after, DAY_IN_MS } from "./clock.ts";
import { toDay } from "./format.ts";
import { lazy } from "./lazy.ts";

/** Terms and months begin and end by London time. A month is text: `2026-11`. */

/**
 * The same day and London time so many months later, or that month's last day (docs/behaviour.md, Plans). A time that
 * the clock change skips is an hour later; of one that comes twice, the first counts.
 */
export function addMonths(start: Date, months: number): Date {
  const wall = toWall(start);
  const end = new Date(wall);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(wall.getUTCDate(), lastDay));
  return fromWall(end);
}

const london = lazy(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/London",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }),
);

/** London time encoded as if it were UTC: for arithmetic, not an instant. */
function toWall(instant: Date): Date {
  const parts = new Map(
    london()
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const day = Date.UTC(read("year"), read("month") - 1, read("day"));
  return new Date(
    day + ((read("hour") * 60 + read("minute")) * 60 + read("second")) * 1000 + instant.getUTCMilliseconds(),
  );
}

/** The first such instant. A time that the clock skips in spring is an hour later. */
export function fromWall(wall: Date): Date {
  const byOffsetBefore = after(wall, -offsetAt(after(wall, -DAY_IN_MS)));
  const byOffsetAfter = after(wall, -offsetAt(after(wall, DAY_IN_MS)));
  const shows = (instant: Date) => toWall(instant).getTime() === wall.getTime();
  return [byOffsetBefore, byOffsetAfter].find(shows) ?? byOffsetBefore;
}

/** How far London is ahead of UTC, in milliseconds. */
function offsetAt(instant: Date): number {
  return toWall(instant).getTime() - instant.getTime();
}

export function toMonth(instant: Date): string {
  return toDay(instant).slice(0, 7);
}

export function toStart(month: string): Date {
  return fromWall(new Date(`${month}-01T00:00:00.000Z`));
}

export function monthBefore(month: string): string {
  return shift(month, -1);
}

export function monthAfter(month: string): string {
  return shift(month, 1);
}

function shift(month: string, by: number): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
