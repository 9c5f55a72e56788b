import { pino } from "pino";

/** What the rooms and the host may say: a plain event and its facts, never personal data. */
export type Log = {
  info(facts: object, event: string): void;
  warn(facts: object, event: string): void;
  error(facts: object, event: string): void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** Writes one JSON line an event to stdout. */
export function createLog(level: (typeof logLevels)[number]): Log {
  return pino({ level, base: null, messageKey: "event", timestamp: pino.stdTimeFunctions.isoTime });
}

/** What a log line says of a thrown thing: its name, its message and, for faults, where it came from. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, ...(error.stack && { stack: error.stack }) };
}
