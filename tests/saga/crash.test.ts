import { cpSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import type { SagaPoint } from "../../server/context.ts";
import { hasManyCases } from "../helpers/many-cases.ts";
import { settleAll, openApp, type App } from "../helpers/app.ts";
import { readEverything } from "../helpers/full-database.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { CODE, EMAIL, continuePayment, journeys, walk, watch, type Journey, type Point } from "./journeys.ts";
import { findRemainder, listFaults, readLedger } from "./ledger.ts";
import type { Errand } from "./saga-process.ts";
import { runUntilKilled } from "./run-until-killed.ts";
import { pay, prepareDraft } from "./visitor.ts";
import {
  createDatabaseCopies,
  type DatabaseCopies,
  type DatabaseCopy,
  type StoredDatabase,
} from "./database-copies.ts";

/**
 * The app is cut off at every point of a journey, then opens on what is left, and the visitor tries again or never
 * returns. Charges, accounts, orders, subscriptions, seats, receipts and emails must be right either way (reliability
 * C1–C25). A PostgreSQL outlives the process, which is killed (SIGKILL) at each point. For SQLite a copy at the point
 * is what a kill leaves; one test compares copies with real kills.
 */
const folder = await mkdtemp(join(tmpdir(), "dormouse-crash-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const copies: Record<Engine, DatabaseCopies> = {
  sqlite: createDatabaseCopies("sqlite", folder),
  postgres: createDatabaseCopies("postgres", folder),
};

/** A draft that only lacks the payment, in an app that has closed. */
async function prepare(engine: Engine, { isCorporate = false }: Pick<Journey, "isCorporate">) {
  const databases = copies[engine];
  const stored = await databases.open();
  const app = await openApp({ engine, database: await openDatabase(stored) });
  await app.services.codes.create({ code: CODE, seats: 3 });
  const company = { accountType: "corporate" as const, code: CODE };
  const token = await prepareDraft(app, { email: EMAIL, ...(isCorporate && company) });
  await app.services.close();
  return { copy: await databases.copy(stored), token, now: app.clock() };
}

const prepared = new Map<string, ReturnType<typeof prepare>>();

function findPrepared(engine: Engine, journey: Journey): ReturnType<typeof prepare> {
  const name = `${engine} ${journey.isCorporate ?? false}`;
  const draft = prepared.get(name) ?? prepare(engine, journey);
  prepared.set(name, draft);
  return draft;
}

type Death = Errand["death"];

/** A dead app's database, and the emails that it had sent. */
type Left = { copy: DatabaseCopy; token: string; now: Date; emails: { id: string; subject: string }[] };

/** Returns where the journey can be cut off, in order, and what would be left there. */
async function listDeaths(journey: Journey): Promise<{ death: Death; left: Left }[]> {
  const { copy, token, now } = await findPrepared("sqlite", journey);
  const stored = await copies.sqlite.restore(copy);
  const clock = createTestClock(now.toISOString());
  const reached: Point[] = [];
  const emails: Left["emails"] = [];
  const deaths: { death: Death; left: Left }[] = [];
  const send = (point: Point) => {
    reached.push(point);
    const time = reached.filter((each) => each === point).length;
    if (!reached.includes(journey.from) || (time > 1 && !journey.isTwice)) return;
    // At once, before anything else can happen.
    deaths.push({ death: { point, time }, left: { copy: copyNow(stored), token, now, emails: [...emails] } });
  };
  const keep = ({ id, subject }: Left["emails"][number]) => void emails.push({ id, subject });
  await using app = await openApp({ ...watch(send, keep), database: await openDatabase(stored), clock });
  await walk(journey.steps, { services: app.services, token, clock, report: send });
  return deaths;
}

let copied = 0;

function copyNow(stored: StoredDatabase): DatabaseCopy {
  const path = stored.kind === "sqlite" ? stored.path : "";
  const to = join(folder, `death-${(copied += 1)}`);
  cpSync(dirname(path), to, { recursive: true });
  return { kind: "sqlite", path: join(to, basename(path)) };
}

const cases = await Promise.all(
  journeys.map(async (journey) => ({ name: journey.name, journey, deaths: await listDeaths(journey) })),
);

const firstDeaths = Map.groupBy(
  cases.flatMap(({ journey, deaths }) => deaths.map(({ death, left }) => ({ journey, death, left }))),
  ({ death }) => death.point,
);
const killed = hasManyCases
  ? [...firstDeaths.values()].flat()
  : [...firstDeaths.values()].flatMap(([first]) => first ?? []);

/** The journey ends with the app's death. */
async function die(engine: Engine, { journey, death }: { journey: Journey; death: Death }): Promise<Left> {
  const { copy, token, now } = await findPrepared(engine, journey);
  const database = await copies[engine].restore(copy);
  const emailsFile = join(await mkdtemp(join(folder, "emails-")), "sent");
  const errand: Errand = { database, token, now: now.toISOString(), steps: journey.steps, death, emailsFile };
  await runUntilKilled("saga-process", errand);
  const lines = await readFile(emailsFile, "utf8").catch(() => "");
  const sent = lines.split("\n").filter((line) => line !== "");
  const emails = sent.map((line) => line.split("\t")).map(([id = "", subject = ""]) => ({ id, subject }));
  const left = await copies[engine].copy(database);
  copies[engine].release(database);
  return { copy: left, token, now, emails };
}

/** Without an answer, the visitor reloads, continues as told, and pays if asked. */
async function loadAgain(app: App, token: string): Promise<void> {
  app.clock.advance(5 * SECOND_IN_MS);
  for (let time = 1; time <= 5; time += 1) {
    await app.services.signUp.settle(token);
    const draft = await app.services.signUp.findDraft(token);
    const view = draft?.payment ?? { state: "none" };
    if (view.state === "completed" || view.state === "refunded") return;
    if (view.state === "unfinished") await continuePayment(app, { ok: true, next: "continue", url: view.actionUrl });
    if (view.state === "none" || view.state === "failed") await pay(app, token, { shownPlanType: draft?.planType });
    if (view.state === "checking") await app.pass(MINUTE_IN_MS);
  }
}

/** The same form again. */
async function payAgain(app: App, token: string): Promise<void> {
  await pay(app, token);
  await loadAgain(app, token);
}

async function goAway(): Promise<void> {
  // The visitor does not return.
}

type Return = typeof goAway | typeof payAgain;

/**
 * Opens the app on the dead one's data and lets it come to rest; returns its books before and after drafts are deleted.
 */
async function reopen(engine: Engine, { copy, token, now, comeBack }: Left & { comeBack: Return }) {
  const stored = await copies[engine].restore(copy);
  const clock = createTestClock(now.toISOString());
  const app = await openApp({ engine, database: await openDatabase(stored), clock });
  await comeBack(app, token);
  const isCompleted = (await app.services.signUp.findDraft(token))?.payment.state === "completed";
  const isLoggedIn = (await app.services.signUp.claimSession(token)) !== undefined;
  await settleAll(app);
  const ledger = await readLedger(app.database.db);
  await app.services.jobs.run("purge-expired");
  const purged = await readLedger(app.database.db);
  await app.services.close();
  copies[engine].release(stored);
  return { ledger, purged, emails: app.emails, isCompleted, isLoggedIn };
}

type Ended = { journey: Journey; left: Left; comeBack: Return };
type Reopened = Awaited<ReturnType<typeof reopen>>;

/** The books agree, and a visitor who tried again is a member. */
function expectRight({ ledger, purged, emails }: Reopened, { journey, left, comeBack }: Ended): void {
  const isTaken = journey.steps.some((step) => step.do === "take-email");
  const isGivenBack = journey.steps.some((step) => step.do === "give-back");
  const parts = journey.steps.flatMap((step) => (step.do === "give-back-part" ? [step.amountInPence] : []));
  expect(listFaults(ledger), comeBack.name).toEqual([]);
  expect({ faults: listFaults(purged), drafts: purged.drafts }).toEqual({ faults: [], drafts: [] });
  expect(ledger.charges.length, comeBack.name).toBeLessThanOrEqual(1);
  expectOneOfEach([...left.emails, ...emails]);
  const charged = ledger.charges.map(findRemainder).filter((pence) => pence > 0);
  if (isTaken || isGivenBack) expect(charged, comeBack.name).toEqual([]);
  if (isGivenBack) expect(ledger.members.map(({ email }) => email)).toEqual([EMAIL]);
  if (isTaken || isGivenBack || comeBack === goAway) return;
  const completed = ledger.orders.filter(({ state }) => state === "completed");
  expect(completed, comeBack.name).toHaveLength(1);
  const back = ledger.partRefunds.reduce((sum, part) => sum + part.amountInPence, 0);
  expect(charged).toEqual(completed.map((order) => order.amountInPence - back).filter((pence) => pence > 0));
  // The operator does not press again: a part decided before the end is made.
  expect(ledger.partRefunds.map((part) => part.amountInPence)).toEqual(parts.slice(0, ledger.partRefunds.length));
  expect(ledger.partRefunds.length > 0, journey.name).toBe(parts.length > 0);
  expect(ledger.members.map(({ email }) => email)).toEqual([EMAIL]);
}

const returns: Return[] = [payAgain, loadAgain, goAway];

describe("an app that dies on sqlite", () => {
  describe.each(cases)("$name", ({ journey, deaths }) => {
    test.each(deaths)(
      "at $death.point, time $death.time: charges and memberships agree, retried or not",
      async ({ left }) => {
        for (const comeBack of returns) {
          const app = await reopen("sqlite", { ...left, comeBack });
          expect(app.isLoggedIn, comeBack.name).toBe(app.isCompleted);
          expectRight(app, { journey, left, comeBack });
        }
      },
    );
  });

  test.each(killed.filter((_, index) => index % 7 === 0))(
    "at $death.point of $journey.name leaves what the copy of that moment has",
    async ({ journey, death, left }) => {
      const real = await die("sqlite", { journey, death });
      expect(real.emails.map(({ subject }) => subject)).toEqual(left.emails.map(({ subject }) => subject));
      expect(await countStates(real.copy)).toEqual(await countStates(left.copy));
    },
  );
});

describe("an app that dies on postgres", () => {
  test.concurrent.each(killed.map(({ journey, death }, index) => ({ journey, death, index })))(
    "at $death.point of $journey.name: charges and memberships agree, retried or not",
    async ({ journey, death, index }) => {
      const left = await die("postgres", { journey, death });
      // The visitor's next step does not depend on the engine: each death has one of the three, in turn.
      for (const comeBack of hasManyCases ? returns : returns.slice(index % 3, (index % 3) + 1)) {
        const app = await reopen("postgres", { ...left, comeBack });
        expect(app.isLoggedIn, comeBack.name).toBe(app.isCompleted);
        expectRight(app, { journey, left, comeBack });
      }
    },
  );
});

/** Rows of each table, and states of everything about money. */
async function countStates(copy: DatabaseCopy) {
  await using database = await openSqliteCopy(copy);
  const rows = await readEverything(database);
  const { orders, payments } = await readLedger(database.db);
  return {
    rows: Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.length])),
    states: [orders, payments].map((table) => table.map(({ state }) => state)),
  };
}

async function openSqliteCopy(copy: DatabaseCopy) {
  const database = await openDatabase(await copies.sqlite.restore(copy));
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** After a death an email may be sent twice; it is then the same one. */
function expectOneOfEach(emails: { id: string; subject: string }[]): void {
  for (const { id, subject } of emails) {
    const same = emails.filter((mail) => mail.subject === subject);
    expect(new Set(same.map((mail) => mail.id)), subject).toEqual(new Set([id]));
    expect(same.length, subject).toBeLessThanOrEqual(2);
  }
}

test("the journeys die at every point of the saga", () => {
  const points: Record<SagaPoint, true> = {
    "order-opening": true,
    "order-opened": true,
    "customer-created": true,
    "customer-noted": true,
    "payment-requested": true,
    "payment-noted": true,
    "order-paid": true,
    "order-completing": true,
    "order-completed": true,
    "session-claimed": true,
    "refund-decided": true,
    "refund-requested": true,
    "refund-noted": true,
    "webhook-stored": true,
    "webhook-handled": true,
  };
  const died = new Set<string>(killed.map(({ death }) => death.point));
  expect(Object.keys(points).filter((point) => !died.has(point))).toEqual([]);
});
