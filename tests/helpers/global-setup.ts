import type { TestProject } from "vitest/node";

import { ensureBuild } from "../../server/cli/build.ts";
import { openDatabase } from "../../server/database/database.ts";
import { createPostgresDatabase, MIGRATED, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Before all tests: a current build, and a PostgreSQL that every room test shares (each in a database of its own). */
export default async function setup(project: TestProject) {
  ensureBuild({ buildDir: "build", basePath: "/" });
  const postgres = await startPostgres();
  const url = await createPostgresDatabase(postgres.url, MIGRATED);
  await (await openDatabase({ kind: "postgres", url, poolSize: 2 })).close();
  project.provide("postgresUrl", postgres.url);
  return () => postgres.stop();
}
