import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";

import { after, DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { sumSections } from "../../content/items/kinds.ts";
import { isDemoDatabase } from "../../platform/database/demo-mark.ts";
import { errorText } from "../../platform/faults.ts";
import { toDay, formatDateTime, formatPenceInFull } from "../../platform/format.ts";
import { findSamples } from "../legal/documents.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import type { Services } from "../../services.ts";

/** The state of each part and what to do about it, for `doctor` and the desk. */

/** In one line. `note`: nothing is broken, but operators should know. */
export type Finding = {
  part: string;
  state: "ok" | "note" | "wrong";
  message: string;
  /** The text after a colon, where a command and the desk lead to different places. */
  todo?: { command: string; desk: string };
};

export function findingText({ message, todo }: Finding, to: "command" | "desk"): string {
  return todo ? `${message}: ${todo[to]}.` : message;
}

type Todo = Finding["todo"];

export function ok(part: string, message: string): Finding {
  return { part, state: "ok", message };
}

function note(part: string, message: string, todo?: Todo): Finding {
  return { part, state: "note", message, ...(todo && { todo }) };
}

export function wrong(part: string, message: string, todo?: Todo): Finding {
  return { part, state: "wrong", message, ...(todo && { todo }) };
}

export type HealthServices = Pick<
  Services,
  | "accounts"
  | "catalogue"
  | "clock"
  | "codes"
  | "database"
  | "jobs"
  | "legal"
  | "outbox"
  | "parts"
  | "payments"
  | "product"
  | "transact"
  | "urgentHelp"
  | "webhooks"
>;

/** The checks of `doctor` on our own parts. A check writes at most a lease, which it deletes again. */
export const serviceChecks = [
  checkDatabase,
  checkClock,
  checkCatalogue,
  checkUrgentHelp,
  checkLegal,
  checkLetterhead,
  checkJobs,
  checkEmails,
  checkRefunds,
];

/** Known at once: sends no request, and writes nothing. */
export async function readHealth(services: HealthServices): Promise<Finding[]> {
  const checks = [
    reportCatalogue,
    checkUrgentHelp,
    checkLegal,
    checkLetterhead,
    checkJobs,
    checkEmails,
    checkWebhooks,
    checkRefunds,
  ];
  return (await Promise.all(checks.map((check) => check(services)))).flat();
}

/** Without refunds and failed emails and webhook events, which `listWaiting` lists one by one. */
export async function readOtherHealth(services: HealthServices): Promise<Finding[]> {
  const checks = [reportCatalogue, checkUrgentHelp, checkLegal, checkJobs, checkOverdueEmails];
  return (await Promise.all(checks.map((check) => check(services)))).flat();
}

/** Asks every part; takes as long as the slowest. */
export async function askEveryPart(services: HealthServices): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of [...serviceChecks, checkWebhooks]) findings.push(...(await check(services)));
  return [...findings, ...(await checkParts(services.parts))];
}

/** Opening the database has migrated it. The check writes a lease and deletes it again. */
async function checkDatabase(services: HealthServices): Promise<Finding[]> {
  const { giveBackLease, takeLease } = await import("../../platform/jobs/jobs.ts");
  const { clock, transact } = services;
  const holder = randomUUID();
  const name = `doctor ${holder}`;
  try {
    await transact((trx) => takeLease({ db: trx, clock, holder }, name, SECOND_IN_MS));
    await transact((trx) => giveBackLease({ db: trx, clock, holder }, name));
  } catch (error) {
    return [
      wrong("database", `It can be read but not written to: ${errorText(error)}. Is its disk full, or read-only?`),
    ];
  }
  const demo = await findOldDemo(services);
  if (demo) return [wrong("database", demo)];
  return [ok("database", `${services.database.location}: up to date, and can be written to.`)];
}

/** The members of every demo (`server/cli/demo-data.ts`). */
const DEMO_EMAILS = ["member", "team", "lapsed"].map((name) => `${name}@dormouse.example`);
const DEMO_CODES = ["DORMOUSE-DEMO", "DORMOUSE-ONE", "DORMOUSE-FULL"];

/**
 * The rest of a demo from before demos marked their databases. A start cannot refuse it: real members may be beside it.
 */
