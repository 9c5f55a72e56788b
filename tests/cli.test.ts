import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";

import { fillDemo } from "../server/cli/demo-data.ts";
import { after, DAY_IN_MS } from "../server/clock.ts";
import { readConfig } from "../server/config.ts";
import { createRooms, type Rooms } from "../server/rooms.ts";
import { startDemo } from "./helpers/demo-process.ts";
import { createDormouse, type Dormouse } from "./helpers/dormouse.ts";
import { codeIn, lettersTo, readMailFolder } from "./helpers/mailbox.ts";
import { createPostgresDatabase } from "./helpers/postgres-server.ts";
import { createQuietLog } from "./helpers/quiet-log.ts";

const production = {
  ORIGIN: "https://members.example.org",
  SESSION_SECRET: "c2xlZXAtd2VsbC10b25pZ2h0LW9yLW5vdC1hdC1hbGw",
  CONTACT_URL: "https://www.example.org/contact",
  CONTACT_EMAIL: "hello@example.org",
};

/** The same commands, which take a third of the time to start. */
const createQuick = (env: Record<string, string>) => createDormouse(env, inject("programs").dormouse);

type Office = AsyncDisposable & Dormouse & { rooms: Rooms; dataDir: string; env: Record<string, string> };

/** A demo's data without its server: commands on one side, the rooms on the other. */
async function openOffice(more: Record<string, string> = {}): Promise<Office> {
  const dataDir = await mkdtemp(join(tmpdir(), "dormouse-office-"));
  const env = { DEMO: "true", DATA_DIR: dataDir, DORMOUSE_OPERATOR: "Olive Operator", ...more };
  const rooms = await createRooms(readConfig(env), { log: createQuietLog(), hasContentAtOnce: false });
  await fillDemo(rooms);
  return {
    ...createQuick(env),
    rooms,
    dataDir,
    env,
    async [Symbol.asyncDispose]() {
      await rooms.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

test("help needs neither settings nor a database, and is told on stdout", async () => {
  const dataDir = join(tmpdir(), "dormouse-never-made");
  const { run } = createDormouse({ DATA_DIR: dataDir });
  const [all, one, mistake, bare] = await Promise.all([
    run("--help"),
    run("code", "create", "--help"),
    run("code", "create", "--seats", "many"),
    run("code", "list"),
  ]);
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("  catalogue  "), stderr: "" });
  expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /), stderr: "" });
  const sentence = "--seats must be a whole number from 1 to 1000000, not “many”.\n";
  expect(mistake).toEqual({ code: 2, stdout: "", stderr: sentence });
  expect(bare).toMatchObject({ code: 1, stdout: "" });
  for (const name of Object.keys(production)) expect(bare.stderr).toContain(`${name} is missing`);
  expect(bare.stderr).not.toContain("    at ");
  expect(existsSync(dataDir)).toBe(false);
});

