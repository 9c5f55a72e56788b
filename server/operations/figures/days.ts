import { after, DAY_IN_MS, type Span } from "../../platform/clock.ts";
import { fromWall } from "../../platform/london-calendar.ts";

/** Days in London, as text: `2026-11-20`. */

export function shiftDay(day: string, days: number): string {
  return after(toWall(day), days * DAY_IN_MS)
    .toISOString()
    .slice(0, 10);
}

export function findMonday(day: string): string {
  return shiftDay(day, -((toWall(day).getUTCDay() + 6) % 7));
}

/** 23 or 25 hours where the clocks change. */
export function toSpan(day: string): Span {
  return { from: fromWall(toWall(day)), to: fromWall(toWall(shiftDay(day, 1))) };
}

export function listDays(first: string, end: string): string[] {
  const days: string[] = [];
  for (let day = first; day < end; day = shiftDay(day, 1)) days.push(day);
  return days;
}

/** Midnight by the wall clock, as `fromWall` takes it. */
function toWall(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
