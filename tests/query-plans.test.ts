import { listNames, lists } from "../server/operations/lists/list-table.ts";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";

import { demoMembers } from "../server/cli/demo-data.ts";
import { DAY_IN_MS } from "../server/platform/clock.ts";
import { addCompany, openContact } from "./helpers/company-page.ts";
import { type Desk, download, openDesk } from "./helpers/desk.ts";
import { createNewcomer, nora } from "./helpers/newcomer.ts";
import { openSite, type Site } from "./helpers/site.ts";

/** Past every retention period. */
const TURNS = 4;
const TURN_IN_MS = 10 * DAY_IN_MS;

/**
 * Tables that may be read whole, with the reason; everything else needs an index, however many members there are
 * (growth, P7).
 */
const smallTables: Record<string, string> = {
  migrations: "a row for each change of the schema, read once at a start",
  companies: "some hundred at the most",
  collections: "a row a year for each company; operators ask for all of them in one file",
  job_runs: "a row for each job",
  job_leases: "a row or two for each job",
  member_files: "a week's files of members, which an owner sends when a product moves",
  operators: "a handful; whether there is any is one row",
  emails: "by an index that has only those that wait, or the last to a member who was erased",
  gifts: "by an index that has only those that an operator must look at",
  charges: "no table: the stuck refunds that were found by an index, a hundred at the most",
  parts: "no table: as `charges`, of refunds in part",
  demo_webhook_events: "a demo's, where nobody pays",
  empty_searches:
    "whose a row is only its hash tells; at most ninety days' rows, a thousand at a time, for an export or an erasure",
};

