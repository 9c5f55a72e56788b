import { randomUUID } from "node:crypto";
import { sql } from "kysely";

import { after, DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { formatPenceInFull } from "../format.ts";
import { createLeases } from "../tasks/leases.ts";
import type { TaskView } from "../tasks/tasks.ts";
import { sayError } from "./command-log.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";
import { printInstant } from "./print-instant.ts";
import type { OpenHouse } from "./with-rooms.ts";

/** What the doctor asks the rooms. */
type House = Pick<OpenHouse, "rooms" | "config">;

export const roomChecks = [checkDatabase, checkClock, checkCatalogue, checkTasks, checkLetters, checkRefunds];

/** Opening it has brought its schema up to date. A lease is what can be written, committed and taken away again. */
async function checkDatabase({ rooms, config: { database } }: House): Promise<Finding[]> {
  const { clock, transact } = rooms;
  const holder = randomUUID();
  const name = `doctor ${holder}`;
  try {
    await transact((trx) => createLeases({ db: trx, clock, holder }).take(name, SECOND_IN_MS));
    await transact((trx) => createLeases({ db: trx, clock, holder }).giveBack(name));
  } catch (error) {
    return [
      wrong("database", `It can be read but not written to: ${sayError(error)}. Is its disk full, or read-only?`),
    ];
  }
  const place = database.kind === "sqlite" ? database.path : `PostgreSQL at ${new URL(database.url).host}`;
  return [ok("database", `${place}: the schema is current, and a line was written.`)];
}

/** Leases, sessions and terms are compared by each server's own clock. */
const MAX_SKEW_IN_MS = 10 * SECOND_IN_MS;

async function checkClock({ rooms, config }: House): Promise<Finding[]> {
  if (config.database.kind === "sqlite") return [];
  const before = rooms.clock();
  const { rows } = await rooms.transact((trx) => sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx));
  const middle = (before.getTime() + rooms.clock().getTime()) / 2;
  const skewInMs = Math.abs((rows[0]?.now.getTime() ?? 0) - middle);
  const seconds = Math.round(skewInMs / SECOND_IN_MS);
  return skewInMs <= MAX_SKEW_IN_MS
    ? [ok("clock", "It agrees with the database's.")]
    : [wrong("clock", `It is ${seconds} seconds off the database's: set both by the same time server.`)];
}

async function checkCatalogue({ rooms: { catalogue } }: House): Promise<Finding[]> {
  await catalogue.refresh();
  const { counts, fault, skipped, isStale, readAt } = catalogue.status();
  const total = counts.watch + counts.read + counts.learn;
  if (fault !== undefined) return [wrong("catalogue", `The content source cannot be read: ${fault}.`)];
  const last = printInstant(readAt) ?? "never yet";
  if (isStale) return [note("catalogue", `${total} items, read last: ${last}. Nobody could be asked for them since.`)];
  if (total === 0) return [wrong("catalogue", "The content source has no items: members would find nothing.")];
  if (skipped.length === 0) return [ok("catalogue", `${total} items.`)];
  return [note("catalogue", `${total} items; ${skipped.length} were left out: see catalogue refresh.`)];
}

/** Longer than any restart takes. */
const QUIET_LIMIT_IN_MS = 10 * MINUTE_IN_MS;

async function checkTasks({ rooms: { tasks, clock } }: House): Promise<Finding[]> {
  const all = await tasks.list();
  const last = findLastTurn(all);
  if (!last) return [note("tasks", "No server has worked on this database yet: start one.")];
  if (clock() > after(last, QUIET_LIMIT_IN_MS)) {
    return [note("tasks", `No server works on this database since ${printInstant(last)}: start one.`)];
  }
  const late = all.filter(({ everyInMs, lastTurnAt }) => {
    const limit = Math.max(QUIET_LIMIT_IN_MS, 2 * everyInMs);
    return lastTurnAt !== undefined && clock() > after(lastTurnAt, limit);
  });
  const names = late.map(({ name }) => name).join(", ");
  return [
    late.length === 0 ? ok("tasks", "They run.") : wrong("tasks", `Begun too long ago: ${names}. Restart the server.`),
  ];
}

function findLastTurn(tasks: TaskView[]): Date | undefined {
  return tasks
    .map(({ lastTurnAt }) => lastTurnAt)
    .filter((turn) => turn !== undefined)
    .toSorted((a, b) => b.getTime() - a.getTime())[0];
}

/** Many more than anybody would look through. */
const AT_MOST = 1000;

/**
 * A failure is wrong for a day, unless an operator acknowledges it; after that it is a note. A refusal at an address that its reader
 * has not proved, perhaps a mistyped one, is a note from the beginning.
 */
async function checkLetters({ rooms: { outbox, clock } }: House): Promise<Finding[]> {
  const failed = (await outbox.list({ state: "failed", limit: AT_MOST })).filter((letter) => !letter.acknowledgedAt);
  const waiting = await outbox.list({ state: "waiting", limit: AT_MOST });
  const unproved = failed.filter(({ failure }) => failure === "refused-unproved");
  const ours = failed.filter(({ failure }) => failure !== "refused-unproved");
  const isFresh = ours.some(({ failedAt }) => failedAt && failedAt > after(clock(), -DAY_IN_MS));
  const given = `${ours.length} were given up: see mail list --state failed, then mail resend or mail acknowledge.`;
  const overdue = waiting.filter(({ dueAt }) => dueAt && clock() > after(dueAt, QUIET_LIMIT_IN_MS)).length;
  const findings = [
    ...(ours.length > 0 ? [isFresh ? wrong("letters", given) : note("letters", given)] : []),
    ...(unproved.length > 0
      ? [note("letters", `${unproved.length} were refused at addresses that were never proved, perhaps mistyped.`)]
      : []),
    ...(overdue > 0 ? [wrong("letters", `${overdue} wait for more than ten minutes: is a server running?`)] : []),
  ];
  return findings.length > 0 ? findings : [ok("letters", "None was given up, and none is late.")];
}

async function checkRefunds({ rooms: { payments } }: House): Promise<Finding[]> {
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
