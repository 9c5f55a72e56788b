import { after, DAY_IN_MS } from "../clock.ts";
import { lazy } from "../lazy.ts";

/** The calendar that members live by: terms begin and end by a clock on a wall in London. */
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

/** What the clock shows at an instant, encoded as if it were UTC: a value to calculate with, not an instant. */
export function toWall(instant: Date): Date {
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

/** The first instant at which the clock shows this. A time that it skips in spring is an hour later. */
export function fromWall(wall: Date): Date {
  const byOffsetBefore = after(wall, -offsetAt(after(wall, -DAY_IN_MS)));
  const byOffsetAfter = after(wall, -offsetAt(after(wall, DAY_IN_MS)));
  const shows = (instant: Date) => toWall(instant).getTime() === wall.getTime();
  return [byOffsetBefore, byOffsetAfter].find(shows) ?? byOffsetBefore;
}

/** How far the clock is ahead of UTC, in milliseconds. */
function offsetAt(instant: Date): number {
  return toWall(instant).getTime() - instant.getTime();
}