/** Another index would answer these queries by reading everything ever written: each must use the small one. */
const smallIndexes: [statement: RegExp, index: string][] = [
  [/^select "id" from "emails".* from emails as secret/s, "emails_urgent"],
  [/^delete from "emails".*"created_at" <= /, "emails_by_creation"],
  [/^delete from "emails".*"kind" = 'account-erased'/, "emails_farewell"],
  [/^select count\(\*\) as "count", 'failed' as "of"/, "emails_by_due"],
  [/^update "subscriptions" set "end_emailed_at"/, "subscriptions_unannounced"],
  [/^select "ending"."id".*"ending"."order_id" is null/, "subscriptions_given"],
  [/^update "orders" set .* where "state" = 'cancelled'/, "orders_to_forget"],
  [
    /^select \* from "orders" where \("member_id" = \? or \("member_id" is null and lower\(email\)/,
    "orders_without_member",
  ],
  [/^select \* from "gifts" where "question" is not null/, "gifts_in_question"],
  [/^select "id", "gateway_id" from "payments"/, "payments_without_card"],
  [/^select \* from "audit" where "id" < \? and "operator" = /, "audit_by_operator"],
  [/^select \* from "audit" where "id" < \? and "action" = /, "audit_by_action"],
  [/^select \* from "audit" where "id" < \? and "member_id" = /, "audit_by_member"],
  [/^select \* from "audit" where "id" < \? and "at" >= \? and "at" < /, "audit_by_time"],
  // By its key, item by item, without reading all favourites.
  [/cross join favourites as saved/, "sqlite_autoindex_favourites_1"],
];

test("every everyday query uses an index, except those about a whole table", async () => {
  using statements = recordStatements();
  await using site = await openSite();
  await liveADay(site);
  const scans = statements.listScans();
  expect(statements.count()).toBeGreaterThan(100);
  expect(scans.filter(({ table }) => !(table in smallTables))).toEqual([]);
  expect(new Set(scans.map(({ table }) => table))).toEqual(new Set(Object.keys(smallTables)));
  for (const [statement, index] of smallIndexes) expect(statements.readPlan(statement), index).toContain(` ${index} `);
});

function recordStatements() {
  const files = new Map<string, DatabaseSync>();
  // oxlint-disable-next-line typescript/unbound-method -- called with its file below
  const prepare = DatabaseSync.prototype.prepare;
  const spy = vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, ...args) {
    files.set(args[0], this);
    return prepare.apply(this, args);
  });
  return {
    count: () => files.size,
    /** The statement must have run. */
    readPlan(pattern: RegExp): string {
      const [sql = "", file] = [...files].find(([each]) => pattern.test(each)) ?? [];
      if (!file) throw new Error(`Nothing asked ${pattern}`);
      const plan = prepare.call(file, `explain query plan ${sql}`).all() as { detail: string }[];
      return plan.map(({ detail }) => `${detail} `).join("\n");
    },
    listScans: () => [...files].flatMap(([sql, file]) => findScans(sql, (text) => prepare.call(file, text).all())),
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

/** `SCAN members` reads it all; `SCAN members USING INDEX …` does too, in the order of an index. */
function findScans(sql: string, ask: (sql: string) => unknown[]): { table: string; sql: string }[] {
  if (!/^(?:select|update|delete|with)\b/i.test(sql)) return [];
  const plan = ask(`explain query plan ${sql}`) as { detail: string }[];
  // SQLite names a virtual table's index with its constraint: `L0` is a pattern that it finds itself, `=` a row by its
  // number.
  const read = plan.filter(({ detail }) => !/^SCAN \w+ VIRTUAL TABLE INDEX \d+:(?:=|.*L\d)/.test(detail));
  const tables = read.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? []);
  // The first test sees its file migrated, and migrations query SQLite's own tables.
  return tables.filter((table) => !/^(?:sqlite|pragma)_/.test(table)).map((table) => ({ table, sql }));
}

async function lookAtTheDesk(site: Site): Promise<void> {
  const desk = await openDesk(site);
  const health = ["health", "emails", "emails?state=waiting", "webhooks", "jobs", "catalogue", "figures"];
  for (const path of ["/desk", "/desk/access", ...health.map((name) => `/desk/${name}`)]) {
    expect((await desk.get(path)).status, path).toBe(200);
  }
  await desk.get("/desk/emails?before=1700000000000-9");
  for (const filter of [
    "",
    "by=olive",
    "act=order+refund",
    "member=1",
    "from=2026-11-01",
    "from=2026-11-01&to=2026-11-02",
  ]) {
    expect((await desk.get(`/desk/audit?${filter}`)).status, filter).toBe(200);
  }
  for (const act of ["emails-resend", "emails-acknowledge"]) await desk.act("/desk/emails", act);
  await lookForMembers(site, desk);
  await lookAtCompanies(site, desk);
}

/** At the desk, and on the company's page. */
async function lookAtCompanies(site: Site, desk: Desk): Promise<void> {
  const company = await addCompany(site);
  const contact = await openContact(site, company);
  for (const path of [
    "/desk/companies",
    `/desk/companies/${company}`,
    "/desk/codes",
    "/desk/codes/DORMOUSE-FULL",
    "/desk/codes/PILLOW-27",
  ]) {
    expect((await desk.get(path)).status, path).toBe(200);
  }
  expect((await download(desk, "/desk/companies", "collections")).status).toBe(200);
  await desk.act("/desk/codes/DORMOUSE-DEMO", "code-extend", { seats: "2000" });
  await desk.act("/desk/codes/DORMOUSE-DEMO", "code-end");
  for (const path of ["/company", "/company/poster", "/company/collections.csv"]) {
    expect((await contact.get(path)).status, path).toBe(200);
  }
}

/** Lists, searches and their pages. */
async function lookForMembers(site: Site, desk: Desk): Promise<void> {
  await createNewcomer(site, { email: "late@example.org" }).enterDetails();
  const [{ id: draft } = { id: 0 }] = await site.services.signUp.listOpen("late@example.org");
  const { id = 0 } = (await site.services.accounts.findByEmail(nora.email)) ?? {};
  const terms = { contactEmail: "hr@moss.example", accounts: 5, priceInPence: 100_000 };
  const links = { returnUrl: "http://moss.example/a", exitUrl: "http://moss.example/b" };
  await site.services.companies.create({ name: "Moss and Lantern", ...terms }, links);
  for (const path of [
    "/desk/members",
    "/desk/members?before=3",
    "/desk/members?q=nora",
    "/desk/members?q=nora&before=3",
    "/desk/members?q=000001",
    "/desk/members?q=4242+20%2F11%2F2026",
    "/desk/members?q=late%40example.org",
    "/desk/members?company=1",
    "/desk/members?company=1&before=3",
    ...listNames.map((name) => `/desk/${lists[name].screen}?list=${name}`),
    ...listNames.map((name) => `/desk/${lists[name].screen}?list=${name}&after=1700000000000-9`),
    `/desk/sign-ups/${draft}`,
    `/desk/members/${id}`,
  ]) {
    expect((await desk.get(path)).status, path).toBe(200);
  }
  expect((await desk.get("/desk/members?q=D-2026-000001")).status).toBe(302);
  const page = `/desk/members/${id}`;
  await desk.act(page, "member-name", { firstName: "Nora", lastName: "Penny" });
  await desk.act(page, "member-address", { email: "nora.new@example.org" });
  await desk.act(page, "member-term", { plan: "1" });
  await desk.act(page, "member-sessions");
  const { order } = (await site.services.payments.listFor({ memberId: id, email: nora.email }))[0] ?? {};
  await desk.act(page, "member-refund", { subject: String(order?.id) });
  await desk.act(`/desk/sign-ups/${draft}`, "sign-up-verification");
  await desk.act("/desk/members/3", "member-close");
}

/** Everything that people, vendors and timers make the app do. */
async function liveADay(site: Site): Promise<void> {
  const newcomer = createNewcomer(site);
  await newcomer.reachPayment();
  await newcomer.pay({ card: "authentication" });
  await newcomer.pay({ card: "paid" });
  const browser = site.openBrowser();
  await browser.logIn(demoMembers[0]?.email ?? "");
  for (const path of [
    "/",
    "/?view=read",
    "/?view=favourites",
    "/?view=favourites&kind=read",
    "/?q=nap",
    "/?account=open",
  ]) {
    await browser.get(path);
  }
  await browser.post("/favourites", { save: "read-1001" });
  await browser.post("/positions", { open: "read-1001" });
  await browser.post("/positions", { keep: "watch-2001", seconds: "60", duration: "300", age: "0" });
  for (const path of ["/", "/?view=watch&item=2001&play=1"]) await browser.get(path);
  await browser.post("/", { intent: "forget", item: "watch-2001" });
  const nights = "/nights/cant-get-to-sleep";
  await browser.post(nights, { intent: "nights", open: "watch-2001" });
  await browser.get(nights);
  await browser.post(nights, { intent: "nights", again: "" });
  await browser.post("/?account=stopped", { intent: "positions-forget" });
  await browser.post("/?account=stopped", { intent: "positions-restore", undo: "opened.read-1001.0.0.1.0" });
  await browser.post("/?account=stopped", { intent: "positions-switch", wanted: "off" });
  await browser.post("/?account=newsletter", { intent: "newsletter", wanted: "off" });
  await browser.post("/?account=newsletter", { intent: "newsletter", wanted: "on" });
  await browser.post("/login", { intent: "reset-code", email: nora.email });
  await lookAtTheDesk(site);
  const { services } = site;
  const member = await services.accounts.findByEmail(demoMembers[0]?.email ?? "");
  if (!member) throw new Error("The demo has lost its member");
  await services.positions.listKnownAndNights(member.id, [{ kind: "read", id: 1001 }]);
  const person = { memberId: member.id, email: member.email };
  await services.personalData.gather(person);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await site.pass(TURN_IN_MS);
    for (const name of services.jobs.names()) await services.jobs.run(name);
  }
  await services.personalData.erase(person, "the operator");
}
