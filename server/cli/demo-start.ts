import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Config } from "../config.ts";
import { readBackupFile, writeBackupFile } from "../platform/database/backup-file.ts";
import { BackupError, emptyDatabase, openAlone, readDatabase, writeDatabase } from "../platform/database/backup.ts";
import { isDemoDatabase, listFilled, openOwnDatabase } from "../platform/database/demo-mark.ts";
import { openDatabase } from "../platform/database/open-database.ts";
import { setDemoClock } from "../platform/demo-clock.ts";
import { errorText } from "../platform/faults.ts";
import { FaultError } from "./command.ts";

/* The first state of a demo: a copy of its database, made once the demo's data was in it. Only a database with a
   demo's mark (`demo-mark.ts`) is ever emptied. */

/** Copies the database after `fill`, if it was empty before. */
export async function keepStart(config: Config, fill: () => Promise<void>): Promise<void> {
  const database = await openDatabase(config.database);
  try {
    const isFirst = (await listFilled(database)).length === 0;
    await fill();
    if (!isFirst) return;
    const path = toCopyPath(config);
    await rm(path, { force: true });
    await writeBackupFile({ path, madeAt: new Date() }, readDatabase(database));
  } finally {
    await database.close();
  }
}

/**
 * Restores all rows of the first start in one transaction, beside a running server. Deletes the demo's emails, and sets
 * the clock to the real time.
 * @throws {FaultError} where no first start of a demo is known.
 */
export async function resetDemo(config: Config): Promise<number> {
  const path = toCopyPath(config);
  const database = await openOwnDatabase(config);
  try {
    if (!existsSync(path))
      throw new Error(`there is no copy of this demo's first start in ${config.dataDir}. Run npm run demo -- --fresh`);
    const checksums = await writeDatabase(database, readBackupFile(path), { isReplacing: true, keepsTables: true });
    await forget(config);
    return Object.values(checksums).reduce((sum, { rows }) => sum + rows, 0);
  } catch (error) {
    throw new FaultError(`Nothing was reset: ${errorText(error)}.`, { cause: error });
  } finally {
    await database.close();
  }
}

/** The next start becomes the first. @throws {FaultError} where a server runs on the file, or no demo has begun it. */
export async function emptyDemo(config: Config): Promise<void> {
  const { database } = config;
  if (database.kind === "sqlite") {
    if (!existsSync(database.path)) return forget(config);
    const isOwnFolder = config.dataDir === join(process.cwd(), "data", "demo");
    if (!(await isDemoFile(database.path)) && !isOwnFolder) throw new FaultError(`${NO_DEMO} Name another DATA_DIR.`);
    for (const end of ["", "-wal", "-shm", ".made"]) await rm(database.path + end, { force: true });
  } else {
    const opened = await openDatabase(database);
    try {
      const isFilled = (await listFilled(opened)).length > 0;
      if (isFilled && !(await isDemoDatabase(opened.db))) throw new FaultError(`${NO_DEMO} Name another DATABASE_URL.`);
      await emptyDatabase(opened);
    } finally {
      await opened.close();
    }
  }
  await forget(config);
}

/** A damaged file, or one from before marks, has none. @throws {FaultError} where another process has it open. */
async function isDemoFile(path: string): Promise<boolean> {
  try {
    const database = await openAlone(path);
    try {
      return await isDemoDatabase(database.db);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof BackupError) throw new FaultError(`${error.message}.`, { cause: error });
    return false;
  }
}

async function forget({ dataDir, mail }: Config): Promise<void> {
  setDemoClock(dataDir, undefined);
  if (mail.kind !== "files") return;
  const names = await readdir(mail.folder).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(".eml"))) await rm(join(mail.folder, name), { force: true });
}

const NO_DEMO = "This database wasn't made by a demo, or only by a version that left no mark in it.";

/** Each PostgreSQL has its own copy, so that one database's copy never gets into another. */
function toCopyPath({ dataDir, database }: Config): string {
  if (database.kind === "sqlite") return join(dataDir, "demo-start.gz");
  const { host, pathname } = new URL(database.url);
  return join(
    dataDir,
    `demo-start-${createHash("sha256")
      .update(host + pathname)
      .digest("hex")
      .slice(0, 16)}.gz`,
  );
}
