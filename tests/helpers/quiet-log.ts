import type { Log } from "../../server/platform/log.ts";

/** Stores its lines for tests. */
export type QuietLog = Log & { lines: { level: keyof Log; event: string; facts: object }[] };

export function createQuietLog(): QuietLog {
  const lines: QuietLog["lines"] = [];
  const write = (level: keyof Log) => (facts: object, event: string) => void lines.push({ level, event, facts });
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}
