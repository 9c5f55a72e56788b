import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Notice } from "./notices.ts";

/** Seven values a row: far below what a statement may carry on either engine. */
const ROWS_AT_ONCE = 500;

/** Keeps notices, once each, however often they come; answers how many are new. What a fault cuts off is kept up to there. */
export async function keep(
  gateway: string,
  notices: Notice[],
  { db, clock }: { db: Queries; clock: Clock },
): Promise<number> {
  const received_at = clock().toISOString();
  let count = 0;
  for (let start = 0; start < notices.length; start += ROWS_AT_ONCE) {
    const rows = notices.slice(start, start + ROWS_AT_ONCE).map(({ id, kind, subject }) => ({
      gateway,
      notice_id: toText(id),
      kind: toText(kind),
      subject: toText(subject),
      received_at,
      attempts: 0,
    }));
    const kept = await db
      .insertInto("notices")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning("notice_id")
      .execute();
    count += kept.length;
  }
  return count;
}

/** PostgreSQL takes a NUL in no text: one odd notice would lose all that came with it (D10). */
function toText(told: string): string {
  return told.replaceAll("\0", "");
}
