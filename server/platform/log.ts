import { pino } from "pino";

import { after, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "./clock.ts";

/** A plain event and its facts, never personal data. */
export type Log = {
  info(facts: object, event: string): void;
  warn(facts: object, event: string): void;
  error(facts: object, event: string): void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** Writes one JSON line an event to stdout. `error` may be any thrown value. */
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

/** By then a restart of a database or a CMS is over, and `/readyz` may answer 503 as long. */
const LASTING_AFTER_IN_MS = 2 * MINUTE_IN_MS;

type LastingFaultOptions = { log: Log; clock: Clock; lastingAfterInMs?: number };

/**
 * A fault that usually recovers: `warn` when it begins, `error` once after `lastingAfterInMs`, and a line when it ends.
 */
export class LastingFault {
  readonly #options: Required<LastingFaultOptions>;
  #current: { since: Date; isLasting: boolean } | undefined;

  constructor(options: LastingFaultOptions) {
    this.#options = { lastingAfterInMs: LASTING_AFTER_IN_MS, ...options };
  }

  note(facts: object, event: string): void {
    const { log, clock, lastingAfterInMs } = this.#options;
    if (!this.#current) {
      this.#current = { since: clock(), isLasting: false };
      log.warn(facts, event);
      return;
    }
    if (this.#current.isLasting || clock() < after(this.#current.since, lastingAfterInMs)) return;
    this.#current.isLasting = true;
    log.error({ ...facts, seconds: this.#seconds(this.#current.since) }, `${event}, and it has lasted`);
  }

  /** Logs `event` only if the fault was there. */
  end(facts: object, event: string): void {
    if (!this.#current) return;
    const { since, isLasting } = this.#current;
    this.#current = undefined;
    this.#options.log[isLasting ? "warn" : "info"]({ ...facts, seconds: this.#seconds(since) }, event);
  }

  #seconds(since: Date): number {
    return Math.round((this.#options.clock().getTime() - since.getTime()) / SECOND_IN_MS);
  }
}