async function findOldDemo({ accounts, codes, transact }: HealthServices): Promise<string | undefined> {
  if (await transact(isDemoDatabase)) return undefined;
  const ends: string[] = [];
  for (const email of DEMO_EMAILS) if (await accounts.findByEmail(email)) ends.push(`member close ${email}`);
  for (const code of DEMO_CODES) {
    const found = await codes.findView(code);
    if (found && !found.revokedAt) ends.push(`code revoke ${code}`);
  }
  if (ends.length === 0) return undefined;
  return `An older version's demo made it, and everyone knows its passwords and codes. If it has no members of yours, use an empty one (DATA_DIR or DATABASE_URL). If it has, run: ${ends.join(", ")}.`;
}

/** Each server compares leases, sessions and terms with its own clock. */
const MAX_SKEW_IN_MS = 10 * SECOND_IN_MS;

async function checkClock(services: HealthServices): Promise<Finding[]> {
  if (services.database.engine === "sqlite") return [];
  const before = services.clock();
  const { rows } = await services.transact((trx) => sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx));
  const middle = (before.getTime() + services.clock().getTime()) / 2;
  const skewInMs = Math.abs((rows[0]?.now.getTime() ?? 0) - middle);
  const seconds = Math.round(skewInMs / SECOND_IN_MS);
  return skewInMs <= MAX_SKEW_IN_MS
    ? [ok("clock", "It matches the database's clock.")]
    : [wrong("clock", `It is ${seconds} seconds off the database's. Set both from the same time server.`)];
}

async function checkCatalogue(services: HealthServices): Promise<Finding[]> {
  await services.catalogue.refresh();
  return reportCatalogue(services);
}

async function reportCatalogue({ catalogue }: HealthServices): Promise<Finding[]> {
  const { counts, fault, skipped, losses, isStale, readAt } = catalogue.status();
  const total = sumSections(counts);
  if (fault !== undefined) return [wrong("catalogue", `We can't read the content source: ${fault}.`)];
  const last = readAt ? formatDateTime(readAt) : "never";
  if (isStale)
    return [
      note(
        "catalogue",
        `${total} items, last read: ${last}. No subscriber has logged in since, so we couldn't read them again.`,
      ),
    ];
  if (total === 0) return [wrong("catalogue", "The content source is empty. Members would find nothing.")];
  if (skipped.length > 0) {
    const todo = { command: "see catalogue refresh", desk: "the list says why" };
    return [note("catalogue", `${total} items; ${skipped.length} were left out`, todo)];
  }
  if (losses.length === 0) return [ok("catalogue", `${total} items.`)];
  const todo = { command: "see catalogue status", desk: "the list shows what's missing" };
  return [{ ...ok("catalogue", `${total} items. ${losses.length} are shown in part`), todo }];
}

/** Numbers of help change, and a person in despair calls the one shown. */
async function checkUrgentHelp({ urgentHelp: { reviewed, path }, clock }: HealthServices): Promise<Finding[]> {
  const today = toDay(clock());
  // Days compare as text.
  if (reviewed >= `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`) return [];
  const message = `The phone numbers in ${path} were last checked on ${reviewed}`;
  return [note("urgent help", `${message}, over a year ago. Check them against their sources again.`)];
}

/** A sample names no responsible company, which the law requires of every seller to consumers. */
async function checkLegal({ legal }: HealthServices): Promise<Finding[]> {
  const samples = findSamples(legal);
  return samples === undefined ? [] : [note("privacy and terms", samples)];
}

/** Tax offices require an address on a receipt, and companies must state theirs. */
async function checkLetterhead({ product }: HealthServices): Promise<Finding[]> {
  if (product.letterhead.address.length > 0) return [];
  return [note("receipts and invoices", "They don't show your address. Set INVOICE_SENDER to your name and address.")];
}

/** Longer than any restart takes. */
export const QUIET_LIMIT_IN_MS = 10 * MINUTE_IN_MS;

