import { lazy } from "./lazy.ts";

/** Formatters are made once: making one costs more than using it a hundred times. */

const date = lazy(
  () =>
    new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "Europe/London" }),
);
const day = lazy(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "Europe/London" }),
);
const dateTime = lazy(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      day: "2-digit",
      month: "2-digit",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: "Europe/London",
    }),
);
const pounds = lazy(
  () => new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP", trailingZeroDisplay: "stripIfInteger" }),
);
const poundsAndPence = lazy(() => new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" }));

const choice = lazy(() => new Intl.ListFormat("en-GB", { type: "disjunction" }));
const conjunction = lazy(() => new Intl.ListFormat("en-GB", { type: "conjunction" }));

/** `watch, read or learn`. */
export function formatChoice(words: string[]): string {
  return choice().format(words);
}

/** `video, article and webinar`. */
export function formatList(words: string[]): string {
  return conjunction().format(words);
}

/** In London, dd/MM/yyyy (docs/behaviour.md, Plans). */
export function formatDate(instant: Date): string {
  return date().format(instant);
}

/** In London: `3 March 2027`. */
export function formatDay(instant: Date): string {
  return day().format(instant);
}

/** In London: `20/11/2026 03:00`. */
export function formatDateTime(instant: Date): string {
  return dateTime().format(instant).replace(",", "");
}

/** In London: `today 03:00`, and any other day without its time: `20/11/2026`. */
export function formatRecent(instant: Date, now: Date): string {
  const [shownDay = "", time] = formatDateTime(instant).split(" ");
  return shownDay === formatDate(now) ? `today ${time}` : shownDay;
}

/** In London: `2026-11-20`. */
export function toDay(instant: Date): string {
  return formatDate(instant).split("/").toReversed().join("-");
}

/** `£60`, `£12.50`. */
export function formatPence(pence: number): string {
  return pounds().format(pence / 100);
}

/** `£60.00`. */
export function formatPenceInFull(pence: number): string {
  return poundsAndPence().format(pence / 100);
}

/** Seconds up to a minute, then minutes. Rounds up. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds === 1) return "a second";
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
