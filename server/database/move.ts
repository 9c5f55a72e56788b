import type { Tally } from "./backup-rows.ts";
import { BackupError, readDatabase, writeDatabase } from "./backup.ts";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

export type Move = { path: string; url: string };

/**
 * Copies the SQLite file at `path` into the empty PostgreSQL at `url`, in one transaction there, and compares what arrived. Nobody
 * else may have the file open meanwhile; it is left as it was.
 * @throws {BackupError} when a server has the file open, or there is something in the PostgreSQL already.
 */
export async function moveToPostgres({ path, url }: Move): Promise<Record<string, Tally>> {
  const source = await openAlone(path);
  const target = openPostgres({ url, poolSize: 1 });
  try {
    return await writeDatabase(target, readDatabase(source));
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** @throws {BackupError} when another process has the file open. */
export async function openAlone(path: string): Promise<Database> {
  try {
    return await openSqlite(path, { isAlone: true });
  } catch (error) {
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new BackupError(`${path} is in use: stop the server, and whatever else has it open`, { cause: error });
  }
}
