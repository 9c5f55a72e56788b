import { cp, mkdtemp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Client } from "pg";

import type { Config } from "../../server/config.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { readShape } from "../helpers/postgres-server.ts";
import { askDatabase, giveBack, takeDatabase } from "../helpers/recycled-databases.ts";

export type StoredDatabase = Config["database"];

/** A database at one moment, which can be restored repeatedly. */
export type DatabaseCopy = { kind: "sqlite"; path: string } | { kind: "postgres"; rows: Record<string, unknown[]> };

/** A folder of SQLite files, or a few reused PostgreSQL databases. */
export type DatabaseCopies = {
  /** An empty database with all tables. */
  open(): Promise<StoredDatabase>;
  restore(copy: DatabaseCopy): Promise<StoredDatabase>;
  copy(stored: StoredDatabase): Promise<DatabaseCopy>;
  release(stored: StoredDatabase): void;
};

/** `folder` is for files. */
export function createDatabaseCopies(engine: Engine, folder: string): DatabaseCopies {
  return engine === "sqlite" ? createFileCopies(folder) : createServerCopies();
}

/** A killed process leaves a file and its log. */
function createFileCopies(folder: string): DatabaseCopies {
  async function copy(path: string): Promise<{ kind: "sqlite"; path: string }> {
    const to = await mkdtemp(join(folder, "copy-"));
    await cp(dirname(path), to, { recursive: true });
    return { kind: "sqlite", path: join(to, basename(path)) };
  }
  return {
    open: async () => ({ kind: "sqlite", path: join(await mkdtemp(join(folder, "new-")), "dormouse.sqlite") }),
    copy: (stored) => copy(stored.kind === "sqlite" ? stored.path : ""),
    restore: (stored) => copy(stored.kind === "sqlite" ? stored.path : ""),
    release: () => undefined,
  };
}

/** Copying a whole database takes PostgreSQL a quarter of a second; its few rows take milliseconds. */
function createServerCopies(): DatabaseCopies {
  const open = async (): Promise<StoredDatabase> => ({ kind: "postgres", url: await takeDatabase(), poolSize: 10 });
  return {
    open,
    copy: (stored) =>
      askDatabase(toUrl(stored), async (client) => ({ kind: "postgres", rows: await readRows(client) })),
    async restore(copy) {
      const stored = await open();
      await askDatabase(toUrl(stored), (client) => writeRows(client, copy.kind === "postgres" ? copy.rows : {}));
      return stored;
    },
    release: (stored) => giveBack(toUrl(stored)),
  };
}

function toUrl(stored: StoredDatabase): string {
  return stored.kind === "postgres" ? stored.url : "";
}

async function readRows(client: Client): Promise<Record<string, unknown[]>> {
  const { tables } = await readShape(client);
  const columns = tables.map((table) => `(select coalesce(json_agg(t), '[]') from ${table} t) as ${table}`);
  const { rows } = await client.query<Record<string, unknown[]>>(`select ${columns.join(", ")}`);
  return rows[0] ?? {};
}

/** The database must be empty. */
async function writeRows(client: Client, rows: Record<string, unknown[]>): Promise<void> {
  // Rows are inserted in any order of references.
  await client.query("begin; set local session_replication_role = replica");
  for (const [table, own] of Object.entries(rows)) {
    if (own.length === 0) continue;
    await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(own),
    ]);
    if (!Object.hasOwn(own[0] as object, "id") || typeof (own[0] as { id: unknown }).id !== "number") continue;
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  }
  await client.query("commit");
}
