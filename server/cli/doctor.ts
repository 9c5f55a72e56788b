import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { after, DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { Config, ConfigError } from "../config.ts";
import { formatPenceInFull } from "../format.ts";
import type { PartCheck } from "../part-check.ts";
import type { Services } from "../services.ts";
import { findBuildFault } from "./build.ts";
import { type CommandContext, readSettings, sayError, useServices } from "./command-context.ts";
import { type Command, FaultError } from "./command.ts";
import { printInstant, printTable } from "./print.ts";

/** What a check has found, in one line. `note`: nothing is broken, but operators should know. */
type Finding = { part: string; state: "ok" | "note" | "wrong"; says: string };

function ok(part: string, says: string): Finding {
  return { part, state: "ok", says };
}

function note(part: string, says: string): Finding {
  return { part, state: "note", says };
}

function wrong(part: string, says: string): Finding {
  return { part, state: "wrong", says };
}

/** Checks every part that is configured, and continues when one is broken. */
export const doctorCommand: Command = {
  summary: "check every part that is configured: what is wrong, and what to do about it",
  example: "doctor",
  async run() {
    const findings = await examine();
    const isWell = findings.every(({ state }) => state !== "wrong");
    const rows = findings.map(({ part, state, says }) => [part, state, says]);
    const text = printTable(["PART", "STATE", "WHAT"], rows, { whenEmpty: "" });
    return { ok: isWell, text, json: { isWell, findings } };
  },
};

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = await readSettings();
  } catch (error) {
    if (!(error instanceof Error && "mistakes" in error)) throw error;
    return (error as ConfigError).mistakes.map((mistake) => wrong("settings", `${mistake}.`));
  }
  const settings = ok("settings", "They can be read, and none is missing.");
  return [settings, checkBuild(config), ...(await examineServices(config))];
}

async function examineServices(config: Config): Promise<Finding[]> {
  try {
    return await useServices(config, { isQuiet: true }, async (services) => {
      const findings: Finding[] = [];
      for (const check of serviceChecks) findings.push(...(await check({ services, config })));
      return [...findings, ...(await checkParts(services.parts))];
    });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    // The parts that others run need no data, so an empty database takes the place of ours.
    const empty: Config = { ...config, database: { kind: "sqlite", path: ":memory:" } };
    const ofParts = await useServices(empty, { isQuiet: true }, ({ parts }) => checkParts(parts));
    return [wrong("database", `${error.message}. ${adviceOn(config)}`), ...ofParts];
  }
}

function adviceOn({ database }: Config): string {
  return database.kind === "sqlite"
    ? "Is DATA_DIR right, and may this user write to it?"
    : "Is DATABASE_URL right, and does the PostgreSQL run?";
}

function checkBuild(config: Config): Finding {
  const { buildDir, basePath } = config;
  const fault = findBuildFault(config);
  if (fault === "missing") return wrong("build", `There is none in ${buildDir}: run npm run build.`);
  return fault
    ? wrong("build", `It was made for another path than BASE_PATH ${basePath}: run npm run build with it.`)
    : ok("build", `It is in ${buildDir}, for ${basePath}.`);
}

type DoctorContext = Pick<CommandContext, "services" | "config">;

export const serviceChecks = [checkDatabase, checkClock, checkCatalogue, checkJobs, checkEmails, checkRefunds];

/** Opening the database has brought its schema up to date. The check writes a lease and deletes it again. */
async function checkDatabase({ services, config: { database } }: DoctorContext): Promise<Finding[]> {
  const { giveBackLease, takeLease } = await import("../jobs/jobs.ts");
  const { clock, transact } = services;
  const holder = randomUUID();
  const name = `doctor ${holder}`;
  try {
    await transact((trx) => takeLease({ db: trx, clock, holder }, name, SECOND_IN_MS));
    await transact((trx) => giveBackLease({ db: trx, clock, holder }, name));
  } catch (error) {
    return [
      wrong("database", `It can be read but not written to: ${sayError(error)}. Is its disk full, or read-only?`),
    ];
  }
  const place = database.kind === "sqlite" ? database.path : `PostgreSQL at ${new URL(database.url).host}`;
  return [ok("database", `${place}: the schema is current, and a line was written.`)];
}

/** Each server compares leases, sessions and terms with its own clock. */
const MAX_SKEW_IN_MS = 10 * SECOND_IN_MS;

async function checkClock({ services, config }: DoctorContext): Promise<Finding[]> {
  if (config.database.kind === "sqlite") return [];
  const { sql } = await import("kysely");
  const before = services.clock();
  const { rows } = await services.transact((trx) => sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx));
  const middle = (before.getTime() + services.clock().getTime()) / 2;
  const skewInMs = Math.abs((rows[0]?.now.getTime() ?? 0) - middle);
  const seconds = Math.round(skewInMs / SECOND_IN_MS);
  return skewInMs <= MAX_SKEW_IN_MS
    ? [ok("clock", "It agrees with the database's.")]
    : [wrong("clock", `It is ${seconds} seconds off the database's: set both by the same time server.`)];
}

