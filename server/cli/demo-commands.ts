import { setTimeout as delay } from "node:timers/promises";

import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../platform/clock.ts";
import type { Config } from "../config.ts";
import { formatPence } from "../platform/format.ts";
import type { Services } from "../services.ts";
import { readSettings, useServices } from "./command-context.ts";
import { type Command, FaultError, type Group, refuse, type Terminal, UsageError } from "./command.ts";
import { demoCommand } from "./demo.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

/* Commands for tests of a demo from outside (docs/automated-tests.md). */

const reset: Command = {
  summary: "put everything back as it was after the first start, while the demo runs",
  example: "demo reset",
  note: "This resets members, sessions, orders and companies, deletes the emails in its folder, and sets the clock to the real time.",
  async run(_input, terminal) {
    const config = await readDemoSettings(terminal);
    const { resetDemo } = await import("./demo-start.ts");
    const startedAt = performance.now();
    const rows = await resetDemo(config);
    const tookInMs = Math.round(performance.now() - startedAt);
    return {
      ok: true,
      text: `The demo is back as it was after its first start (${rows} rows).`,
      json: { rows, tookInMs },
    };
  },
};

const clock: Command = {
  summary: "set the demo's clock, which runs on from there, and run the jobs that are then due",
  words: ["TIME|real|now"],
  example: "demo clock 2027-03-03T02:00",
  note: `TIME is a time in London, such as 2027-03-03T02:00 (add Z or +02:00 for another zone), or +90m, +2h, +30d from what the clock shows.
"now" only shows it. A running server follows before the command ends. Browsers use their own clock.`,
  async run({ words: [word = ""] }, terminal) {
    const config = await readDemoSettings(terminal);
    const { createDemoClock, isDemoClockSet, setDemoClock } = await import("../platform/demo-clock.ts");
    const show = createDemoClock(config.dataDir);
    const instant = word === "now" || word === "real" ? undefined : await readTime(word, show());
    // Refuses a database that no demo has begun, before its clock moves.
    await useServices(config, { terminal }, async () => undefined);
    if (word !== "now") {
      setDemoClock(config.dataDir, instant);
      // New this month lists items.
      await useServices(config, { terminal, hasContentAtOnce: true }, runDueJobs);
    }
    const [at, isReal] = [show(), !isDemoClockSet(config.dataDir)];
    const how = isReal ? "the real time" : "set by hand, and running";
    return {
      ok: true,
      text: `The demo's clock shows ${printInstant(at)} in London: ${how}.`,
      json: { now: at, isReal },
    };
  },
};

const payments: Command = {
  summary: "list the payments you can decide: cards in progress, and Direct Debits not paid out yet",
  example: "demo payments",
  run: async (_input, terminal) =>
    useServices(await readDemoSettings(terminal), { terminal }, async (services) => {
      const open = await requirePayments(services).listOpen();
      const rows = open.map(({ id, kind, amountInPence, description, state, createdAt }) => [
        id,
        kind,
        formatPence(amountInPence),
        description,
        state,
        printInstant(createdAt),
      ]);
      const columns = ["ID", "BY", "AMOUNT", "FOR", "STATE", "MADE"];
      return {
        ok: true,
        text: printTable(columns, rows, { whenEmpty: "No payments are waiting." }),
        json: { payments: open },
      };
    }),
};

const decisions = ["pay", "fail", "wait"] as const;

