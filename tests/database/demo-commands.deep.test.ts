import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";

import { createCommands } from "../helpers/dormouse.ts";
import { engines } from "../helpers/databases.ts";
import { startDemo } from "../helpers/demo-process.ts";
import { openFolder } from "../helpers/folder.ts";
import { readEverything } from "../helpers/full-database.ts";
import { codeIn, emailsTo, readMailFolder } from "../helpers/mailbox.ts";
import { openOffice } from "../helpers/office.ts";
import { createPostgresDatabase } from "../helpers/postgres-server.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { openProcessBrowser, production } from "../helpers/running-app.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { type Config, readConfig } from "../../server/config.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { setDemoClock } from "../../server/platform/demo-clock.ts";
import { createServices, type Services } from "../../server/services.ts";
import { DEMO_PASSWORD, fillDemo } from "../../server/cli/demo-data.ts";
import { emptyDemo, keepStart, resetDemo } from "../../server/cli/demo-start.ts";

const ADA = "member@dormouse.example";

test.each(["clock real", "reset", "payments", "payment pay all"])(
  "demo %s is refused unless DEMO is true",
  async (line) => {
    await using home = await openFolder();
    for (const env of [production, { ...production, DEMO: "false" }, {}]) {
      const { run } = createCommands({ ...env, DATA_DIR: home.folder });
      expect(await run("demo", ...line.split(" "))).toEqual({
        code: 1,
        stdout: "",
        stderr: "This is only for a demo. Put DEMO=true before it, and the demo's DATA_DIR if it has one.\n",
      });
    }
    expect(existsSync(join(home.folder, "dormouse.sqlite"))).toBe(false);
  },
);

test("production does not look at a demo's clock", async () => {
  await using home = await openFolder();
  const env = { DATA_DIR: home.folder };
  setDemoClock(home.folder, new Date("2099-01-01"));
  const services = await createServices(readConfig({ ...production, ...env }), { hasContentAtOnce: false });
  expect(services.clock().getUTCFullYear()).toBeLessThan(2099);
  await services.close();
});

describe("the clock", () => {
  const near = (ms: number) => ({
    asymmetricMatch: (found: unknown) => Math.abs(Date.parse(String(found)) - ms) < MINUTE_IN_MS,
  });

  test.each([
    ["2027-03-03T02:00", "2027-03-03T02:00:00Z"],
    ["2027-07-03T02:00", "2027-07-03T01:00:00Z"],
    ["2027-07-03T02:00:30Z", "2027-07-03T02:00:30Z"],
    ["2027-07-03T02:00+05:30", "2027-07-02T20:30:00Z"],
    ["2027-07-03", "2027-07-02T23:00:00Z"],
    // The hour that London skips in spring.
    ["2027-03-28T01:30", "2027-03-28T01:30:00Z"],
  ])("set to %s it shows %s, and goes on", async (word, instant) => {
    await using office = await openOffice();
    expect(await office.ask("demo", "clock", word)).toEqual({ now: near(Date.parse(instant)), isReal: false });
    expect(office.services.clock().toISOString()).toEqual(near(Date.parse(instant)));
    expect(await office.ask("demo", "clock", "+30d")).toMatchObject({
      now: near(Date.parse(instant) + 30 * DAY_IN_MS),
    });
    expect(await office.ask("demo", "clock", "now")).toMatchObject({ now: near(Date.parse(instant) + 30 * DAY_IN_MS) });
    const real = await office.run("demo", "clock", "real");
    expect(real.stdout).toContain("in London: the real time.");
    expect(office.services.clock().toISOString()).toEqual(near(Date.now()));
  });

  test.each([
    "2027-02-30",
    "2027-03-03T24:01",
    "tomorrow",
    "+3w",
    "+999999d",
    "1999-12-31",
    "2101-01-01",
    "2027-03-03T02:00+99:00",
  ])("%s is refused, and the clock stays", async (word) => {
    await using home = await openFolder();
    const { run } = createCommands({ DEMO: "true", DATA_DIR: home.folder });
    const { code, stderr } = await run("demo", "clock", word);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`; not “${word}”.`) });
    expect(existsSync(join(home.folder, "demo-clock"))).toBe(false);
  });

  test("a file that another hand has written counts as none", async () => {
    await using office = await openOffice();
    await writeFile(join(office.dataDir, "demo-clock"), "soon");
    expect(office.services.clock().toISOString()).toEqual(near(Date.now()));
  });
});

