import { inject } from "vitest";

import { openDatabase, type Database, type Engine } from "../../server/database/database.ts";
import { createMigratedDatabase } from "./postgres-server.ts";

/** Room tests run on both: `describe.each(engines)`. */
export const engines: Engine[] = ["sqlite", "postgres"];

/** A fresh, migrated database that is closed at the end of its `await using` block. */
export async function openTestDatabase(engine: Engine): Promise<Database & AsyncDisposable> {
  const database = await openDatabase(
    engine === "sqlite"
      ? { kind: "sqlite", path: ":memory:" }
      : { kind: "postgres", url: await createMigratedDatabase(inject("postgresUrl")), poolSize: 10 },
  );
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}
