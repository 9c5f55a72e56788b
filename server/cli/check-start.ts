import { sql } from "kysely";

import { ConfigError, readConfig } from "../config.ts";
import { openPostgres } from "../platform/database/postgres.ts";
import { startFaultText } from "../main.ts";

/* compose.yaml runs this before it starts or replaces a server; exits with 1 and a sentence where the server could
   not start. */

try {
  const { POSTGRES_PASSWORD: password } = process.env;
  if (password !== undefined && password.length < 16)
    throw new ConfigError(["POSTGRES_PASSWORD is too short: give it 16 random letters and digits or more"]);
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