test("a server that runs follows the clock: a term runs out, its emails are written, codes expire, and reset takes all back", async () => {
  await using home = await openFolder();
  const demo = await startDemo({ DATA_DIR: home.folder });
  const commands = createCommands({ DEMO: "true", DATA_DIR: home.folder, PORT: new URL(demo.url).port });
  const open = () => openProcessBrowser(demo.url.slice(0, -1), new URL(demo.url).origin);
  const logIn = { intent: "log-in", email: ADA, password: DEMO_PASSWORD };
  const readMails = () => readMailFolder(join(home.folder, "outbox"));
  const member = await commands.ask<{ access: { endsAt: string } }>("member", "show", ADA);
  const endsAt = Date.parse(JSON.stringify(member).match(/"endsAt":"([^"]+)"/)?.[1] ?? "");
  const at = (days: number) => new Date(endsAt + days * DAY_IN_MS).toISOString().slice(0, 19) + "Z";

  const before = open();
  await before.post("/login?reset=1", { intent: "request-code", email: ADA });
  expect(await commands.run("demo", "clock", at(-3))).toMatchObject({ code: 0, stderr: "" });
  // The server may be running the job.
  const subjects = async () => emailsTo(ADA, await readMails()).map(({ subject }) => subject);
  await expect.poll(subjects).toContainEqual(expect.stringMatching(/ends/i));
  const active = open();
  expect((await active.post("/login", logIn)).status).toBe(303);
  expect((await active.get("/?view=watch")).status).toBe(200);
  expect((await active.get("/?view=watch")).text).not.toContain("No active subscription.");
  await commands.run("demo", "clock", "+4d");
  expect((await active.get("/")).text).toContain("No active subscription.");

  expect(await commands.run("demo", "reset")).toMatchObject({ code: 0, stderr: "" });
  expect((await active.get("/")).location).toContain("/signup");
  expect((await active.post("/login", logIn)).status).toBe(303);
  expect((await active.get("/")).text).not.toContain("No active subscription.");
  expect(await readMails()).toEqual([]);
  expect(await commands.ask("demo", "clock", "now")).toMatchObject({ isReal: true });
  await demo.stop();
});

