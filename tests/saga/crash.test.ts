import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";

import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import { openDatabase, type Engine } from "../../server/database/database.ts";
import type { SagaPoint } from "../../server/context.ts";
import { engines } from "../helpers/databases.ts";
import { compiled } from "../helpers/dormouse.ts";
import { openHouse, type House } from "../helpers/house.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { CODE, EMAIL, goOn, journeys, walk, watch, type Journey, type Point } from "./journeys.ts";
import { keptOf, listFaults, readLedger } from "./ledger.ts";
import type { Errand } from "./saga-process.ts";
import { pay, prepareDraft } from "./visitor.ts";
import { createYard, type Wreck, type Yard } from "./wreckage.ts";

/**
 * A process of the house is killed (SIGKILL) at every point that a journey reaches, on both engines. Then the house opens again on
 * what is left, and the visitor tries again or never comes back: either way charges, accounts, orders, subscriptions, seats, receipts
 * and letters must be exactly what they should be (reliability C1–C25).
 */
const folder = await mkdtemp(join(tmpdir(), "dormouse-crash-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const yards: Record<Engine, Yard> = {
  sqlite: createYard("sqlite", folder),
  postgres: createYard("postgres", folder),
};

/** A draft that only has to be paid for, in a house that has closed. */
async function prepare(engine: Engine, { isCorporate = false }: Pick<Journey, "isCorporate">) {
  const yard = yards[engine];
  const stored = await yard.open();
  const house = await openHouse(engine, { database: await openDatabase(stored) });
  await house.rooms.codes.create({ code: CODE, seats: 3 });
  const company = { accountType: "corporate" as const, code: CODE };
  const token = await prepareDraft(house, { email: EMAIL, ...(isCorporate && company) });
  await house.rooms.close();
  return { wreck: await yard.keep(stored), token, now: house.clock() };
}

const prepared = new Map<string, ReturnType<typeof prepare>>();

function findPrepared(engine: Engine, journey: Journey): ReturnType<typeof prepare> {
  const name = `${engine} ${journey.isCorporate ?? false}`;
  const draft = prepared.get(name) ?? prepare(engine, journey);
  prepared.set(name, draft);
  return draft;
}

type Death = Errand["death"];

/** Where a journey can be cut off: the points it reaches, in order, found by taking it once. */
async function listDeaths(journey: Journey): Promise<Death[]> {
  const { wreck, token, now } = await findPrepared("sqlite", journey);
  const database = await openDatabase(await yards.sqlite.lay(wreck));
  const clock = createTestClock(now.toISOString());
  const reached: Point[] = [];
  const tell = (point: Point) => void reached.push(point);
  await using house = await openHouse("sqlite", { ...watch(tell, () => undefined), database, clock });
  await walk(journey.steps, { rooms: house.rooms, token, clock, tell });
  const deaths = reached.map((point, place) => ({
    point,
    time: reached.slice(0, place + 1).filter((each) => each === point).length,
  }));
  return deaths.slice(reached.indexOf(journey.from)).filter(({ time }) => time === 1 || journey.isTwice);
}

const cases = await Promise.all(
  journeys.map(async (journey) => ({ name: journey.name, journey, deaths: await listDeaths(journey) })),
);

/** What a dead house leaves: its database, and the letters that had left it. */
type Left = { wreck: Wreck; token: string; now: Date; letters: { id: string; subject: string }[] };

/** Sends a house on a journey that ends with its death. */
async function die(engine: Engine, { journey, death }: { journey: Journey; death: Death }): Promise<Left> {
  const { wreck, token, now } = await findPrepared(engine, journey);
  const database = await yards[engine].lay(wreck);
  const lettersFile = join(await mkdtemp(join(folder, "letters-")), "sent");
  const errand: Errand = { database, token, now: now.toISOString(), steps: journey.steps, death, lettersFile };
  const house = spawn(process.execPath, [inject("programs")["saga-process"], JSON.stringify(errand)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code, signal] = (await once(house, "exit")) as [number | null, NodeJS.Signals | null];
  expect({ code, signal }, "the house dies where it should").toEqual({ code: null, signal: "SIGKILL" });
  const lines = await readFile(lettersFile, "utf8").catch(() => "");
  const sent = lines.split("\n").filter((line) => line !== "");
  const letters = sent.map((line) => line.split("\t")).map(([id = "", subject = ""]) => ({ id, subject }));
  const left = await yards[engine].keep(database);
  yards[engine].giveBack(database);
  return { wreck: left, token, now, letters };
}

/** What a visitor does whose browser was answered nothing: loads the page again, goes on where it says, pays if it asks. */
async function loadAgain(house: House, token: string): Promise<void> {
  house.clock.advance(5 * SECOND_IN_MS);
  for (let time = 1; time <= 5; time += 1) {
    await house.rooms.signUp.settle(token);
    const draft = await house.rooms.signUp.findDraft(token);
    const view = draft?.payment ?? { state: "none" };
    if (view.state === "completed" || view.state === "refunded") return;
    if (view.state === "unfinished") await goOn(house, { ok: true, next: "continue", url: view.actionUrl });
    if (view.state === "none" || view.state === "failed") await pay(house, token, { shownPlanType: draft?.planType });
    if (view.state === "checking") await house.pass(MINUTE_IN_MS);
  }
}

/** The form is sent again as it was. */
async function payAgain(house: House, token: string): Promise<void> {
  await pay(house, token);
  await loadAgain(house, token);
}

async function goAway(): Promise<void> {
  // Nobody comes back.
}

type Return = typeof goAway | typeof payAgain;

/** Opens the house again on what the dead one left, and lets it come to rest; answers its books before and after drafts are forgotten. */
async function reopen(engine: Engine, { wreck, token, now, comeBack }: Left & { comeBack: Return }) {
  const stored = await yards[engine].lay(wreck);
  const clock = createTestClock(now.toISOString());
  const house = await openHouse(engine, { database: await openDatabase(stored), clock });
  await comeBack(house, token);
  await house.comeToRest();
  const ledger = await readLedger(house.database.db);
  await house.rooms.tasks.run("purge-expired");
  const purged = await readLedger(house.database.db);
  await house.rooms.close();
  yards[engine].giveBack(stored);
  return { ledger, purged, letters: house.letters };
}

describe.each(engines)("a house that dies on %s", (engine) => {
  describe.each(cases)("$name", ({ journey, deaths }) => {
    const isTaken = journey.steps.some((step) => step.do === "take-email");

    test.concurrent.each(deaths)(
      "at $point, time $time: who tries again and who goes away are done right by",
      async (death) => {
        const left = await die(engine, { journey, death });
        for (const comeBack of [payAgain, loadAgain, goAway]) {
          const { ledger, purged, letters } = await reopen(engine, { ...left, comeBack });
          expect(listFaults(ledger), comeBack.name).toEqual([]);
          expect({ faults: listFaults(purged), drafts: purged.drafts }).toEqual({ faults: [], drafts: [] });
          expect(ledger.charges.length, comeBack.name).toBeLessThanOrEqual(1);
          expectOneOfEach([...left.letters, ...letters]);
          const kept = ledger.charges.map(keptOf).filter((pence) => pence > 0);
          if (isTaken) expect(kept, comeBack.name).toEqual([]);
          if (isTaken || comeBack === goAway) continue;
          const completed = ledger.orders.filter(({ state }) => state === "completed");
          expect(completed, comeBack.name).toHaveLength(1);
          expect(kept).toEqual(completed.map((order) => order.amount_in_pence).filter((pence) => pence > 0));
          expect(ledger.members.map(({ email }) => email)).toEqual([EMAIL]);
        }
      },
    );
  });
});

/** A letter may leave twice when the house dies before it could note that it had; then it is the same one. */
function expectOneOfEach(letters: { id: string; subject: string }[]): void {
  for (const { id, subject } of letters) {
    const same = letters.filter((letter) => letter.subject === subject);
    expect(new Set(same.map((letter) => letter.id)), subject).toEqual(new Set([id]));
    expect(same.length, subject).toBeLessThanOrEqual(2);
  }
}

test("the journeys die at every point of the saga", () => {
  const points: Record<SagaPoint, true> = {
    "order-opening": true,
    "order-opened": true,
    "customer-created": true,
    "customer-noted": true,
    "payment-asked": true,
    "payment-noted": true,
    "order-paid": true,
    "order-completing": true,
    "order-completed": true,
    "refund-asked": true,
    "refund-noted": true,
    "notice-kept": true,
    "notice-handled": true,
  };
  const died = new Set<string>(cases.flatMap(({ deaths }) => deaths.map(({ point }) => point)));
  expect(Object.keys(points).filter((point) => !died.has(point))).toEqual([]);
});
