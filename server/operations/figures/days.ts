import { after, DAY_IN_MS, type Span } from "../../platform/clock.ts";
import { fromWall } from "../../platform/london-calendar.ts";

/** Days in London, as text: `2026-11-20`. */

/** The day that is so many days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return after(toWall(day), days * DAY_IN_MS)
    .toISOString()
    .slice(0, 10);
}

/** The Monday of the day's week. */
export function findMonday(day: string): string {
  return shiftDay(day, -((toWall(day).getUTCDay() + 6) % 7));
}

/** From its first instant to that of the next day: 23 or 25 hours where the clocks change. */
export function toSpan(day: string): Span {
  return { from: fromWall(toWall(day)), to: fromWall(toWall(shiftDay(day, 1))) };
}

/** The days from one to before another. */
export function listDays(first: string, end: string): string[] {
  const days: string[] = [];
  for (let day = first; day < end; day = shiftDay(day, 1)) days.push(day);
  return days;
}

/** Midnight by the clock on the wall, as `fromWall` takes it. */
function toWall(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