/** Its services stay open as a server's would. */
async function openStarted(engine: "sqlite" | "postgres") {
  const home = await openFolder();
  const url = engine === "postgres" ? await createPostgresDatabase(inject("postgresUrl")) : "";
  const config = readConfig({ DEMO: "true", DATA_DIR: home.folder, ...(url && { DATABASE_URL: url }) });
  const services = await createServices(config, { log: createQuietLog(), hasContentAtOnce: false });
  await keepStart(config, () => fillDemo(services));
  return {
    config,
    services,
    read: () => readAll(config),
    async [Symbol.asyncDispose]() {
      await services.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function readAll(config: Config) {
  const database = await openDatabase(config.database);
  const everything = await readEverything(database);
  await database.close();
  return everything;
}

async function change({ accounts, audit }: Services): Promise<void> {
  await accounts.register({
    email: "new@example.org",
    password: DEMO_PASSWORD,
    firstName: "New",
    lastName: "Comer",
    accountType: "individual",
  });
  await audit.record({ operator: "Olive", action: "database move", facts: {} });
}

describe.each(engines)("the beginning of a demo on %s", (engine) => {
  test("reset brings back every row, ids go on where they were, and the search of members finds who is there", async () => {
    await using started = await openStarted(engine);
    const { config, services } = started;
    const before = await started.read();
    await change(services);
    expect(await started.read()).not.toEqual(before);
    expect(await resetDemo(config)).toBe(Object.values(before).flat().length - (before["migrations"]?.length ?? 0));
    expect(await started.read()).toEqual(before);
    const search = async (text: string) => (await services.accounts.search({ search: text, size: 9 })).length;
    expect([await search("lovell"), await search("comer")]).toEqual([1, 0]);
    await change(services);
    expect((await services.accounts.findByEmail("new@example.org"))?.id).toBe(before["members"]!.length + 1);
  });

  test("a second start makes no new copy, and --fresh empties what a demo has begun", async () => {
    await using started = await openStarted(engine);
    const { config, services } = started;
    const before = await started.read();
    await change(services);
    await keepStart(config, () => fillDemo(services));
    await resetDemo(config);
    expect(await started.read()).toEqual(before);
    await change(services);
    await services.close();
    await emptyDemo(config);
    const emptied = await readAll(config);
    expect(Object.entries(emptied).filter(([name, rows]) => rows.length > 0 && name !== "migrations")).toEqual([]);
  });

  test("no command, filling or start of a demo touches a database that no demo has begun", async () => {
    await using home = await openFolder();
    const url = engine === "postgres" ? await createPostgresDatabase(inject("postgresUrl")) : "";
    const place = { DATA_DIR: home.folder, ...(url && { DATABASE_URL: url }) };
    const real = await createServices(readConfig({ ...production, ...place }), { hasContentAtOnce: false });
    await change(real);
    await real.close();
    // As a demo leaves it in this folder.
    await writeFile(join(home.folder, "demo-start.gz"), "");
    const config = readConfig({ DEMO: "true", ...place });
    const before = await readAll(config);
    const { run } = createCommands({ DEMO: "true", ...place });
    const refused = { code: 1, stdout: "", stderr: expect.stringContaining("no demo made this database") };
    const lines = ["reset", "clock +400d", "clock real", "clock now", "payments", "payment pay all"];
    for (const line of lines) expect(await run("demo", ...line.split(" "))).toEqual(refused);
    expect(await run("job", "run", "purge-expired")).toEqual(refused);
    await expect(createServices(config)).rejects.toThrow("no demo made this database");
    await expect(emptyDemo(config)).rejects.toThrow(
      "This database wasn't made by a demo, or only by a version that left no mark in it. Name another",
    );
    expect(await readAll(config)).toEqual(before);
    expect(existsSync(join(home.folder, "demo-clock"))).toBe(false);
  });

  test("production refuses a demo's database, also where it was restored, moved or emptied of its members", async () => {
    await using started = await openStarted(engine);
    const { config, services } = started;
    await services.close();
    const refused = "A demo made this database, and everyone knows its passwords and codes";
    const place = { DATA_DIR: config.dataDir, ...("url" in config.database && { DATABASE_URL: config.database.url }) };
    await expect(createServices(readConfig({ ...production, ...place }))).rejects.toThrow(refused);
    const file = join(config.dataDir, "backup.gz");
    await createCommands({ DEMO: "true", ...place }).run("database", "backup", file);

    await using home = await openFolder();
    const ours = createCommands({ ...production, DATA_DIR: home.folder });
    await ours.run("code", "create", "--seats", "1");
    expect(await ours.run("database", "restore", file, "--replace")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(refused),
    });
    expect(await ours.ask<{ codes: object[] }>("code", "list")).toMatchObject({ codes: [{ seats: 1 }] });
    if (engine === "postgres") return;
    const url = await createPostgresDatabase(inject("postgresUrl"));
    const move = await createCommands({ ...production, ...place }).run("database", "move", "--to", url);
    expect(move).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) });
    await createCommands({ DEMO: "true", ...place }).run("database", "move", "--to", url);
    await expect(createServices(readConfig({ ...production, DATABASE_URL: url }))).rejects.toThrow(refused);
  });
});