async function checkCatalogue({ services: { catalogue } }: DoctorContext): Promise<Finding[]> {
  await catalogue.refresh();
  const { counts, fault, skipped, losses, isStale, readAt } = catalogue.status();
  const total = counts.watch + counts.read + counts.learn;
  if (fault !== undefined) return [wrong("catalogue", `The content source cannot be read: ${fault}.`)];
  const last = printInstant(readAt) ?? "never yet";
  if (isStale) return [note("catalogue", `${total} items, read last: ${last}. Nobody could be asked for them since.`)];
  if (total === 0) return [wrong("catalogue", "The content source has no items: members would find nothing.")];
  const inPart = losses.length === 0 ? "" : ` ${losses.length} are shown in part: see catalogue status.`;
  if (skipped.length === 0) return [ok("catalogue", `${total} items.${inPart}`)];
  return [note("catalogue", `${total} items; ${skipped.length} were left out: see catalogue refresh.`)];
}

/** Longer than any restart takes. */
const QUIET_LIMIT_IN_MS = 10 * MINUTE_IN_MS;

async function checkJobs({ services: { jobs, clock } }: DoctorContext): Promise<Finding[]> {
  const all = await jobs.list();
  const last = all.map(({ lastRunAt }) => lastRunAt).reduce(later, undefined);
  if (!last) return [note("jobs", "No server has worked on this database yet: start one.")];
  if (clock() > after(last, QUIET_LIMIT_IN_MS)) {
    return [note("jobs", `No server works on this database since ${printInstant(last)}: start one.`)];
  }
  const late = all.filter(({ everyInMs, lastRunAt }) => {
    const limit = Math.max(QUIET_LIMIT_IN_MS, 2 * everyInMs);
    return lastRunAt !== undefined && clock() > after(lastRunAt, limit);
  });
  const names = late.map(({ name }) => name).join(", ");
  return [
    late.length === 0 ? ok("jobs", "They run.") : wrong("jobs", `Begun too long ago: ${names}. Restart the server.`),
  ];
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b && a > b ? a : (b ?? a);
}

/** More than an operator would read through. */
const MAX_LISTED = 1000;

/**
 * A failure is wrong for a day, unless an operator acknowledges it; after that it is a note. A refusal at an address that was never
 * verified, perhaps a mistyped one, is a note from the beginning.
 */
async function checkEmails({ services: { outbox, clock } }: DoctorContext): Promise<Finding[]> {
  const failed = (await outbox.list({ state: "failed", limit: MAX_LISTED })).filter((mail) => !mail.acknowledgedAt);
  const waiting = await outbox.list({ state: "waiting", limit: MAX_LISTED });
  const unproved = failed.filter(({ failure }) => failure === "refused-unproved");
  const ours = failed.filter(({ failure }) => failure !== "refused-unproved");
  const isFresh = ours.some(({ failedAt }) => failedAt && failedAt > after(clock(), -DAY_IN_MS));
  const given = `${ours.length} were given up: see mail list --state failed, then mail resend or mail acknowledge.`;
  const overdue = waiting.filter(({ dueAt }) => dueAt && clock() > after(dueAt, QUIET_LIMIT_IN_MS)).length;
  const findings = [
    ...(ours.length > 0 ? [isFresh ? wrong("emails", given) : note("emails", given)] : []),
    ...(unproved.length > 0
      ? [note("emails", `${unproved.length} were refused at addresses that were never proved, perhaps mistyped.`)]
      : []),
    ...(overdue > 0 ? [wrong("emails", `${overdue} wait for more than ten minutes: is a server running?`)] : []),
  ];
  return findings.length > 0 ? findings : [ok("emails", "None was given up, and none is late.")];
}

async function checkRefunds({ services: { payments } }: DoctorContext): Promise<Finding[]> {
  const stuck = await payments.listStuck();
  if (stuck.length === 0) return [ok("refunds", "None has failed, none is late.")];
  const list = stuck.map(({ orderId, amountInPence }) => `order ${orderId} (${formatPenceInFull(amountInPence)})`);
  return [
    wrong(
      "refunds",
      `The gateway has not paid back ${list.join(", ")}: look there, and pay back by hand what is missing.`,
    ),
  ];
}

/** Longer than any part takes to answer. */
const PART_TIMEOUT_IN_MS = 30 * SECOND_IN_MS;

/** Checks all parts that others run at once, so that one that does not answer delays none of the others. */
export async function checkParts(parts: Services["parts"]): Promise<Finding[]> {
  return Promise.all(
    Object.entries(parts).map(async ([name, part]) => {
      const { isWell, says } = await Promise.race([part.check(), timeOut()]).catch(toFault);
      if (!part.isOpen) return note(name, says);
      return isWell ? ok(name, says) : wrong(name, says);
    }),
  );
}

async function timeOut(): Promise<PartCheck> {
  await delay(PART_TIMEOUT_IN_MS, undefined, { ref: false });
  return { isWell: false, says: "It gives no answer: is its address right, and does it run?" };
}

function toFault(error: unknown): PartCheck {
  return { isWell: false, says: `${sayError(error)}.` };
}
