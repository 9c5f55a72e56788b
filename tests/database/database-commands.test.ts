import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

import { createCommands } from "../helpers/dormouse.ts";
import { readEverything } from "../helpers/full-database.ts";
import { createPostgresDatabase } from "../helpers/postgres-server.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createServices, type Services } from "../../server/services.ts";
import { fillDemo } from "../../server/cli/demo-data.ts";

async function openOffice(more: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-office-"));
  const env = { DEMO: "true", DATA_DIR: dataDir, DORMOUSE_OPERATOR: "Olive Operator", ...more };
  const withServices = async <Result>(work: (services: Services) => Promise<Result>, other = env): Promise<Result> => {
    const services = await createServices(readConfig(other), { log: createQuietLog(), hasContentAtOnce: false });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  };
  const read = async (other = env) => {
    const database = await openDatabase(readConfig(other).database);
    const { audit: _audit, ...tables } = await readEverything(database);
    await database.close();
    return tables;
  };
  await withServices(fillDemo);
  return {
    ...createCommands(env),
    dataDir,
    env,
    withServices,
    read,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

const newPostgres = () => createPostgresDatabase(inject("postgresUrl"));

test("a backup is made beside a running server, and restored once it has stopped", async () => {
  await using office = await openOffice();
  const file = join(office.dataDir, "backup.gz");
  const before = await office.read();
  await office.withServices(async () => {
    const made = await office.run("database", "backup", file);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(/^TABLE +ROWS\n/);
    expect(made.stdout).toMatch(/^members +3$/m);
    expect(await office.run("database", "backup", file)).toMatchObject({
      code: 1,
      stderr: `${file} already exists. Name a new file.\n`,
    });
    const early = await office.run("database", "restore", file, "--replace");
    expect(early).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("is in use: stop the server") });
  });
  await office.run("member", "erase", "1", "--yes");
  expect(await office.run("database", "restore", file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database is not empty \(.*members.*\).*\.\n$/),
  });
  const restored = await office.ask("database", "restore", file, "--replace");
  expect(restored).toMatchObject({ file, rows: { members: 3, avatars: 0 } });
  expect(await office.read()).toEqual(before);
  expect(await office.withServices(({ audit }) => audit.list(1))).toMatchObject([
    { operator: "Olive Operator", action: "database restore" },
  ]);
});

test("a backup of the embedded database is restored into a PostgreSQL, and back", async () => {
  await using office = await openOffice();
  const [file, back] = [join(office.dataDir, "a.gz"), join(office.dataDir, "b.gz")];
  const before = await office.read();
  await office.ask("database", "backup", file);
  const there = { ...office.env, DATABASE_URL: await newPostgres() };
  const elsewhere = createCommands(there);
  await elsewhere.ask("database", "restore", file);
  expect(await office.read(there)).toEqual(before);
  await elsewhere.ask("database", "backup", back);
  await office.ask("database", "restore", back, "--replace");
  expect(await office.read()).toEqual(before);
});

test("a PostgreSQL on which a server has just worked is not restored", async () => {
  await using office = await openOffice({ DATABASE_URL: await newPostgres() });
  const file = join(office.dataDir, "backup.gz");
  await office.ask("database", "backup", file);
  const lease = { name: "run reconcile-payments", holder: "server" };
  const database = await openDatabase(readConfig(office.env).database);
  await database.db
    .insertInto("jobLeases")
    .values({ ...lease, expiresAt: new Date() })
    .execute();
  expect(await office.run("database", "restore", file, "--replace")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^A server used this database at .*\. Stop it, and try again/),
  });
  await database.db
    .updateTable("jobLeases")
    .set({ expiresAt: new Date("2026-01-01T00:00:00.000Z") })
    .execute();
  await database.close();
  expect(await office.run("database", "restore", file, "--replace")).toMatchObject({ code: 0, stderr: "" });
});

test("the embedded database moves to a PostgreSQL once the server has stopped, and stays where it was", async () => {
  await using office = await openOffice();
  const url = await newPostgres();
  const before = await office.read();
  await office.withServices(async () => {
    const early = await office.run("database", "move", "--to", url);
    expect(early).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("is in use: stop the server") });
  });
  const moved = await office.run("database", "move", "--to", url);
  expect(moved).toMatchObject({ code: 0, stderr: "" });
  expect(moved.stdout).toMatch(/^members +3$/m);
  expect(moved.stdout).toContain("Set DATABASE_URL and start the server.");
  const there = { ...office.env, DATABASE_URL: url };
  expect(await office.read(there)).toEqual(before);
  expect(await office.read()).toEqual(before);
  expect(await office.withServices(({ audit }) => audit.list(1), there)).toMatchObject([{ action: "database move" }]);
  // One after the other: each locks the file.
  const twice = await office.run("database", "move", "--to", url);
  const away = await office.run("database", "move", "--to", "postgres://nobody:hunter2@127.0.0.1:1/none");
  const already = await createCommands(there).run("database", "move", "--to", url);
  expect(twice).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("is not empty (") });
  expect(away).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("ECONNREFUSED") });
  expect(away.stderr).not.toContain("hunter2");
  expect(already).toMatchObject({ code: 1, stderr: expect.stringContaining("is already a PostgreSQL") });
});

test("an impossible command is refused in a sentence, and nothing is created", async () => {
  const dataDir = join(tmpdir(), "dormouse-never-made");
  const { run } = createCommands({ DEMO: "true", DATA_DIR: dataDir });
  await using office = await openOffice();
  const picture = join(office.dataDir, "picture.gz");
  await writeFile(picture, "\x89PNG");
  const [none, nothing, nowhere, missing, wrong, noFolder] = await Promise.all([
    run("database", "backup", join(tmpdir(), "never.gz")),
    run("database", "move", "--to", "postgres://x@127.0.0.1:1/x"),
    run("database", "move", "--to", "mysql://x@127.0.0.1:1/x"),
    run("database", "restore", join(dataDir, "none.gz")),
    office.run("database", "restore", picture, "--replace"),
    office.run("database", "backup", join(office.dataDir, "no-folder", "backup.gz")),
  ]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no database yet") });
  expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no SQLite database yet") });
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("--to must be an address") });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no file") });
  expect(wrong).toMatchObject({ code: 1, stderr: `${picture} isn't a backup of this product, or is damaged.\n` });
  expect(noFolder).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
  expect(existsSync(dataDir)).toBe(false);
  expect((await office.read()).members).toHaveLength(3);
});