async function checkJobs({ jobs, clock }: HealthServices): Promise<Finding[]> {
  const all = await jobs.list();
  const last = all.map(({ lastRunAt }) => lastRunAt).reduce(later, undefined);
  if (!last) return [note("jobs", "No server has run on this database yet. Start one.")];
  if (clock() > after(last, QUIET_LIMIT_IN_MS)) {
    return [note("jobs", `No server has run on this database since ${formatDateTime(last)}. Start one.`)];
  }
  const late = all.filter(({ everyInMs, lastRunAt }) => {
    const limit = Math.max(QUIET_LIMIT_IN_MS, 2 * everyInMs);
    return lastRunAt !== undefined && clock() > after(lastRunAt, limit);
  });
  const names = late.map(({ name }) => name).join(", ");
  return [
    late.length === 0
      ? ok("jobs", "They're running.")
      : wrong("jobs", `These haven't run for too long: ${names}. Restart the server.`),
  ];
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a && b && a > b ? a : (b ?? a);
}

/**
 * A failure is wrong for a day, unless an operator acknowledges it; then it is a note. A refusal at an unverified,
 * perhaps mistyped address is a note from the beginning.
 */
async function checkEmails(services: HealthServices): Promise<Finding[]> {
  const { givenUp, lastGivenUpAt, unproved } = await countTrouble(services);
  const { clock } = services;
  const isFresh = lastGivenUpAt !== undefined && lastGivenUpAt > after(clock(), -DAY_IN_MS);
  const todo = {
    command: "see mail list --state failed, then mail resend or mail acknowledge",
    desk: "try them again, or dismiss them",
  };
  const findings = [
    ...(givenUp > 0 ? [(isFresh ? wrong : note)("emails", `${givenUp} couldn't be delivered`, todo)] : []),
    ...(unproved > 0 ? [note("emails", `${unproved} bounced from unconfirmed addresses, which may be mistyped.`)] : []),
    ...(await checkOverdueEmails(services)),
  ];
  return findings.length > 0 ? findings : [ok("emails", "None has failed, and none is late.")];
}

async function checkOverdueEmails(services: HealthServices): Promise<Finding[]> {
  const { overdue } = await countTrouble(services);
  return overdue > 0 ? [wrong("emails", `Waiting for more than ten minutes: ${overdue}. Is a server running?`)] : [];
}

function countTrouble({ outbox, clock }: HealthServices) {
  return outbox.countTrouble(after(clock(), -QUIET_LIMIT_IN_MS));
}

/** A failed event is tried again for days; after the last try an operator must look. */
async function checkWebhooks({ webhooks }: HealthServices): Promise<Finding[]> {
  const failed = await webhooks.listFailed();
  if (failed.length === 0) return [ok("webhook events", "None has failed.")];
  const stuck = failed.filter(({ nextTryAt }) => nextTryAt === undefined).length;
  if (stuck === 0) return [note("webhook events", `${failed.length} failed so far. We'll try again automatically.`)];
  const todo = { command: "see webhook list, then webhook retry", desk: "run them again" };
  return [wrong("webhook events", `${stuck} failed for good, and we've stopped trying`, todo)];
}

async function checkRefunds({ payments }: HealthServices): Promise<Finding[]> {
  const stuck = await payments.listStuck();
  if (stuck.length === 0) return [ok("refunds", "None has failed, and none is late.")];
  const list = stuck.map(({ orderId, amountInPence }) => `order ${orderId} (${formatPenceInFull(amountInPence)})`);
  return [wrong("refunds", `Refund stuck: ${list.join(", ")}. Check it at the gateway and refund it there.`)];
}

/** Longer than any part takes to answer. */
const PART_TIMEOUT_IN_MS = 30 * SECOND_IN_MS;

/** In parallel, so that a silent part delays no other. */
export async function checkParts(parts: Services["parts"]): Promise<Finding[]> {
  return Promise.all(
    Object.entries(parts).map(async ([name, part]) => {
      const { isWell, isNote, message }: PartCheck = await Promise.race([part.check(), timeOut()]).catch(toFault);
      if (!part.isOpen || isNote) return note(name, message);
      return isWell ? ok(name, message) : wrong(name, message);
    }),
  );
}

async function timeOut(): Promise<PartCheck> {
  await delay(PART_TIMEOUT_IN_MS, undefined, { ref: false });
  return { isWell: false, message: "It doesn't answer. Is its address right, and is it running?" };
}

function toFault(error: unknown): PartCheck {
  return { isWell: false, message: `${errorText(error)}.` };
}
