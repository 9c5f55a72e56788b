import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect, inject, test } from "vitest";

import { readDatabase, writeDatabase, type BackupRecord } from "../server/platform/database/backup.ts";
import { writeBackupFile } from "../server/platform/database/backup-file.ts";
import { openDatabase } from "../server/platform/database/open-database.ts";
import { openTestDatabase } from "./helpers/databases.ts";
import { createDormouse } from "./helpers/dormouse.ts";
import { openFolder } from "./helpers/folder.ts";
import { createPostgresDatabase } from "./helpers/postgres-server.ts";
import { startApp } from "./helpers/running-app.ts";

const sentence =
  "The database is older than version 1.0.0, so we can't use its data: back it up with the version that made it, and start with an empty database (move its file away, or set another DATABASE_URL)";

/** The marks of every version before 1.0.0: the name of its first migration, and members. */
const older = [
  "create table migrations (name text primary key, applied_at text not null)",
  "insert into migrations values ('0001-members-and-sessions', '2026'), ('0002-favourites', '2026')",
  "create table members (id integer primary key, email text not null)",
  "insert into members values (1, 'ada@example.org')",
];

async function openOlder() {
  const home = await openFolder();
  const path = join(home.folder, "dormouse.sqlite");
  const file = new DatabaseSync(path);
  for (const statement of older) file.exec(statement);
  file.close();
  const read = () => {
    const again = new DatabaseSync(path, { readOnly: true });
    const rows = again.prepare("select name from migrations union all select email from members").all();
    const tables = again.prepare("select count(*) as count from sqlite_schema where type = 'table'").get();
    again.close();
    return { rows, tables };
  };
  const env = { DEMO: "true", DATA_DIR: home.folder };
  return { ...home, path, read, env, run: createDormouse(env, inject("programs").dormouse).run };
}

test("a database from before 1.0.0 is refused in one sentence by a start and every command, and is not changed", async () => {
  await using old = await openOlder();
  const before = old.read();
  await using server = await startApp({ DATA_DIR: old.folder });
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain(`The server did not start: ${sentence}\n`);
  expect(server.output()).not.toContain("    at ");

  const backup = join(old.folder, "new.gz");
  const url = await createPostgresDatabase(inject("postgresUrl"));
  await using current = await openTestDatabase("sqlite");
  const ofNow = join(old.folder, "current.gz");
  await writeBackupFile({ path: ofNow, madeAt: new Date() }, readDatabase(current));
  expect(await old.run("database", "backup", backup)).toMatchObject({ code: 1, stdout: "", stderr: `${sentence}.\n` });
  expect(await old.run("database", "restore", ofNow, "--replace")).toMatchObject({ stderr: `${sentence}.\n` });
  expect(await old.run("database", "move", "--to", url)).toMatchObject({ code: 1, stderr: `${sentence}.\n` });
  expect(await old.run("member", "list")).toMatchObject({ code: 1, stdout: "", stderr: `${sentence}\n` });
  const doctor = await old.run("doctor");
  expect(doctor.code).toBe(1);
  expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain(`${sentence}. `);
  expect(doctor.stdout).not.toContain("Is DATA_DIR right");
  expect(old.read()).toEqual(before);
});

test("on PostgreSQL too", async () => {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of older) await client.query(statement);
  await client.end();
  await expect(openDatabase({ kind: "postgres", url, poolSize: 1 })).rejects.toThrow(sentence);
});

test("a backup from before 1.0.0 is refused in a sentence and changes nothing", async () => {
  await using target = await openTestDatabase("sqlite");
  async function* records(): AsyncGenerator<BackupRecord> {
    yield { kind: "begin", migrations: ["0001-members-and-sessions"] };
  }
  await expect(writeDatabase(target, records(), { isReplacing: true })).rejects.toThrow(
    "The backup is older than version 1.0.0: only the version that made it can restore it",
  );
  expect(await target.db.selectFrom("members").select("id").execute()).toEqual([]);
});