test("a company is created, agrees on the printed page, and its people join until the code is revoked", async () => {
  const demo = await startDemo();
  const { run, ask } = createQuick({ DEMO: "true", DATA_DIR: demo.dataDir });
  const create = ["company", "create", "--name", "Pillow Works", "--email", "hr@pillow.example", "--accounts", "50"];
  const created = await run(...create, "--price", "1500.00");
  expect(created).toMatchObject({ code: 0, stderr: "" });
  const code = /^Code +(\S+)$/m.exec(created.stdout)?.[1] ?? "";
  const page = /^Direct Debit page +http:\/\/localhost:3000\/(\S+)$/m.exec(created.stdout)?.[1] ?? "";
  expect(created.stdout).toMatch(/^Price a year +£1,500\.00$/m);
  expect(created.stdout).toMatch(/^It works until +\d\d\/\d\d\/\d{4} \d\d:\d\d$/m);
  expect(created.stdout).toMatch(/^Mailed to +hr@pillow\.example$/m);
  expect((await run("code", "show", code)).stdout).toContain("no: its company has not agreed yet");
  await expect.poll(() => readMailFolder(join(demo.dataDir, "outbox"))).toHaveLength(1);
  const [letter] = await readMailFolder(join(demo.dataDir, "outbox"));
  expect(letter).toMatchObject({ to: "hr@pillow.example", text: expect.stringContaining(page) });

  const post = openBrowser(demo.url);
  const bank = { accountHolderName: "Pillow Works", accountNumber: "55779911", sortCode: "20-00-00" };
  expect((await post(page, { intent: "agree", ...bank })).status).toBe(303);
  await run("task", "run", "handle-notices");
  await expect
    .poll(() => ask("company", "show", "pillow works"))
    .toMatchObject({
      state: "live",
      seatsTaken: 0,
      priceInPence: 150_000,
      collections: [{ period: 0, amountInPence: 150_000, state: "confirmed" }],
    });
  expect((await run("company", "list")).stdout).toMatch(/Pillow Works +live +\S+ +0 of 50 +£1,500\.00/);
  expect(await run("company", "link", "Pillow Works")).toMatchObject({ code: 1, stdout: "" });

  const nora = { firstName: "Nora", lastName: "Penn", email: "nora@pillow.example" };
  const password = { password: "moss-lantern-42", passwordConfirmation: "moss-lantern-42" };
  const details = { intent: "details", accountType: "corporate", code, ...nora, ...password };
  expect((await post("signup?step=1", details)).status).toBe(303);
  const findLetter = async () => lettersTo(nora.email, await readMailFolder(join(demo.dataDir, "outbox"))).at(-1);
  await expect.poll(findLetter).toBeDefined();
  const verification = { intent: "verify", oneTimeCode: codeIn(await findLetter()) };
  expect((await post("signup?step=2", verification)).status).toBe(303);
  expect((await post("signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA" })).status).toBe(303);

  const shown = await run("code", "show", code);
  expect(shown.stdout).toMatch(/^Works now +yes$/m);
  expect(shown.stdout).toMatch(/^Seats taken +1 of 50$/m);
  expect(shown.stdout).toMatch(/Nora Penn +nora@pillow\.example +\d\d\//);
  expect(await run("code", "revoke", code)).toMatchObject({ code: 0, stderr: "" });
  expect(await ask("code", "show", code)).toMatchObject({
    isValid: false,
    fault: "revoked",
    company: { name: "Pillow Works" },
    holders: [{ name: "Nora Penn", email: nora.email }],
  });
  const late = await openBrowser(demo.url)("signup?step=1", { ...details, email: "late@pillow.example" });
  expect(late).toMatchObject({ status: 400, text: expect.stringContaining("This code is no longer in use.") });
  await demo.stop();
});

