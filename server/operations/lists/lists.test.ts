import { describe, expect, test } from "vitest";

import { addMember, addNamed, type App, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { insertMembers } from "../../../tests/helpers/member-rows.ts";
import { payment, pay, prepareDraft } from "../../../tests/saga/visitor.ts";
import { after, DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { plans } from "../../money/membership/plans.ts";
import type { Cursor } from "../../platform/database/database.ts";
import type { ListCell } from "./lists.ts";
import { listNames, type ListName } from "./list-table.ts";

const DAY = DAY_IN_MS;

/** Reads a list in pages of two, and checks that each row comes once, in order. */
async function readRows({ services: { lists } }: App, name: ListName): Promise<ListCell[][]> {
  const all: ListCell[][] = [];
  for (let place: Cursor | undefined, isOver = false; !isOver;) {
    const { rows, next } = await lists.readPage(name, { after: place, limit: 2 });
    all.push(...rows.map(({ cells }) => cells));
    [place, isOver] = [next, next === undefined];
  }
  return all;
}

async function readFile({ services: { lists } }: App, name: ListName): Promise<string> {
  let file = "";
  for await (const part of lists.writeFile(name)) file += part;
  return file;
}

/** The first cells: names, codes or companies. */
const readNames = async (app: App, name: ListName) => (await readRows(app, name)).map(([first]) => first);

async function addWithTerm(app: App, firstName: string, days: number): Promise<number> {
  const memberId = await addNamed(app, firstName);
  const startsAt = after(app.clock(), -40 * DAY);
  await app.services.membership.grant({ memberId, planType: 3, startsAt, endsAt: after(app.clock(), days * DAY) });
  return memberId;
}

async function joinByCard(app: App, firstName: string): Promise<void> {
  const token = await prepareDraft(app, { firstName, email: `${firstName.toLowerCase()}@example.org` });
  expect(await pay(app, token)).toMatchObject({ next: "completed" });
  app.clock.advance(MINUTE_IN_MS);
}

describe.each(engines)("lists by state on %s", (engine) => {
  // The clock of tests begins on 20 November 2026.
  test("members are in the list of the end of their last term", async () => {
    await using app = await openApp({ engine });
    const { membership, transact } = app.services;
    await addWithTerm(app, "Now", 0);
    await addWithTerm(app, "Soon", 7);
    await addWithTerm(app, "Next", 6.9);
    await addWithTerm(app, "Tomorrow", 1);
    const renewed = await addWithTerm(app, "Renewed", 2);
    await transact((trx) => membership.extend({ memberId: renewed, plan: plans[1] }, trx));
    await addWithTerm(app, "Monday", -3);
    await addWithTerm(app, "October", -25);
    await addWithTerm(app, "Summer", -120);
    const ended = await addWithTerm(app, "Ended", 90);
    await membership.revoke(ended);
    const back = await addWithTerm(app, "Back", 50);
    await membership.revoke(back);
    await transact((trx) => membership.extend({ memberId: back, plan: plans[1] }, trx));
    await addNamed(app, "Never");

    expect(await readNames(app, "ends-this-week")).toEqual(["Now Lovell", "Tomorrow Lovell", "Next Lovell"]);
    app.clock.advance(1);
    expect(await readNames(app, "ended-this-month")).toEqual(["Monday Lovell", "Now Lovell"]);
    expect(await readNames(app, "ended-last-month")).toEqual(["October Lovell"]);
    expect(await readNames(app, "ended-early")).toEqual(["Ended Lovell"]);
    expect(await readNames(app, "active")).toEqual([
      "Tomorrow Lovell",
      "Next Lovell",
      "Soon Lovell",
      "Back Lovell",
      "Renewed Lovell",
    ]);
    expect(await readNames(app, "given")).toEqual(await readNames(app, "active"));
  });

  test("a member's row has name, address, company, days and number", async () => {
    await using app = await openApp({ engine });
    const { companies, codes, transact, accounts } = app.services;
    const links = { returnUrl: "http://x.example/a", exitUrl: "http://x.example/b" };
    const terms = { contactEmail: "hr@pillow.example", accounts: 5, priceInPence: 100_000 };
    const made = await companies.create({ name: "Pillow Works", ...terms }, links);
    await app.db.updateTable("companies").set({ state: "live" }).execute();
    const id = await addWithTerm(app, "Ada", 3);
    await transact((trx) => codes.takeSeat({ code: made.ok ? made.code : "", memberId: id }, trx));
    const { createdAt } = (await accounts.findRecord(id)) ?? {};
    expect(await readRows(app, "ends-this-week")).toEqual([
      ["Ada Lovell", "ada@dormouse.example", "individual", "Pillow Works", after(app.clock(), 3 * DAY), createdAt, id],
    ]);
    await transact((trx) => app.services.support.close({ memberId: id, site: app.services.site }, trx));
    const closed = await readRows(app, "closed");
    expect(closed.map(([name, email, , , at]) => [name, email, at])).toEqual([
      ["Ada Lovell", "ada@dormouse.example", after(app.clock(), 14 * DAY)],
    ]);
  });

  test("payments are in the lists of their months, of what went back, and of what came to nothing", async () => {
    await using app = await openApp({ engine });
    const { payments, jobs, signUp } = app.services;
    for (const name of ["Ann", "Bea", "Cat"]) await joinByCard(app, name);
    const paid = await readRows(app, "paid-this-month");
    expect(paid.map(([name, email, receipt, , amount]) => [name, email, receipt, amount])).toEqual([
      ["Ann Lovell", "ann@example.org", "D-2026-000001", { pence: 6000 }],
      ["Bea Lovell", "bea@example.org", "D-2026-000002", { pence: 6000 }],
      ["Cat Lovell", "cat@example.org", "D-2026-000003", { pence: 6000 }],
    ]);
    await payments.giveBack({ orderId: 2, by: { operator: "op", reason: "asked" } });
    await jobs.run("reconcile-payments");
    const back = await readRows(app, "given-back");
    expect(back.map(([name, , receipt, , , sum, , state]) => [name, receipt, sum, state])).toEqual([
      ["Bea Lovell", "D-2026-000002", { pence: 6000 }, "refunded"],
    ]);
    const part = { orderId: 3, amountInPence: 1250, by: { operator: "op", reason: "asked" } };
    expect(await payments.makePartRefund(part)).toMatchObject({ ok: true });
    expect((await readRows(app, "paid-this-month")).map(([, , , , , sum]) => sum)).toEqual([
      { pence: 0 },
      { pence: 6000 },
      { pence: 1250 },
    ]);
    expect(await readNames(app, "ended-early")).toEqual(["Bea Lovell"]);
    expect(await readNames(app, "paid-this-month")).toHaveLength(3);

    const declined = await prepareDraft(app, { firstName: "Dee", email: "dee@example.org" });
    await pay(app, declined, { card: "declined" });
    const later = await prepareDraft(app, { firstName: "Eve", email: "eve@example.org", planType: 1 });
    await signUp.pay(later, { ...payment, shownPlanType: 1 });
    await signUp.choosePlan(later, 3);
    await pay(app, later);
    expect(await readNames(app, "unpaid")).toEqual(["Dee Lovell"]);
    app.clock.advance(11 * DAY);
    expect(await readNames(app, "paid-this-month")).toEqual([]);
    expect(await readNames(app, "paid-last-month")).toHaveLength(4);
  });

  test("codes and companies are in the lists of what is not used, nearly full, not agreed and unpaid", async () => {
    await using app = await openApp({ engine });
    const { codes, companies, transact } = app.services;
    const seat = async (code: string, names: string[]) => {
      for (const name of names) {
        const memberId = await addNamed(app, name);
        await transact((trx) => codes.takeSeat({ code, memberId }, trx));
      }
    };
    const now = app.clock();
    await codes.create({ code: "UNUSED", seats: 5 });
    await codes.create({ code: "PAST", seats: 5, startsAt: after(now, -2 * DAY), endsAt: after(now, -DAY) });
    await codes.create({ code: "GONE", seats: 5 });
    await codes.revoke("GONE");
    await codes.create({ code: "NEARLY", seats: 10 });
    await seat("NEARLY", ["A", "B", "C", "D", "E", "F", "G", "H"]);
    expect(await readNames(app, "codes-nearly-full")).toEqual([]);
    await seat("NEARLY", ["I"]);
    expect(await readNames(app, "codes-nearly-full")).toEqual(["NEARLY"]);
    const links = { returnUrl: "http://x.example/a", exitUrl: "http://x.example/b" };
    for (const [name, state, graceEndsAt] of [
      ["Live", "live", null],
      ["Grace", "grace", after(now, DAY)],
      ["Stopped", "grace", after(now, -DAY)],
      ["New", "setting-up", null],
      ["Full", "live", null],
    ] as const) {
      const terms = { contactEmail: "hr@x.example", accounts: 5, priceInPence: 100_000 };
      await companies.create({ name, code: `CODE-${name}`, ...terms }, links);
      await app.db.updateTable("companies").set({ state, graceEndsAt }).where("name", "=", name).execute();
    }
    await seat("CODE-FULL", ["J"]);
    expect(await readNames(app, "companies-unpaid")).toEqual(["Grace", "Stopped"]);
    expect(await readNames(app, "companies-not-agreed")).toEqual(["New"]);
    expect(await readNames(app, "companies-unused")).toEqual(["Live"]);
    expect(await readNames(app, "codes-unused")).toEqual([
      "CODE-New",
      "CODE-Stopped",
      "CODE-Grace",
      "CODE-Live",
      "UNUSED",
    ]);
  });

  test("every list can be read and written while there is nothing in it", async () => {
    await using app = await openApp({ engine });
    for (const name of listNames) {
      expect((await readFile(app, name)).split("\r\n"), name).toHaveLength(2);
    }
  });
});

describe("the file of a list", () => {
  test("has days, pounds and plain numbers, and no formula", async () => {
    await using app = await openApp();
    await joinByCard(app, "Ann");
    const memberId = (await addMember(app, { firstName: "=1+1", lastName: 'O"Hara, Jr', email: "x@example.org" })).id;
    const endsAt = new Date("2026-11-22T23:30:00.000Z");
    await app.services.membership.grant({ memberId, planType: 3, startsAt: app.clock(), endsAt });
    expect(await readFile(app, "paid-this-month")).toBe(
      "\uFEFFName,Email,Receipt,Paid,Amount in pounds,Refunded in pounds,Plan,State\r\n" +
        "Ann Lovell,ann@example.org,D-2026-000001,2026-11-20,60.00,0.00,Yearly,paid\r\n",
    );
    expect(await readFile(app, "ends-this-week")).toBe(
      "\uFEFFName,Email,Type,Company,Ends,Since,Number\r\n" +
        `"'=1+1 O""Hara, Jr",x@example.org,individual,,2026-11-22,2026-11-20,${memberId}\r\n`,
    );
  });

  test("is made in parts, each when its reader asks for it", async () => {
    await using app = await openApp();
    const now = app.clock();
    const ids = Array.from({ length: 1200 }, (_, index) => index + 1);
    await insertMembers(
      app,
      ids.map((id) => ({ id, email: `m${id}@x.example` })),
    );
    for (let first = 0; first < ids.length; first += 400) {
      const some = ids.slice(first, first + 400);
      const terms = some.map((memberId) => ({ memberId, planType: 3, startsAt: now, endsAt: after(now, memberId) }));
      await app.db.insertInto("subscriptions").values(terms).execute();
    }
    const parts: number[] = [];
    for await (const part of app.services.lists.writeFile("active")) {
      parts.push(part.split("\r\n").length - 1);
      // The rest is not made yet: a member erased now is in no later part.
      if (parts.length === 2) await app.services.transact((trx) => app.services.accounts.erase(1100, trx));
    }
    expect(parts).toEqual([1, 500, 500, 199]);
  });

  test("a pass is for one list, one operator and two minutes", async () => {
    await using app = await openApp();
    const { lists } = app.services;
    const pass = lists.makePass("active", "olive@desk.example");
    expect(lists.readPass(pass, "olive@desk.example")).toBe("active");
    expect(lists.readPass(pass, "other@desk.example")).toBeUndefined();
    for (const wrong of ["", "x", `${pass}x`]) expect(lists.readPass(wrong, "olive@desk.example")).toBeUndefined();
    app.clock.advance(2 * MINUTE_IN_MS);
    expect(lists.readPass(pass, "olive@desk.example")).toBeUndefined();
  });
});
