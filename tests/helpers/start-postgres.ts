import { Client } from "pg";
import type { TestProject } from "vitest/node";

import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createPostgresDatabase, MIGRATED, readShape, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
    /** Of a migrated database. */
    migratedShape: string;
  }
}

/** Before all tests: a shared PostgreSQL, with a database for each test. */
export default async function setup(project: TestProject) {
  const postgres = await startPostgres();
  const url = await createPostgresDatabase(postgres.url, MIGRATED);
  await (await openDatabase({ kind: "postgres", url, poolSize: 2 })).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  const { shape } = await readShape(client);
  await client.end();
  project.provide("postgresUrl", postgres.url);
  project.provide("migratedShape", shape);
  return () => postgres.stop();
}
