import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";

import { readConfig } from "../server/config.ts";
import { plans } from "../server/money/membership/plans.ts";
import { findPercentile, strain, type Step } from "./latency.ts";
import { readCpu } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import { startFlags, startServer, type Server } from "./servers.ts";
import { createServices } from "./synthetic-services.ts";

/**
 * The cost of a night of members (docs/scale.md): `node bench/night.ts [--servers N] [--pool N] [--seconds N]
 * [--connections N]`, on SQLite or on the PostgreSQL in DATABASE_URL. Prints requests a second, their times, and the
 * CPU time of each part.
 */

/**
 * Requests in an hour of a member who is awake: reading for a quarter of it, two pages a minute, and then listening,
 * with a position every 15 s.
 */
const hour = { landing: 4, list: 8, article: 10, search: 4, film: 4, favourite: 1, position: 180 };
const REQUESTS_AN_HOUR = Object.values(hour).reduce((sum, count) => sum + count, 0);
/** Members stay logged in for 30 days, so they log in about once in ten nights. */
const LOG_INS_AN_HOUR = 0.1;
const MEMBERS = 199;

const option = (name: string, usual: number) => {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? usual : Number(process.argv[place + 1]);
};
const seconds = option("seconds", 20);
const connections = option("connections", 16);
const databaseUrl = process.env.DATABASE_URL ?? "";

await using stack = new AsyncDisposableStack();
const folder = process.env.DATA_DIR || (await mkdtemp(join(tmpdir(), "dormouse-night-")));
if (!process.env.DATA_DIR) stack.defer(() => rm(folder, { recursive: true, force: true }));
const servers: Server[] = [];
for (let count = 0; count < option("servers", 1); count += 1) {
  const env = {
    BUILD_DIR: resolve("build"),
    DATA_DIR: databaseUrl ? join(folder, String(count)) : folder,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(option("pool", 10)),
    ITEMS: "100",
    CARDS_PER_PAGE: "24",
    TRUST_PROXY: "loopback",
  };
  servers.push(stack.use(await startServer([...startFlags, "bench/serve.ts"], { env })));
}
const members = await openSessions();
const requests = listRequests();
const next = (count: number): Step => {
  const server = servers[count % servers.length];
  // A stride without a common factor with the hour mixes its requests.
  const request = requests[(count * 83) % requests.length];
  return request?.(server?.origin ?? "", members[count % members.length] ?? "", count) ?? { url: "", status: 0 };
};

await strain(next, { connections, forMs: 5000 });
const statements = databaseUrl ? await readStatements() : undefined;
const before = await readAllCpu();
const startedAt = performance.now();
const load = await strain(next, { connections, forMs: seconds * 1000 });
const tookInMs = performance.now() - startedAt;
const after = await readAllCpu();
const asked = load.sorted.length;
const rate = (asked * 1000) / tookInMs;
console.log(
  [
    `${cpus()[0]?.model}, ${availableParallelism()} cores; ${servers.length} server(s), ${databaseUrl ? "PostgreSQL" : "SQLite"}, ${connections} connections`,
    `${rate.toFixed(0)} requests a second, ${load.faults} wrong; p50 ${findPercentile(load, 50).toFixed(1)} ms, p99 ${findPercentile(load, 99).toFixed(1)} ms`,
    `a request: servers ${toCost(after.servers - before.servers)}, database ${toCost(after.database - before.database)}, this bench ${toCost(after.bench - before.bench)}`,
    `members awake at this rate: ${((rate * 3600) / (REQUESTS_AN_HOUR + LOG_INS_AN_HOUR)).toFixed(0)}`,
  ].join("\n"),
);
if (statements) printStatements(statements, await readStatements());

function toCost(ms: number): string {
  return `${(ms / asked).toFixed(2)} ms of processor`;
}

type MakeStep = (origin: string, cookie: string, count: number) => Step;

function listRequests(): MakeStep[] {
  const { landing, list, article, search } = everydayPages;
  const get =
    (path: string): MakeStep =>
    (origin, cookie) => ({ url: origin + path, headers: { Cookie: cookie }, status: 200 });
  const post =
    (path: string, write: (count: number) => string): MakeStep =>
    (origin, cookie, count) => ({
      url: origin + path,
      method: "POST",
      headers: { Cookie: cookie, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
      body: write(count),
      status: 200,
    });
  const kinds: Record<keyof typeof hour, MakeStep> = {
    landing: get(landing.path),
    list: get(list.path),
    article: get(article.path),
    search: get(search.path),
    film: get("/?view=watch&item=2"),
    favourite: post("/favourites.data", () => "save=watch-3"),
    // The position advances, as it does while something plays.
    position: post("/positions.data", (count) => `keep=watch-1&seconds=${count}&duration=86400&age=0`),
  };
  return (Object.keys(hour) as (keyof typeof hour)[]).flatMap((kind) => Array<MakeStep>(hour[kind]).fill(kinds[kind]));
}

/** Members with a term and a session each: one member's positions are limited to what one person plays. */
async function openSessions(): Promise<string[]> {
  const env = { DEMO: "true", DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const services = await createServices(readConfig(env));
  const cookies: string[] = [];
  for (let count = 0; count < MEMBERS; count += 1) {
    const details = {
      firstName: "Nell",
      lastName: "Awake",
      password: "a-lamp-of-the-night",
      accountType: "individual",
    } as const;
    const member = await services.accounts.register({ ...details, email: `${randomUUID()}@dormouse.example` });
    if (!member) throw new Error("A member of the night is there already");
    await services.transact((trx) => services.membership.extend({ memberId: member.id, plan: plans[3] }, trx));
    cookies.push(`dormouse-session=${(await services.sessions.start(member.id)).token}`);
  }
  await services.close();
  return cookies;
}

/** The CPU time of the servers, PostgreSQL's processes and this process, in milliseconds. */
async function readAllCpu() {
  const own = (await Promise.all(servers.map(readCpu))).reduce((sum, cpu) => sum + cpu, 0);
  const { user, system } = process.cpuUsage();
  return { servers: own, database: databaseUrl ? await readPostgresCpu() : 0, bench: (user + system) / 1000 };
}

/** With the ended children of each, because a closed connection ends its process. */
async function readPostgresCpu(): Promise<number> {
  const tick = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  let sum = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (!stat.includes("(postgres)")) continue;
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    sum += fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) * tick, 0);
  }
  return sum;
}

type Statements = { reading: number; writing: number };

/** Milliseconds that PostgreSQL has executed, by `pg_stat_statements`; `undefined` without that extension. */
async function readStatements(): Promise<Statements | undefined> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const sum = (condition: string) => `coalesce(sum(total_exec_time) filter (where ${condition}), 0)::float`;
  const { rows } = await client
    .query<Statements>(`select ${sum("query ilike 'select%'")} as reading, ${sum("query not ilike 'select%'")} as writing
      from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`)
    .catch(() => ({ rows: [] }));
  await client.end();
  return rows[0];
}

function printStatements(from: Statements, to: Statements | undefined): void {
  if (!to) return;
  const [reading, writing] = [to.reading - from.reading, to.writing - from.writing];
  console.log(`statements: ${toCost(reading)} to read, ${toCost(writing)} to write`.replaceAll(" of processor", ""));
}
