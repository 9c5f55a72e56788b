import { sql } from "kysely";

import type { Context } from "../../context.ts";
import { toDay } from "../../platform/format.ts";
import type { Tallied } from "./measures.ts";

/**
 * Counts events without their members: in memory, and then in the count of their day by a job. A killed process loses a
 * minute's counts.
 */
export type Tally = ReturnType<typeof createTally>;

export function createTally({ db, clock }: Pick<Context, "db" | "clock">) {
  let counts = new Map<string, { day: string; measure: Tallied; value: number }>();

  function add(measure: Tallied, value = 1, day = toDay(clock())): void {
    const key = `${day} ${measure}`;
    counts.set(key, { day, measure, value: (counts.get(key)?.value ?? 0) + value });
  }

  return {
    add: (measure: Tallied): void => add(measure),

    /** Adds the counts to those of their days; returns how many numbers it wrote. */
    async write(): Promise<number> {
      const rows = [...counts.values()];
      counts = new Map();
      if (rows.length === 0) return 0;
      try {
        await db
          .insertInto("dailyCounts")
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(["day", "measure"]).doUpdateSet({ value: sql`daily_counts.value + excluded.value` }),
          )
          .execute();
      } catch (error) {
        for (const { measure, value, day } of rows) add(measure, value, day);
        throw error;
      }
      return rows.length;
    },
  };
}