/** Posts forms as a browser does, and keeps its cookies. */
function openBrowser(site: string) {
  const cookies = new Map<string, string>();
  return async (path: string, fields: Record<string, string>) => {
    const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await fetch(site + path, {
      method: "POST",
      headers: { Origin: new URL(site).origin, Cookie },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text() };
  };
}

describe("codes and companies", () => {
  test("a code works from its first day to its last, in London", async () => {
    await using office = await openOffice();
    const args = ["--code", "pillow-27", "--seats", "20", "--starts", "01/07/2027", "--ends", "2027-12-31"];
    expect(await office.ask("code", "create", ...args, "--products", "117,118")).toEqual({
      code: "pillow-27",
      isValid: false,
      fault: "not-started",
      seats: 20,
      seatsTaken: 0,
      startsAt: "2027-06-30T23:00:00.000Z",
      endsAt: "2027-12-31T23:59:59.999Z",
      revokedAt: null,
      createdAt: expect.any(String),
      products: [117, 118],
      company: null,
    });
    expect((await office.run("code", "show", "PILLOW-27")).stdout).toMatch(/^Until +31\/12\/2027 23:59$/m);
    const refusals = await Promise.all([
      office.run("code", "create", "--code", "PILLOW-27", "--seats", "1"),
      office.run("code", "create", "--code", "-", "--seats", "1"),
      office.run("code", "create", "--seats", "1", "--starts", "02/01/2027", "--ends", "01/01/2027"),
      office.run("code", "show", "NOBODYS"),
      office.run("code", "revoke", "NOBODYS"),
    ]);
    expect(refusals.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [1, "There is a code “PILLOW-27” already: take another one."],
      [2, expect.stringMatching(/^--code must be /)],
      [2, "--ends must come after --starts, which is now if it is not given."],
      [1, "There is no code “NOBODYS”."],
      [1, "There is no code “NOBODYS”."],
    ]);
    await office.run("code", "revoke", "pillow-27");
    expect((await office.run("code", "revoke", "pillow-27")).stderr).toMatch(/has been revoked before, on \d\d\//);
    expect(await office.rooms.audit.list(9)).toMatchObject([
      { operator: "Olive Operator", action: "code revoke", facts: { code: "pillow-27" } },
      { operator: "Olive Operator", action: "code create", facts: { code: "pillow-27", seats: 20 } },
    ]);
  });

  test("the lists are tables for people and one object for programs", async () => {
    await using office = await openOffice();
    const table = (await office.run("code", "list")).stdout.split("\n");
    expect(table[0]).toMatch(/^CODE +WORKS +SEATS +FROM +UNTIL +COMPANY$/);
    expect(table.find((line) => line.startsWith("DORMOUSE-FULL"))).toMatch(/no: no seat is left +1 of 1/);
    expect(table.find((line) => line.startsWith("DORMOUSE-OLD"))).toMatch(/no: it has ended/);
    const { codes } = await office.ask<{ codes: { code: string; isValid: boolean }[] }>("code", "list");
    expect(Object.fromEntries(codes.map(({ code, isValid }) => [code, isValid]))).toEqual({
      "DORMOUSE-DEMO": true,
      "DORMOUSE-FULL": false,
      "DORMOUSE-OLD": false,
      "DORMOUSE-ONE": true,
    });
    expect(await office.run("company", "list")).toEqual({ code: 0, stdout: "There are no companies.\n", stderr: "" });
  });

  test("a company has a fresh page when it asks, by mail too, and there is one of a name", async () => {
    await using office = await openOffice({ ORIGIN: "https://demo.example.org" });
    const create = ["company", "create", "--name", "Pillow Works", "--email", "hr@pillow.example", "--accounts", "5"];
    const made = await office.ask<{ authorisationUrl: string; id: number }>(
      ...create,
      "--price",
      "0.29",
      "--code",
      "PILLOW",
    );
    expect(Object.keys(made).toSorted()).toEqual(
      "accounts authorisationUrl code contactEmail createdAt expiresAt graceEndsAt id liveSince name priceInPence seatsTaken state".split(
        " ",
      ),
    );
    expect(made).toMatchObject({ code: "PILLOW", priceInPence: 29, state: "setting-up" });
    expect(made.authorisationUrl).toMatch(/^https:\/\/demo\.example\.org\/demo-gateway\/debit\//);
    const link = await office.ask<{ authorisationUrl: string }>("company", "link", String(made.id), "--mail");
    expect(link.authorisationUrl).not.toBe(made.authorisationUrl);
    const letters = await office.rooms.outbox.list({ limit: 9 });
    expect(letters.map(({ kind, to }) => [kind, to])).toEqual([
      ["company-mandate", "hr@pillow.example"],
      ["company-mandate", "hr@pillow.example"],
    ]);

    const refusals = await Promise.all([
      office.run(...create.with(3, " pillow  works "), "--price", "1.00"),
      office.run(...create.with(3, "Other"), "--price", "1.00", "--code", "pillow"),
      office.run(...create.with(3, "Other"), "--price", "0.00"),
      office.run("company", "show", "Nobody"),
      office.run("company", "link", "99"),
    ]);
    expect(refusals.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [1, "There is a company “pillow  works” already: `company link` opens its page again."],
      [1, "There is a code “pillow” already: take another one."],
      [2, "--price must be from 0.01 to 1000000.00."],
      [1, "There is no company “Nobody”."],
      [1, "There is no company “99”."],
    ]);
    expect(await office.rooms.companies.list()).toHaveLength(1);
  });

  test("where no Direct Debit is configured, no company is half made", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "dormouse-closed-"));
    const { run } = createQuick({ ...production, DATA_DIR: dataDir });
    const create = ["company", "create", "--name", "P", "--email", "a@b.example", "--accounts", "5", "--price", "1.00"];
    const first = await run(...create);
    expect(first).toMatchObject({ code: 1, stdout: "" });
    expect(first.stderr).toContain("There was no database, so this begins a new one");
    expect(first.stderr).toContain("No Direct Debit is configured");
    expect((await run("company", "list")).stdout).toBe("There are no companies.\n");
    expect((await run("code", "list")).stdout).toBe("There are no codes.\n");
    await rm(dataDir, { recursive: true });
  });
});

