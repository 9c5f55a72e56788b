import { describe, expect, test } from "vitest";

import { acme, type Fault, links, readMandate, openCompanyApp } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { refuseNewCompany } from "./companies.ts";

describe("a new company", () => {
  test("gets a code for its accounts and a page to agree on; the code waits for that", async () => {
    await using app = await openCompanyApp("sqlite");
    const made = await app.companies.create(acme, links);
    expect(made).toMatchObject({
      ok: true,
      code: "ACME-SLEEP",
      company: { name: "Acme", accounts: 50, priceInPence: 60_000, state: "setting-up", collections: [] },
      authorisationUrl: expect.stringContaining("https://dormouse.example/demo-gateway/debit/brf_demo_"),
      expiresAt: after(app.clock(), 7 * DAY_IN_MS),
    });
    expect(await app.codes.find("ACME-SLEEP")).toMatchObject({ seats: 50, company: { name: "Acme" } });
    expect(await app.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "setting-up" });
  });

  test("is refused for its code or its figures, and nothing of it stays", async () => {
    await using app = await openCompanyApp("sqlite");
    await app.codes.create({ code: "TAKEN-CODE", seats: 1 });
    for (const [reason, wrong] of [
      ["price-invalid", { priceInPence: 0 }],
      ["code-malformed", { code: "?" }],
      ["code-taken", { code: "Taken-Code" }],
    ] as const) {
      expect(await app.companies.create({ ...acme, ...wrong }, links)).toEqual({ ok: false, reason });
    }
    expect(await app.companies.list()).toEqual([]);
    expect(await app.codes.list()).toHaveLength(1);
    expect(await app.listRequests()).toEqual([]);
    expect(await app.companies.create(acme, links)).toMatchObject({ ok: true });
  });

  test.each<Fault>([
    { call: "createBillingRequest", when: "before" },
    { call: "createBillingRequest", when: "after" },
    { call: "openFlow", when: "before" },
    { call: "openFlow", when: "after" },
  ])("cut off at the gateway ($call, $when) goes on with one billing request (D1, D2)", async (fault) => {
    await using app = await openCompanyApp("sqlite");
    app.line.fault = fault;
    await expect(app.companies.create(acme, links)).rejects.toThrow("No answer");
    const { id } = await app.find();
    await expect(app.companies.openFlow(id, links)).rejects.toThrow("No answer");
    app.line.fault = undefined;
    expect(await app.companies.create(acme, links)).toEqual({ ok: false, reason: "name-taken" });
    const flow = await app.companies.openFlow(id, links);
    expect(await app.listRequests()).toHaveLength(1);
    await app.agreeOn(flow.ok ? flow.authorisationUrl : "");
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live" });
  });

  test("that leaves the page without agreeing, or never comes, gets no access (D3)", async () => {
    await using app = await openCompanyApp("sqlite");
    const made = await app.companies.create(acme, links);
    await app.pages.leaveDebit((made.ok ? made.authorisationUrl : "").split("/").at(-1) ?? "");
    await app.deliver();
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "setting-up", collections: [] });
    expect(await app.isOpen()).toBe(false);
  });
});

describe.each(engines)("a new company on %s", (engine) => {
  test("is created once, however its name is written and however many requests add it at once", async () => {
    await using app = await openCompanyApp(engine);
    const names = ["Acme Sleep", "ACME SLEEP", " acme  sleep ", "Ａcme Sleep"];
    const made = await Promise.all(
      names.map((name) => app.companies.create({ ...acme, name, code: undefined }, links)),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.reason === "name-taken")).toHaveLength(3);
    expect(await app.codes.list()).toHaveLength(1);
    expect(await app.listRequests()).toHaveLength(1);
  });

  test("may ask for its page any number of times, also concurrently, and after the first one has expired", async () => {
    await using app = await openCompanyApp(engine);
    const made = await app.companies.create(acme, links);
    const { id, billingRequestId } = await app.find();
    const flows = await Promise.all([app.companies.openFlow(id, links), app.companies.openFlow(id, links)]);
    app.clock.advance(8 * DAY_IN_MS);
    flows.push(await app.companies.openFlow(id, links));
    const urls = [made, ...flows].map((each) => (each.ok ? each.authorisationUrl : ""));
    expect(new Set(urls).size).toBe(4);
    expect(await app.listRequests()).toEqual([{ id: billingRequestId }]);
    expect(await app.companies.openFlow(id + 1, links)).toEqual({ ok: false, reason: "unknown-company" });
  });
});

