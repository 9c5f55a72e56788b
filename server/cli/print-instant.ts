import { lazy } from "../lazy.ts";

const instants = lazy(
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

/** Day and time in London, `20/11/2026 03:00`. */
export function printInstant(instant: Date | undefined): string | undefined {
  return instant && instants().format(instant).replace(",", "");
}
