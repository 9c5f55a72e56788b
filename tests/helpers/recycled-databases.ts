import { Client, DatabaseError } from "pg";
import { inject } from "vitest";

import { copyMigratedDatabase, readShape } from "./postgres-server.ts";

/**
 * Migrated PostgreSQL databases that this worker's tests reuse: emptying one takes a fraction of copying the template.
 */
const free: string[] = [];
let count = 0;

/** Empty, even if an earlier test never returned it. */
export async function takeDatabase(): Promise<string> {
  const name = free.pop() ?? `worker_${process.env.VITEST_POOL_ID}_${(count += 1)}`;
  const serverUrl = inject("postgresUrl");
  const url = `${serverUrl}/${name}`;
  if (!(await empty(url))) {
    await hangUp(url);
    await copyMigratedDatabase(serverUrl, name);
  }
  return url;
}

export function giveBack(url: string): void {
  const name = new URL(url).pathname.slice(1);
  if (!free.includes(name)) free.push(name);
}

/** False unless the database exists, with the migrations' tables and no others. */
async function empty(url: string): Promise<boolean> {
  try {
    return await askDatabase(url, async (client) => {
      // The work of a killed process ends with its connections; no other may be here.
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      const { shape, tables, sequences } = await readShape(client);
      if (shape !== inject("migratedShape")) return false;
      await client.query(
        [
          "begin",
          // Rows are deleted in any order of references.
          "set local session_replication_role = replica",
          ...tables.map((table) => `delete from ${table}`),
          ...sequences.map((sequence) => `select setval('${sequence}', 1, false)`),
          "commit",
        ].join("; "),
      );
      return true;
    });
  } catch (error) {
    if (error instanceof DatabaseError && error.code === NO_SUCH_DATABASE) return false;
    throw error;
  }
}

/** Reused: a connection takes PostgreSQL as long as the queries over it. */
const clients = new Map<string, Client>();

/** In a database of `takeDatabase`, beside the test that uses it. */
export async function askDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = clients.get(url) ?? (await connect(url));
  try {
    return await work(client);
  } catch (error) {
    // It may be within a transaction, or gone.
    await hangUp(url);
    throw error;
  }
}

async function hangUp(url: string): Promise<void> {
  const client = clients.get(url);
  clients.delete(url);
  await client?.end();
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The server hangs up when it stops, or when a test requests it.
  client.on("error", () => {
    if (clients.get(url) === client) clients.delete(url);
  });
  await client.connect();
  clients.set(url, client);
  return client;
}

/** PostgreSQL's documentation, appendix A: invalid_catalog_name. */
const NO_SUCH_DATABASE = "3D000";
