import { describe, expect, test } from "vitest";

import { readDebit, links, readMandate, openCompanyApp, toSubject } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import type { DemoDebit } from "../../adapters/demo/debits.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { createCompanies } from "./companies.ts";
import type { CompanyDetails } from "./company.ts";
import type { CompanyEmails } from "./company-status.ts";

const GRACE = 14 * DAY_IN_MS;

describe("a company in trouble", () => {
  test.each(["failMandate", "suspendMandate", "failDebit", "chargeBack"] as const)(
    "(%s) has fourteen days of grace, once, and then its code stops by the date alone (D6, D9)",
    async (control) => {
      await using app = await openCompanyApp("sqlite");
      const company = await app.engage();
      const subject = toSubject(company, control);
      await app.changeAtBank(company, control);
      const graceEndsAt = after(app.clock(), GRACE);
      expect(await app.find()).toMatchObject({ state: "grace", graceEndsAt });
      app.clock.advance(GRACE / 2);
      await app.companies.handleEvent({ kind: control.endsWith("Mandate") ? "mandate" : "debit", subject });
      await app.companies.upkeep();
      expect(await app.find()).toMatchObject({ state: "grace", graceEndsAt });
      app.clock.advance(GRACE / 2 - 1);
      expect(await app.isOpen()).toBe(true);
      app.clock.advance(1);
      // No job has run.
      expect(await app.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "stopped" });
      expect((await app.companies.list())[0]).toMatchObject({ state: "stopped" });
      app.line.fault = { call: "findMandate", when: "before" };
      await app.companies.upkeep();
      const row = await app.db.selectFrom("companies").select("state").executeTakeFirst();
      expect(row?.state).toBe("stopped");
      expect(await app.listDebits()).toHaveLength(1);
    },
  );

  test("is not asked for the same year again because its bank has replaced the mandate", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    const nextId = await app.bank.replaceMandate(readMandate(company));
    await app.changeAtBank(company, "failDebit");
    expect(await app.find()).toMatchObject({ state: "grace", mandateId: nextId });
    await app.bank.replaceMandate(nextId);
    await app.deliver();
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    expect(await app.listDebits()).toHaveLength(1);
  });

  test("is live again as soon as its mandate is, and has its next grace in full", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.changeAtBank(company, "suspendMandate");
    app.clock.advance(GRACE - DAY_IN_MS);
    await app.changeAtBank(company, "restoreMandate");
    expect(await app.find()).toMatchObject({ state: "live", graceEndsAt: undefined, liveSince: company.liveSince });
    app.clock.advance(2 * DAY_IN_MS);
    expect(await app.isOpen()).toBe(true);
    await app.changeAtBank(company, "suspendMandate");
    expect(await app.find()).toMatchObject({ state: "grace", graceEndsAt: after(app.clock(), GRACE) });
    expect(await app.listDebits()).toHaveLength(1);
  });

  test("waits for its debit even when its mandate is back", async () => {
    await using app = await openCompanyApp("sqlite", { debitsBegin: "pending" });
    const company = await app.engage();
    await app.changeAtBank(company, "suspendMandate");
    await app.changeAtBank(company, "restoreMandate");
    expect(await app.find()).toMatchObject({ state: "grace" });
    expect(await app.companies.openFlow(company.id, links)).toEqual({ ok: false, reason: "already-agreed" });
    await app.changeAtBank(company, "confirmDebit");
    expect(await app.find()).toMatchObject({ state: "live" });
  });

  test.each(["failDebit", "chargeBack"] as const)(
    "(%s) is live again when the bank takes that back, in grace or after it, without a second debit (D8, D9)",
    async (control) => {
      await using app = await openCompanyApp("sqlite");
      const company = await app.engage();
      for (const days of [1, 20]) {
        await app.changeAtBank(company, control);
        expect(await app.find()).toMatchObject({ state: "grace" });
        app.clock.advance(days * DAY_IN_MS);
        await app.bank.confirmDebit(readDebit(company));
        if (days === 1) await app.deliver();
        else await app.companies.upkeep();
        expect(await app.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
        expect(await app.isOpen()).toBe(true);
      }
      expect(await app.listDebits()).toHaveLength(1);
    },
  );

  test("whose debit the bank takes up again while it agrees again pays once", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.changeAtBank(company, "failDebit");
    await app.agreeAgain(company.id);
    app.line.fault = { call: "collect", when: "before" };
    await app.companies.upkeep();
    await app.bank.confirmDebit(readDebit(company));
    app.line.fault = undefined;
    await app.companies.upkeep();
    expect(await app.listDebits()).toHaveLength(1);
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ gatewayId: readDebit(company) }] });
  });

  test("that was stopped and pays again has a whole year from then on", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.changeAtBank(company, "failDebit");
    app.clock.advance(100 * DAY_IN_MS);
    await app.agreeAgain(company.id);
    await app.deliver();
    const back = await app.find();
    expect(back).toMatchObject({
      state: "live",
      liveSince: app.clock(),
      collections: [{ period: 0, dueAt: app.clock(), state: "confirmed" }],
    });
    app.clock.advance(364 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(await app.listDebits()).toHaveLength(2);
    app.clock.advance(DAY_IN_MS);
    await app.companies.upkeep();
    expect(await app.listDebits()).toHaveLength(3);
  });

  test("is not asked for a further year, nor charged for the time it was stopped", async () => {
    await using app = await openCompanyApp("sqlite");
    const company = await app.engage();
    await app.changeAtBank(company, "suspendMandate");
    for (let month = 0; month < 30; month += 1) {
      app.clock.advance(30 * DAY_IN_MS);
      await app.companies.upkeep();
    }
    expect(await app.listDebits()).toHaveLength(1);
    await app.changeAtBank(company, "restoreMandate");
    expect(await app.find()).toMatchObject({
      state: "live",
      collections: [{ period: 0 }, { period: 1, dueAt: app.clock() }],
    });
    expect(await app.listDebits()).toHaveLength(2);
  });
});

