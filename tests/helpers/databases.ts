import { openDatabase, type Database, type Engine } from "../../server/database/database.ts";
import { giveBack, takeDatabase } from "./recycled-databases.ts";

/** Room tests run on both: `describe.each(engines)`. */
export const engines: Engine[] = ["sqlite", "postgres"];

/** A migrated database without a row, closed at the end of its `await using` block. */
export async function openTestDatabase(engine: Engine): Promise<Database & AsyncDisposable> {
  const url = engine === "postgres" ? await takeDatabase() : "";
  const database = await openDatabase(
    url ? { kind: "postgres", url, poolSize: 10 } : { kind: "sqlite", path: ":memory:" },
  );
  async function close(): Promise<void> {
    await database.close();
    if (url) giveBack(url);
  }
  return { ...database, close, [Symbol.asyncDispose]: close };
}
