import type { Context } from "../../server/context.ts";
import type { Queries } from "../../server/database/database.ts";
import { createKeyedHash } from "../../server/seal.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

export type TestContext = Context & { clock: TestClock; log: QuietLog };

/** What a module works with, over a database of the tests: a clock of the test's own, a log that keeps its lines. */
export function createTestContext(db: Queries, own: Partial<TestContext> = {}): TestContext {
  return {
    db,
    clock: createTestClock(),
    log: createQuietLog(),
    reach: () => undefined,
    keyedHash: (purpose) => createKeyedHash("secret", purpose),
    ...own,
  };
}

/** Does something in a transaction that is rolled back at its end. */
export async function rollBack(db: Queries, work: (trx: Queries) => Promise<unknown>): Promise<void> {
  const end = new Error("rolled back");
  const undone = db.transaction().execute(async (trx) => {
    await work(trx);
    throw end;
  });
  await undone.catch((error: unknown) => {
    if (error !== end) throw error;
  });
}