describe.each(engines)("a company in trouble on %s", (engine) => {
  test("gets one email, in the transaction of the change", async () => {
    const logged: string[] = [];
    let isMailUp = false;
    const emails: CompanyEmails = {
      async onGrace(company, trx) {
        if (!isMailUp) throw new Error("no mail");
        const seen = await trx.selectFrom("companies").select("state").where("id", "=", company.id).executeTakeFirst();
        logged.push(`${company.name} ${company.state} ${seen?.state} ${company.graceEndsAt?.toISOString()}`);
      },
      onLive: async ({ code }) => void logged.push(`${code} works`),
    };
    await using app = await openCompanyApp(engine, { emails });
    const company = await app.engage();
    await app.bank.failMandate(readMandate(company));
    await expect(app.deliver()).rejects.toThrow("no mail");
    expect(await app.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    isMailUp = true;
    await app.companies.handleEvent({ kind: "mandate", subject: readMandate(company) });
    await Promise.all([app.companies.upkeep(), app.deliver(), app.companies.upkeep()]);
    const end = after(app.clock(), GRACE).toISOString();
    expect(logged).toEqual([`${company.code} works`, `Acme grace grace ${end}`]);
  });

  test("is written to once when two processes hear of it, one slower than the other", async () => {
    const logged: (string | undefined)[] = [];
    const emails = {
      onGrace: async ({ graceEndsAt }: CompanyDetails) => void logged.push(graceEndsAt?.toISOString()),
      onLive: async () => undefined,
    };
    await using app = await openCompanyApp(engine, { emails });
    const { clock, bank } = app;
    const company = await app.engage();
    await bank.suspendMandate(readMandate(company));
    const webhook = { kind: "mandate", subject: readMandate(company) };
    const quick = createCompanies({ ...app.ctx, gateway: bank });
    // It has read the answer, and before it can store it the other process has done everything and time has passed.
    const slowGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (logged.length === 0) await quick.handleEvent(webhook);
        clock.advance(DAY_IN_MS);
        return mandate;
      },
    };
    const graceEndsAt = after(clock(), GRACE);
    await createCompanies({ ...app.ctx, gateway: slowGateway }).handleEvent(webhook);
    expect(logged).toEqual([graceEndsAt.toISOString()]);
    expect(await app.find()).toMatchObject({ state: "grace", graceEndsAt });
  });

  test("ends in grace although another process was told the opposite a moment before", async () => {
    await using app = await openCompanyApp(engine);
    const { bank } = app;
    const company = await app.engage();
    const webhook = { kind: "mandate", subject: readMandate(company) };
    await bank.suspendMandate(readMandate(company));
    await app.deliver();
    await bank.restoreMandate(readMandate(company));
    let isFirst = true;
    const lateGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (!isFirst) return mandate;
        isFirst = false;
        await bank.failMandate(id);
        await app.companies.handleEvent(webhook);
        return mandate;
      },
    };
    await createCompanies({ ...app.ctx, gateway: lateGateway }).handleEvent(webhook);
    expect(await app.find()).toMatchObject({ state: "grace" });
  });

  test("agrees again: what was not paid is collected once more, under the new mandate, and makes it live when paid", async () => {
    await using app = await openCompanyApp(engine, { debitsBegin: "pending" });
    const company = await app.engage();
    await app.bank.failDebit(readDebit(company));
    await app.changeAtBank(company, "failMandate");
    app.clock.advance(DAY_IN_MS);
    await app.agreeAgain(company.id);
    await app.deliver((ids) => [...ids, ...ids]);
    const anew = await app.find();
    expect(anew).toMatchObject({
      state: "grace",
      collections: [{ period: 0, state: "pending", dueAt: company.liveSince }],
    });
    expect(anew.mandateId).not.toBe(company.mandateId);
    expect((await app.listDebits()).map(({ parent }) => parent)).toEqual([company.mandateId, anew.mandateId]);
    // A late event of the first debit changes nothing.
    expect(await app.companies.handleEvent({ kind: "debit", subject: readDebit(company) })).toBe(false);
    await app.changeAtBank(anew, "confirmDebit");
    expect(await app.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    expect(await app.listDebits()).toHaveLength(2);
  });
});