const payment: Command = {
  summary: "decide a payment in place of the payer and the bank, and tell the product",
  words: ["pay|fail|wait", "ID|all"],
  example: "demo payment fail all",
  note: '"demo payments" lists the IDs. wait means that the money is on its way, until pay or fail.',
  async run({ words: [word = "", id = ""] }, terminal) {
    const decision = decisions.find((each) => each === word);
    if (!decision) throw new UsageError(`Decide a payment with one of ${decisions.join(", ")}, not “${word}”.`);
    return useServices(await readDemoSettings(terminal), { terminal }, async (services) => {
      const gateways = requirePayments(services);
      const ids = id === "all" ? (await gateways.listOpen()).map((each) => each.id) : [id];
      const decided = [];
      for (const each of ids) {
        const done = await gateways.decide(each, decision);
        if (done) decided.push(done);
      }
      if (decided.length === 0)
        return refuse(
          id === "all"
            ? "No payments are waiting."
            : `You can't decide a payment ${id}. "demo payments" lists those you can.`,
        );
      // As after the gateway's webhook, which the server handles each second.
      await runJobs(services, ["handle-webhooks", "send-mail"]);
      const text = decided.map((each) => `${each.id} is now ${each.state}.`).join("\n");
      return { ok: true, text, json: { payments: decided } };
    });
  },
};

export const demoCommands: Group = {
  summary: "try the product, and test it from outside",
  alone: demoCommand,
  commands: { reset, clock, payments, payment },
};

/** @throws {FaultError} unless the settings are a demo's; the wiring and `resetDemo` check the database. */
async function readDemoSettings({ env }: Terminal): Promise<Config> {
  if (env.DEMO !== "true")
    throw new FaultError("This is only for a demo. Put DEMO=true before it, and the demo's DATA_DIR if it has one.");
  const config = await readSettings(env);
  return config;
}

function requirePayments({ demoPayments }: Services) {
  if (!demoPayments) throw new FaultError("These aren't the demo's own payments. Decide them at their provider.");
  return demoPayments;
}

const UNITS: Record<string, number> = { m: MINUTE_IN_MS, h: HOUR_IN_MS, d: DAY_IN_MS };

/** @throws {UsageError} for a word that is no time, or is not between 2000 and 2100. */
async function readTime(word: string, now: Date): Promise<Date> {
  const { fromWall } = await import("../platform/london-calendar.ts");
  const [, count, unit = ""] = /^\+(\d{1,5})([mhd])$/.exec(word) ?? [];
  const [, day = "", time = "00:00", seconds = ":00", zone] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/.exec(word) ?? [];
  const written = new Date(`${day}T${time}${seconds}Z`);
  // February has no 30th day, and no day a 25th hour.
  const isReal = !Number.isNaN(written.getTime()) && written.toISOString().startsWith(`${day}T${time}`);
  const named = zone ? new Date(`${day}T${time}${seconds}${zone}`) : isReal ? fromWall(written) : undefined;
  const instant = count ? after(now, Number(count) * (UNITS[unit] ?? 0)) : isReal ? named : undefined;
  const year = instant?.getUTCFullYear() ?? 0;
  if (!instant || year < 2000 || year > 2100) {
    throw new UsageError(
      `TIME must be a time of this century such as 2027-03-03T02:00, or +90m, +2h, +30d, or real, or now; not “${word}”.`,
    );
  }
  return instant;
}

/** Jobs of one process: a server runs them at their own pace. */
const OF_A_SERVER = new Set(["refresh-catalogue", "note-empty-searches", "send-mail"]);

/** Runs what a server would run by the new time; emails go last, when the other jobs have written them. */
async function runDueJobs(services: Services): Promise<void> {
  const names = services.jobs.names().filter((name) => !OF_A_SERVER.has(name));
  await runJobs(services, [...names, "send-mail"]);
}

const LOOK_AGAIN_AFTER_IN_MS = 20;
const LONGEST_JOB_IN_MS = MINUTE_IN_MS;

async function runJobs({ jobs }: Services, names: string[]): Promise<void> {
  for (const name of names) {
    const until = performance.now() + LONGEST_JOB_IN_MS;
    let result = await jobs.run(name);
    // A server runs it: what it began before may have seen the earlier time.
    while (result === "busy" && performance.now() < until) {
      await delay(LOOK_AGAIN_AFTER_IN_MS);
      result = await jobs.run(name);
    }
    if (result !== "done")
      throw new FaultError(`The job ${name} didn't run (${result}). Try: npm run dormouse -- job run ${name}`);
  }
}