test("--fresh refuses a file that a server has open", async () => {
  await using started = await openStarted("sqlite");
  await expect(emptyDemo(started.config)).rejects.toThrow("is in use: stop the server");
});

describe("payments", () => {
  test("a company's Direct Debit waits, fails and is paid, as commands say", async () => {
    await using office = await openOffice();
    const { companies, demoGateways } = office.services;
    const links = { returnUrl: "http://localhost/?agreed", exitUrl: "http://localhost/?left" };
    const acme = { name: "Acme", contactEmail: "people@acme.example", accounts: 50, priceInPence: 60_000 };
    const made = await companies.create(acme, links);
    if (!made.ok) throw new Error(made.reason);
    expect((await office.run("demo", "payments")).stdout).toBe("No payments are waiting.\n");
    const bank = { accountHolderName: "Acme", accountNumber: "55779911", sortCode: "20-00-00" };
    await demoGateways?.agreeDebit(made.authorisationUrl.split("/").at(-1) ?? "", bank);
    await office.run("job", "run", "handle-webhooks");
    const show = () => office.ask<{ state: string; collections: object[] }>("company", "show", "Acme");
    expect(await show()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });

    const { payments } = await office.ask<{ payments: { id: string }[] }>("demo", "payments");
    expect(payments).toEqual([
      expect.objectContaining({ kind: "Direct Debit", amountInPence: 60_000, state: "confirmed" }),
    ]);
    const id = payments[0]?.id ?? "";
    expect(await office.run("demo", "payment", "wait", id)).toEqual({
      code: 0,
      stdout: `${id} is now pending.\n`,
      stderr: "",
    });
    expect(await show()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    await office.run("demo", "payment", "fail", "all");
    expect(await show()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    expect(await office.run("demo", "payment", "pay", id)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("You can't decide"),
    });
    expect(await office.run("demo", "payment", "pay", "all")).toMatchObject({
      code: 1,
      stderr: "No payments are waiting.\n",
    });
  });

  test("a card payment under way waits, then pays, and the visitor is a member", async () => {
    const demo = await startDemo();
    const commands = createCommands({ DEMO: "true", DATA_DIR: demo.dataDir });
    const { post } = openProcessBrowser(demo.url.slice(0, -1), new URL(demo.url).origin);
    const email = "nora@example.org";
    const password = { password: "moss-lantern-42", passwordConfirmation: "moss-lantern-42" };
    await post("/signup?step=1", {
      intent: "details",
      accountType: "individual",
      code: "",
      firstName: "Nora",
      lastName: "Penn",
      email,
      ...password,
    });
    await commands.run("job", "run", "send-mail");
    const folder = join(demo.dataDir, "outbox");
    await expect.poll(async () => emailsTo(email, await readMailFolder(folder))).toHaveLength(1);
    await post("/signup?step=2", { intent: "verify", oneTimeCode: codeIn((await readMailFolder(folder))[0]) });
    await post("/signup?step=2", { intent: "plan", planType: "3" });
    const paying = await post("/signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" });
    expect(paying.location).toContain("/demo-gateway/card/");
    const list = async () => (await commands.ask<{ payments: object[] }>("demo", "payments")).payments;
    expect(await list()).toEqual([
      expect.objectContaining({ kind: "card", amountInPence: 6000, state: "requires-action" }),
    ]);
    await commands.run("demo", "payment", "wait", "all");
    expect(await list()).toEqual([expect.objectContaining({ state: "processing" })]);
    expect(await commands.run("demo", "payment", "pay", "all")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("is now succeeded."),
    });
    expect(await commands.ask("member", "show", email)).toMatchObject({ email });
    await demo.stop();
  });
});