describe("members", () => {
  test("they are listed, found and shown", async () => {
    await using office = await openOffice();
    const [table, found, nobody, second] = await Promise.all([
      office.run("member", "list"),
      office.ask("member", "list", "--search", "LOVELL"),
      office.run("member", "list", "--search", "nobody"),
      office.run("member", "list", "--limit", "2", "--page", "2"),
    ]);
    expect(table.stdout).toMatch(
      /^ID +NAME +E-MAIL +TYPE +ACCESS\n\d +Lena Marsh +lapsed@dormouse\.example +individual +none\n/,
    );
    expect(table.stdout).toMatch(/Ada Lovell +member@dormouse\.example +individual +until \d\d\/\d\d\/\d{4} \d\d:\d\d/);
    expect(table.stdout).toContain("\n3 of 3, page 1\n");
    expect(second.stdout).toContain("\n1 of 3, page 2\n");
    expect(nobody.stdout).toBe("There is no such member.\n");
    expect(found).toEqual({
      total: 1,
      page: 1,
      limit: 50,
      members: [
        {
          id: 1,
          email: "member@dormouse.example",
          firstName: "Ada",
          lastName: "Lovell",
          accountType: "individual",
          createdAt: expect.any(String),
          eraseAt: null,
          isActive: true,
          accessEndsAt: expect.any(String),
        },
      ],
    });
    const [byEmail, byNumber, team, strangers] = await Promise.all([
      office.run("member", "show", "MEMBER@dormouse.example"),
      office.run("member", "show", "1"),
      office.ask("member", "show", "team@dormouse.example"),
      Promise.all(["99", "nobody@dormouse.example"].map((who) => office.run("member", "show", who))),
    ]);
    expect(byEmail).toEqual(byNumber);
    expect(byEmail.stdout).toMatch(/^Name +Ada Lovell$/m);
    expect(byEmail.stdout).toMatch(/^12 months +.* an operator/m);
    expect(team).toMatchObject({
      accountType: "corporate",
      seats: [{ code: "DORMOUSE-FULL" }],
      receipts: [],
      actions: [],
    });
    expect(strangers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, "There is no member with the number 99.\n"],
      [1, "There is no member with the address nobody@dormouse.example.\n"],
    ]);
  });

  test("access ends, comes back and is added to, each on the record", async () => {
    await using office = await openOffice();
    const { rooms, run, ask } = office;
    const team = "team@dormouse.example";
    const { id = 0 } = (await rooms.accounts.findByEmail(team)) ?? {};
    const { token } = await rooms.sessions.start(id);
    const before = await rooms.membership.findAccess(id);

    const ended = await run("member", "deactivate", team);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("Sessions ended: 1. Seat freed: DORMOUSE-FULL.");
    expect(await rooms.membership.findAccess(id)).toEqual({ isActive: false });
    expect(await rooms.sessions.find(token)).toBeUndefined();
    expect((await rooms.codes.find("DORMOUSE-FULL"))?.seatsTaken).toBe(0);
    expect(await run("member", "deactivate", team)).toMatchObject({ code: 1, stdout: "" });

    expect(await ask("member", "activate", team)).toMatchObject({
      change: "restored",
      seat: "DORMOUSE-FULL",
      months: null,
    });
    expect(await rooms.membership.findAccess(id)).toEqual(before);
    expect((await rooms.codes.find("DORMOUSE-FULL"))?.seatsTaken).toBe(1);
    expect((await run("member", "activate", team)).stderr).toMatch(/has access until .* already: --months adds a term/);

    const lapsed = await ask("member", "activate", "lapsed@dormouse.example");
    expect(lapsed).toMatchObject({ change: "granted", months: 12, seat: null });
    const more = await ask<{ endsAt: string }>("member", "activate", "lapsed@dormouse.example", "--months", "1");
    expect(Date.parse(more.endsAt)).toBeGreaterThan(Date.parse(String(lapsed.endsAt)) + 27 * DAY_IN_MS);

    expect((await rooms.audit.listFor(id)).map(({ operator, action }) => [operator, action])).toEqual([
      ["Olive Operator", "member activate"],
      ["Olive Operator", "member deactivate"],
    ]);
    expect((await run("member", "show", team)).stdout).toMatch(/Olive Operator +member deactivate/);
    expect(await rooms.audit.list(9)).toHaveLength(4);
  });

  test("a seat that somebody else has taken meanwhile stays theirs", async () => {
    await using office = await openOffice();
    const { rooms, run } = office;
    await run("member", "deactivate", "team@dormouse.example");
    const ada = await rooms.accounts.findByEmail("member@dormouse.example");
    await rooms.transact((trx) => rooms.codes.takeSeat({ code: "DORMOUSE-FULL", memberId: ada?.id ?? 0 }, trx));
    const back = await run("member", "activate", "team@dormouse.example");
    expect(back.stdout).toContain("No seat of DORMOUSE-FULL was to be had.");
    expect((await rooms.codes.find("DORMOUSE-FULL"))?.holders).toMatchObject([{ memberId: ada?.id }]);
  });

  test("a renewal link is one that the house itself would mail", async () => {
    await using office = await openOffice({ ORIGIN: "https://demo.example.org", BASE_PATH: "/club/" });
    const { url, expiresAt } = await office.ask<{ url: string; expiresAt: string }>("member", "renewal-link", "3");
    const [, token = ""] = /^https:\/\/demo\.example\.org\/club\/signup\?renew=(.*)$/.exec(url) ?? [];
    expect(await office.rooms.signUp.findRenewal(token)).toMatchObject({ firstName: "Lena" });
    expect(Date.parse(expiresAt)).toBeGreaterThan(after(office.rooms.clock(), 60 * DAY_IN_MS).getTime());
    expect(await office.rooms.audit.listFor(3)).toMatchObject([{ action: "member renewal-link" }]);
  });

  test("an export is one JSON, printed or in a new file that only its owner reads", async () => {
    await using office = await openOffice({ DORMOUSE_OPERATOR: "" });
    const file = join(office.dataDir, "ada.json");
    const printed = await office.run("member", "export", "1");
    const written = await office.ask("member", "export", "1", "--out", file);
    expect(written).toEqual({ memberId: 1, email: "member@dormouse.example", file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const records = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    expect(records).toMatchObject({ member: { email: "member@dormouse.example" }, subscriptions: [{ planType: 3 }] });
    expect({ ...(JSON.parse(printed.stdout) as object), exportedAt: "", operatorActions: [] }).toEqual({
      ...records,
      exportedAt: "",
      operatorActions: [],
    });
    const [again, nowhere] = await Promise.all([
      office.run("member", "export", "1", "--out", file),
      office.run("member", "export", "1", "--out", join(office.dataDir, "no-folder", "ada.json")),
    ]);
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: `${file} is there already: name a new file.\n` });
    expect(nowhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("could not be written") });
    expect(await office.rooms.audit.listFor(1)).toMatchObject(
      Array.from({ length: 3 }, () => ({ operator: userInfo().username, action: "member export" })),
    );
  });

  test("a member is erased when one says so, and one reads what is kept", async () => {
    await using office = await openOffice();
    const { code, stdout } = await office.run("member", "erase", "team@dormouse.example", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("Member 2 is erased.");
    expect(stdout).toContain("- orders and their payments, without the person: 0");
    expect(stdout).toContain(`- mails that have left, as files in ${join(office.dataDir, "outbox")}`);
    expect(await office.run("member", "show", "2")).toMatchObject({ code: 1 });
    expect((await office.rooms.codes.find("DORMOUSE-FULL"))?.seatsTaken).toBe(0);
    expect(await office.rooms.audit.listFor(2)).toMatchObject([{ operator: "Olive Operator", action: "member erase" }]);
    const erased = await office.ask("member", "erase", "1", "--yes");
    const mailFolder = join(office.dataDir, "outbox");
    expect(erased).toEqual({ memberId: 1, kept: { orders: 0, customersAtGateway: [], actions: 1, mailFolder } });
  });
});

