import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import { openFolder } from "../helpers/folder.ts";
import { fillEveryTable, readEverything } from "../helpers/full-database.ts";
import { createPostgresDatabase } from "../helpers/postgres-server.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { moveToPostgres } from "../../server/platform/database/backup.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";

describe("moving to PostgreSQL", () => {
  test("copies everything, leaves the file unchanged, and refuses a second time", async () => {
    await using home = await openFolder();
    const path = join(home.folder, "dormouse.sqlite");
    const source = await openDatabase({ kind: "sqlite", path });
    await fillEveryTable(source.db);
    const before = await readEverything(source);
    await source.close();
    const url = await createPostgresDatabase(inject("postgresUrl"));
    await moveToPostgres({ path, url });
    const target = await openDatabase({ kind: "postgres", url, poolSize: 2 });
    expect(await readEverything(target)).toEqual(before);
    await expect(moveToPostgres({ path, url })).rejects.toThrow(/not empty/);
    expect(await readEverything(target)).toEqual(before);
    await target.close();
    const again = await openDatabase({ kind: "sqlite", path });
    expect(await readEverything(again)).toEqual(before);
    await again.close();
  });

  test("is refused while another process has the file open", async () => {
    await using home = await openFolder();
    const path = join(home.folder, "dormouse.sqlite");
    const server = await openDatabase({ kind: "sqlite", path });
    const url = await createPostgresDatabase(inject("postgresUrl"));
    await expect(moveToPostgres({ path, url })).rejects.toThrow(/is in use: stop the server/);
    await server.close();
    const { db, close } = openPostgres({ url, poolSize: 1 });
    expect((await sql`select 1 from information_schema.tables where table_schema = 'public'`.execute(db)).rows).toEqual(
      [],
    );
    await close();
  });
});
