import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";

import { ensureBuild } from "../../server/cli/build.ts";
import { openDatabase } from "../../server/database/open-database.ts";
import { bundlePrograms, type Bundles } from "./bundle.ts";
import { createPostgresDatabase, MIGRATED, readShape, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
    /** Of a migrated database on it. */
    migratedShape: string;
    programs: Bundles;
  }
}

/** Before all tests: a current build, quick programs, and a PostgreSQL that every module test shares (each in a database of its own). */
export default async function setup(project: TestProject) {
  ensureBuild({ buildDir: "build", basePath: "/" });
  const postgres = await startPostgres();
  const url = await createPostgresDatabase(postgres.url, MIGRATED);
  await (await openDatabase({ kind: "postgres", url, poolSize: 2 })).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  const { shape } = await readShape(client);
  await client.end();
  project.provide("postgresUrl", postgres.url);
  project.provide("migratedShape", shape);
  const folder = await mkdtemp(join(tmpdir(), "dormouse-programs-"));
  project.provide("programs", await bundlePrograms(folder));
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true });
  };
}
