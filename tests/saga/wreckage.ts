import { cp, mkdtemp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Client } from "pg";

import type { Config } from "../../server/config.ts";
import type { Engine } from "../../server/database/database.ts";
import { createMigratedDatabase } from "../helpers/postgres-server.ts";

export type StoredDatabase = Config["database"];

/** A database as it lay at one moment, to be laid out again as often as one likes. */
export type Wreck = { kind: "sqlite"; path: string } | { kind: "postgres"; rows: Record<string, unknown[]> };

/** Where databases are laid out: a folder of SQLite files, or a few PostgreSQL databases that are used again and again. */
export type Yard = {
  /** An empty database with all tables. */
  open(): Promise<StoredDatabase>;
  lay(wreck: Wreck): Promise<StoredDatabase>;
  keep(stored: StoredDatabase): Promise<Wreck>;
  giveBack(stored: StoredDatabase): void;
};

export function createYard(engine: Engine, { folder, serverUrl }: { folder: string; serverUrl: string }): Yard {
  return engine === "sqlite" ? createFileYard(folder) : createServerYard(serverUrl);
}

/** A copied file with its log beside it is what a killed process leaves. */
function createFileYard(folder: string): Yard {
  async function copy(path: string): Promise<{ kind: "sqlite"; path: string }> {
    const to = await mkdtemp(join(folder, "copy-"));
    await cp(dirname(path), to, { recursive: true });
    return { kind: "sqlite", path: join(to, basename(path)) };
  }
  return {
    open: async () => ({ kind: "sqlite", path: join(await mkdtemp(join(folder, "new-")), "dormouse.sqlite") }),
    keep: (stored) => copy(stored.kind === "sqlite" ? stored.path : ""),
    lay: (wreck) => copy(wreck.kind === "sqlite" ? wreck.path : ""),
    giveBack: () => undefined,
  };
}

/** Copying whole databases takes PostgreSQL a quarter of a second; their few rows take it some milliseconds. */
function createServerYard(serverUrl: string): Yard {
  const free: StoredDatabase[] = [];

  async function open(): Promise<StoredDatabase> {
    const found = free.pop();
    if (found) return found;
    const made: StoredDatabase = { kind: "postgres", url: await createMigratedDatabase(serverUrl), poolSize: 10 };
    return made;
  }

  return {
    open,
    keep: (stored) => ask(stored, async (client) => ({ kind: "postgres", rows: await readRows(client) })),
    async lay(wreck) {
      const stored = await open();
      await ask(stored, (client) => writeRows(client, wreck.kind === "postgres" ? wreck.rows : {}));
      return stored;
    },
    giveBack: (stored) => void free.push(stored),
  };
}

async function ask<Result>(stored: StoredDatabase, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: stored.kind === "postgres" ? stored.url : "" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function listTables(client: Client): Promise<string[]> {
  const query = "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'";
  return (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
}

async function readRows(client: Client): Promise<Record<string, unknown[]>> {
  const tables = await listTables(client);
  const columns = tables.map((table) => `(select coalesce(json_agg(t), '[]') from ${table} t) as ${table}`);
  const { rows } = await client.query<Record<string, unknown[]>>(`select ${columns.join(", ")}`);
  return rows[0] ?? {};
}

async function writeRows(client: Client, rows: Record<string, unknown[]>): Promise<void> {
  const tables = await listTables(client);
  // What a killed process was doing ends when its connections do; nothing else may be in here.
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.query(`truncate ${tables.join(", ")} restart identity`);
  // Rows go in as they were, whichever refers to which.
  await client.query("set session_replication_role = replica");
  for (const table of tables) {
    const own = rows[table] ?? [];
    if (own.length === 0) continue;
    await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(own),
    ]);
    if (!Object.hasOwn(own[0] as object, "id") || typeof (own[0] as { id: unknown }).id !== "number") continue;
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  }
}