test.each([
  [undefined, {}],
  [undefined, { name: "Zoë & Söhne (UK) Ltd.", accounts: 1, priceInPence: 1 }],
  ["name-invalid", { name: "  " }],
  ["name-invalid", { name: "A".repeat(101) }],
  ["name-invalid", { name: "Ac\u0000me" }],
  ["name-invalid", { name: "Acme\nLtd" }],
  ["email-invalid", { contactEmail: "acme" }],
  ["email-invalid", { contactEmail: "a@acme.example\r\nBcc: b@c.example" }],
  ["accounts-invalid", { accounts: 0 }],
  ["accounts-invalid", { accounts: 1.5 }],
  ["accounts-invalid", { accounts: 1_000_000_000 }],
  ["price-invalid", { priceInPence: 0 }],
  ["price-invalid", { priceInPence: 99.5 }],
  ["price-invalid", { priceInPence: Number.NaN }],
  ["price-invalid", { priceInPence: 2_147_483_648 }],
])("the reason to refuse a company is %s: %j", (reason, wrong) => {
  expect(refuseNewCompany({ ...acme, ...wrong })).toBe(reason);
});

describe("a company that agrees", () => {
  test("is live as soon as the app hears of it: people may join, and the year is collected once", async () => {
    await using app = await openCompanyApp("sqlite", { debitsBegin: "pending" });
    await app.agree();
    // D4: the browser returns before the app has received the event.
    expect(await app.find()).toMatchObject({ state: "setting-up" });
    expect(await app.isOpen()).toBe(false);
    await app.deliver();
    expect(await app.find()).toMatchObject({
      state: "live",
      liveSince: app.clock(),
      mandateId: expect.stringMatching(/^mdt_demo_/),
      collections: [{ period: 0, amountInPence: 60_000, state: "pending", dueAt: app.clock() }],
    });
    expect(await app.isOpen()).toBe(true);
    const [debit, ...others] = await app.listDebits();
    expect(others).toEqual([]);
    expect(JSON.parse(debit?.body ?? "")).toMatchObject({
      amountInPence: 60_000,
      description: "Dormouse, 12 months, 50 accounts",
    });
    await app.bank.confirmDebit(debit?.id ?? "");
    await app.deliver();
    expect(await app.find()).toMatchObject({ collections: [{ state: "confirmed", gatewayId: debit?.id }] });
    expect(await app.companies.openFlow((await app.find()).id, links)).toEqual({
      ok: false,
      reason: "already-agreed",
    });
  });

  test("and whose mandate fails at once was never live, and may agree again", async () => {
    await using app = await openCompanyApp("sqlite");
    await app.agree();
    const { id, billingRequestId = "" } = await app.find();
    const request = await app.bank.findBillingRequest(billingRequestId);
    await app.bank.failMandate(request?.mandateId ?? "");
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "setting-up", collections: [] });
    await app.agreeAgain(id);
    expect(await app.listRequests()).toHaveLength(2);
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
    expect(await app.listDebits()).toHaveLength(1);
  });

  test("ignores webhook events that are not about it", async () => {
    await using app = await openCompanyApp("sqlite");
    const { mandateId = "" } = await app.engage();
    for (const kind of ["billing-request", "mandate", "debit", "other", "payout", "__proto__"]) {
      expect(await app.companies.handleEvent({ kind, subject: "xx_1" })).toBe(false);
    }
    expect(await app.companies.handleEvent({ kind: "other", subject: mandateId })).toBe(false);
  });

  test("keeps a webhook event for later when the gateway cannot be asked", async () => {
    await using app = await openCompanyApp("sqlite");
    const { mandateId: subject = "" } = await app.engage();
    await app.bank.failMandate(subject);
    app.line.fault = { call: "findMandate", when: "before" };
    await expect(app.companies.handleEvent({ kind: "mandate", subject })).rejects.toThrow("No answer");
    expect(await app.find()).toMatchObject({ state: "live" });
    app.line.fault = undefined;
    expect(await app.companies.handleEvent({ kind: "mandate", subject })).toBe(true);
    expect(await app.find()).toMatchObject({ state: "grace" });
  });
});