describe("the house", () => {
  test("letters are listed, and sent again", async () => {
    await using office = await openOffice();
    const { outbox, transact } = office.rooms;
    const letter = { subject: "Hello", text: "Hello.", html: "" };
    await transact(async (trx) => {
      await outbox.add({ key: "a", kind: "welcome", to: "Ada@example.org", memberId: 1, letter }, trx);
      await outbox.add({ key: "b", kind: "verification", to: "bo@example.org", letter, isSecret: true }, trx);
    });
    expect(await office.ask("task", "run", "send-mail")).toEqual({ name: "send-mail", result: "done" });
    expect(await readMailFolder(join(office.dataDir, "outbox"))).toHaveLength(2);
    const table = await office.run("mail", "list", "--to", "ada@example.org");
    expect(table.stdout).toMatch(/^ID +LETTER +TO .*\n1 +welcome +Ada@example\.org +\S+ \S+ +sent \S+ \S+ +1 +–\n$/);
    expect(Object.keys((await office.ask<{ letters: object[] }>("mail", "list")).letters[0] ?? {})).toEqual(
      "id kind to memberId state attempts createdAt dueAt sentAt failedAt lastError".split(" "),
    );

    const [again, gone, unknown] = await Promise.all([
      office.run("mail", "resend", "1"),
      office.run("mail", "resend", "2"),
      office.run("mail", "resend", "99"),
    ]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("goes to Ada@example.org") });
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("Letter 2 held a secret and is erased") });
    expect(unknown).toMatchObject({ code: 1, stderr: "There is no letter 99.\n" });
    expect(await office.ask("mail", "list", "--state", "waiting")).toMatchObject({ letters: [{ id: 1 }] });
    expect(await office.rooms.audit.list(9)).toMatchObject([
      { action: "mail resend", memberId: 1, facts: { letter: 1 } },
    ]);
  });

  test("tasks are listed and run by hand", async () => {
    await using office = await openOffice();
    const { tasks } = await office.ask<{ tasks: { name: string }[] }>("task", "list");
    expect(tasks.map(({ name }) => name)).toEqual(office.rooms.tasks.names());
    expect(tasks[0]).toEqual({ name: "send-mail", everyInMs: 1000, isShared: false, lastTurnAt: null });
    expect((await office.run("task", "list")).stdout).toMatch(/^write-ending-letters +10 minutes +one for all +–$/m);
    const [shared, own, unknown] = await Promise.all([
      office.run("task", "run", "purge-expired"),
      office.run("task", "run", "refresh-catalogue"),
      office.run("task", "run", "sleep"),
    ]);
    expect(shared).toEqual({ code: 0, stdout: "purge-expired is done.\n", stderr: "" });
    expect(own).toEqual({ code: 0, stdout: "refresh-catalogue is done.\n", stderr: "" });
    expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("There is no task “sleep”") });
  });

  test("the catalogue says what there is", async () => {
    await using office = await openOffice();
    const counts = { watch: 16, read: 22, learn: 10 };
    const [refreshed, status, table] = await Promise.all([
      office.ask("catalogue", "refresh"),
      office.ask("catalogue", "status"),
      office.run("catalogue", "refresh"),
    ]);
    const current = {
      source: expect.any(String),
      isStale: false,
      readAt: expect.any(String),
      fault: null,
      skipped: [],
    };
    expect(refreshed).toEqual({ counts, ...current });
    expect(status).toEqual({ counts, ...current });
    expect(table.stdout).toMatch(/^Videos +16\nArticles +22\nWebinars +10\n/);
    expect(table.stdout).toContain("Nothing was left out.");
  });
});

