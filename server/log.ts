import { pino } from "pino";

/** What the services and the host may say: a plain event and its facts, never personal data. */
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
