import { sql } from "kysely";

import { readConfig } from "../config.ts";
import { openPostgres } from "../database/postgres.ts";
import { startFaultText } from "../main.ts";

/* compose.yaml runs this before it starts or replaces a server: it ends with 1 and a sentence where the server could not start. */

try {
  const { database } = readConfig(process.env);
  if (database.kind === "postgres") {
    const opened = openPostgres({ ...database, poolSize: 1 });
    try {
      await sql`select 1`.execute(opened.db);
    } finally {
      await opened.close();
    }
  }
} catch (error) {
  console.error(startFaultText(error));
  process.exitCode = 1;
}