type Diagnosis = { isWell: boolean; findings: { part: string; state: string; says: string }[] };

describe("the doctor", () => {
  async function diagnose(env: Record<string, string>): Promise<Diagnosis & { code: number | null }> {
    const { code, stdout, stderr } = await createQuick(env).run("doctor", "--json");
    expect(stderr.replace(/^There was no database.*\n/, "")).toBe("");
    return { ...(JSON.parse(stdout) as Diagnosis), code };
  }

  const statesOf = ({ findings }: Diagnosis) => Object.fromEntries(findings.map(({ part, state }) => [part, state]));
  const saysOf = ({ findings }: Diagnosis, part: string) => findings.find((finding) => finding.part === part)?.says;

  async function makeBuild(dataDir: string, basePath: string): Promise<string> {
    await mkdir(join(dataDir, "build", "server"), { recursive: true });
    await writeFile(join(dataDir, "build", "server", "index.js"), `const basename = ${JSON.stringify(basePath)};\n`);
    return join(dataDir, "build");
  }

  test("a demo that was never started is well", async () => {
    await using office = await openOffice();
    const env = { ...office.env, BUILD_DIR: await makeBuild(office.dataDir, "/") };
    const diagnosis = await diagnose(env);
    expect(diagnosis).toMatchObject({ code: 0, isWell: true });
    expect(statesOf(diagnosis)).toEqual({
      settings: "ok",
      database: "ok",
      catalogue: "ok",
      tasks: "note",
      letters: "ok",
      refunds: "ok",
      build: "ok",
      content: "ok",
      mail: "ok",
      cards: "ok",
      "Direct Debits": "ok",
    });
    const { stdout } = await createQuick(env).run("doctor");
    expect(stdout).toMatch(/^PART +STATE +WHAT\nsettings +ok +/);
  });

  test("in production it says what is closed, and that is not a fault", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "dormouse-doctor-"));
    const diagnosis = await diagnose({ ...production, DATA_DIR: dataDir, BUILD_DIR: await makeBuild(dataDir, "/") });
    expect(diagnosis.code).toBe(0);
    expect(statesOf(diagnosis)).toMatchObject({ cards: "note", "Direct Debits": "note" });
    expect(saysOf(diagnosis, "cards")).toContain("nobody can pay by card");
    await rm(dataDir, { recursive: true });
  });

  test("each part that is broken is named with what to do, and the rest is looked at all the same", async () => {
    await using office = await openOffice();
    const build = await makeBuild(office.dataDir, "/");
    const file = join(office.dataDir, "file");
    await writeFile(file, "");
    const [settings, noBuild, elsewhere, noFolder] = await Promise.all([
      diagnose({ ...production, SESSION_SECRET: "short", ORIGIN: "" }),
      diagnose({ ...office.env, BUILD_DIR: join(office.dataDir, "nowhere") }),
      diagnose({ ...office.env, BUILD_DIR: build, BASE_PATH: "/club/" }),
      diagnose({ ...office.env, BUILD_DIR: build, DATA_DIR: join(file, "data") }),
    ]);
    expect(settings.code).toBe(1);
    expect(settings.findings.map(({ part, state }) => [part, state])).toEqual([
      ["settings", "wrong"],
      ["settings", "wrong"],
    ]);
    expect(noBuild.code).toBe(1);
    expect(saysOf(noBuild, "build")).toMatch(/run npm run build\.$/);
    expect(saysOf(elsewhere, "build")).toContain("another path than BASE_PATH /club/");
    expect(statesOf(noFolder)).toMatchObject({ database: "wrong", mail: "wrong", build: "ok", cards: "ok" });
    expect(saysOf(noFolder, "database")).toContain("Is DATA_DIR right");
  });
});