describe.each(engines)("a company that agrees on %s", (engine) => {
  test("is collected from once when webhook events and upkeep of several processes meet", async () => {
    await using app = await openCompanyApp(engine);
    await app.agree();
    const { billingRequestId = "" } = await app.find();
    await Promise.all(
      Array.from({ length: 4 }, () => [
        app.companies.upkeep(),
        app.companies.handleEvent({ kind: "billing-request", subject: billingRequestId }),
      ]).flat(),
    );
    expect(await app.listDebits()).toHaveLength(1);
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ period: 0, state: "confirmed" }] });
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each<Fault>([
    { call: "findBillingRequest", when: "before" },
    { call: "findMandate", when: "after" },
    { call: "collect", when: "before" },
    { call: "collect", when: "after" },
    { call: "findDebit", when: "before" },
  ])("and is cut off at $call, $when: there is one debit in the end (D5)", async (fault) => {
    await using app = await openCompanyApp(engine);
    await app.agree();
    app.line.fault = fault;
    await expect(app.deliver()).rejects.toThrow("No answer");
    await app.companies.upkeep();
    await app.companies.upkeep();
    app.line.fault = undefined;
    await app.companies.upkeep();
    expect(await app.listDebits()).toHaveLength(1);
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });
});

describe("looking after companies", () => {
  test("a fault at one company does not stop the others", async () => {
    await using app = await openCompanyApp("sqlite");
    const lost = await app.engage({ name: "Lost Ltd", code: "LOST-LTD" });
    await app.db.updateTable("companies").set({ mandateId: "mdt_elsewhere" }).execute();
    await app.agree();
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    expect(await app.find("Lost Ltd")).toMatchObject({ state: "live", mandateId: "mdt_elsewhere" });
    const errors = app.log.lines.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.facts).toMatchObject({ company: lost.id });
    expect(JSON.stringify(app.log.lines)).not.toMatch(/acme|lost/i);
  });

  test("notices that a company's mandate has recovered, although no debit is unsettled", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.deliver();
    await app.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await app.changeAtBank(company, "suspendMandate");
    await app.bank.restoreMandate(readMandate(company));
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
  });

  test("asks the gateway nothing about settled companies", async () => {
    await using app = await openCompanyApp("sqlite");
    await app.engage();
    await app.db.updateTable("collections").set({ state: "paid-out" }).execute();
    app.line.fault = { call: "findMandate", when: "before" };
    app.clock.advance(300 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("a code that is given to a company later stands beside its own, and stops with it", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.codes.create({ code: "ACME-EXTRA", seats: 3, companyId: company.id });
    expect(await app.find()).toMatchObject({ code: "ACME-SLEEP" });
    expect(await app.isOpen("ACME-EXTRA")).toBe(true);
    await app.changeAtBank(company, "suspendMandate");
    app.clock.advance(14 * DAY_IN_MS);
    expect(await app.isOpen("ACME-EXTRA")).toBe(false);
  });
});

describe.each(engines)("looking after companies on %s", (engine) => {
  test("companies are listed by name, and found by name in any case or by number", async () => {
    await using app = await openCompanyApp(engine);
    const zebra = await app.engage({ name: "Zebra & Söhne", code: "ZEBRA" });
    const first = await app.engage({ name: "aardvark", code: "AARD" });
    const seven = await app.engage({ name: `${zebra.id}`, code: "NUMBER" });
    const listed = await app.companies.list();
    expect(listed.map(({ name, code, seatsTaken }) => [name, code, seatsTaken])).toEqual([
      [`${zebra.id}`, "NUMBER", 0],
      ["aardvark", "AARD", 0],
      ["Zebra & Söhne", "ZEBRA", 0],
    ]);
    expect((await app.companies.find(" ZEBRA &  söhne"))?.id).toBe(zebra.id);
    expect((await app.companies.find(String(first.id)))?.id).toBe(first.id);
    expect((await app.companies.find(String(zebra.id)))?.id).toBe(seven.id);
    for (const name of ["nobody", "", "999", "9".repeat(30), "-1", "1; drop table companies"]) {
      expect(await app.companies.find(name)).toBeUndefined();
    }
  });
});
