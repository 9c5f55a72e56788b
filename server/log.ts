import { pino } from "pino";

import { after, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "./clock.ts";

/** What services and the HTTP server may log: a plain event and its facts, never personal data. */
export type Log = {
  info(facts: object, event: string): void;
  warn(facts: object, event: string): void;
  error(facts: object, event: string): void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** Writes one JSON line an event to stdout. A fact called `error` may be anything that was thrown. */
export function createLog(level: (typeof logLevels)[number]): Log {
  return pino({
    level,
    base: null,
    messageKey: "event",
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      error: (error: unknown) => (error instanceof Error ? (error.stack ?? String(error)) : String(error)),
    },
  });
}

/** Logs a fault that usually mends itself: when it begins, once when it has lasted, and when it is over. */
export type LastingFault = {
  /** It is there, or there still. */
  note(facts: object, event: string): void;
  /** It is not there; `event` is logged if it was. */
  end(facts: object, event: string): void;
};

/** A restart of a database or a CMS is over by then, and `/readyz` may say 503 as long. */
const LASTING_AFTER_IN_MS = 2 * MINUTE_IN_MS;

/** Begins at level 40 (`warn`) and is at 50 (`error`) once, when it has lasted for `lastingAfterInMs`. */
export function createLastingFault({
  log,
  clock,
  lastingAfterInMs = LASTING_AFTER_IN_MS,
}: {
  log: Log;
  clock: Clock;
  lastingAfterInMs?: number;
}): LastingFault {
  let fault: { since: Date; isLasting: boolean } | undefined;
  const secondsSince = (since: Date) => Math.round((clock().getTime() - since.getTime()) / SECOND_IN_MS);

  return {
    note(facts, event) {
      if (!fault) {
        fault = { since: clock(), isLasting: false };
        log.warn(facts, event);
        return;
      }
      if (fault.isLasting || clock() < after(fault.since, lastingAfterInMs)) return;
      fault = { ...fault, isLasting: true };
      log.error({ ...facts, seconds: secondsSince(fault.since) }, `${event}, and it has lasted`);
    },
    end(facts, event) {
      if (!fault) return;
      const { since, isLasting } = fault;
      fault = undefined;
      const all = { ...facts, seconds: secondsSince(since) };
      if (isLasting) log.warn(all, event);
      else log.info(all, event);
    },
  };
}