test("the same commands run on PostgreSQL", async () => {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  await using office = await openOffice({ DATABASE_URL: url });
  const { run, ask, rooms } = office;
  expect(await ask("code", "create", "--code", "PILLOW", "--seats", "2")).toMatchObject({
    code: "PILLOW",
    isValid: true,
  });
  const [list, shown, off, doctor] = await Promise.all([
    ask("member", "list", "--search", "marsh"),
    run("member", "show", "1"),
    ask("member", "deactivate", "1"),
    run("doctor"),
  ]);
  expect(list).toMatchObject({ total: 1, members: [{ firstName: "Lena" }] });
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(off).toMatchObject({ isRevoked: true });
  expect(doctor.stdout).toMatch(/^clock +ok/m);
  expect(doctor.stdout).toMatch(/^database +ok +PostgreSQL at 127\.0\.0\.1:\d+: /m);
  expect(doctor.stdout).not.toContain("postgres@");
  expect(await ask("member", "erase", "2", "--yes")).toMatchObject({ memberId: 2 });
  expect(await rooms.audit.list(9)).toHaveLength(3);
  expect(existsSync(join(office.dataDir, "dormouse.sqlite"))).toBe(false);

  const away = await createQuick({ ...office.env, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }).run(
    "code",
    "list",
  );
  expect(away).toMatchObject({ code: 1, stdout: "" });
  expect(away.stderr).toMatch(/^The database cannot be opened: .*ECONNREFUSED.*\n$/);
});
