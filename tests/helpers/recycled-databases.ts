import { Client, DatabaseError } from "pg";
import { inject } from "vitest";

import { copyMigratedDatabase, readShape } from "./postgres-server.ts";

/**
 * Migrated PostgreSQL databases that tests of this worker, and of its files one after the other, use again: to empty one takes a
 * fraction of what a copy of the template does.
 */
const free: string[] = [];
let count = 0;

/** The URL of a migrated database without a row. It holds nothing of an earlier test, even of one that never gave it back. */
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

/** Says that it is not used any more. */
export function giveBack(url: string): void {
  const name = new URL(url).pathname.slice(1);
  if (!free.includes(name)) free.push(name);
}

/** Answers whether there is such a database, with the tables that migrations make and no others. */
async function empty(url: string): Promise<boolean> {
  try {
    return await askDatabase(url, async (client) => {
      // The work of a killed process ends when its connections do; nothing else may be in here.
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      const { shape, tables, sequences } = await readShape(client);
      if (shape !== inject("migratedShape")) return false;
      await client.query(
        [
          "begin",
          // Rows go whichever refers to which.
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

/** Connections that stay: to make one takes PostgreSQL as long as what is asked over it. */
const clients = new Map<string, Client>();

/** Does something in a database of `takeDatabase`, beside the test that uses it. */
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
  // The server hangs up when it stops, or when a test tells it to.
  client.on("error", () => {
    if (clients.get(url) === client) clients.delete(url);
  });
  await client.connect();
  clients.set(url, client);
  return client;
}

/** PostgreSQL's documentation, appendix A: invalid_catalog_name. */
const NO_SUCH_DATABASE = "3D000";
