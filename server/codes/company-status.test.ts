import { describe, expect, test } from "vitest";

import {
  debitOf,
  type Fault,
  links,
  mandateOf,
  openCompanyHouse as openHouse,
} from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import type { DemoDebit } from "../adapters/demo/debits.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import { createCompanies } from "./companies.ts";
import type { CompanyDetails } from "./company-rows.ts";
import type { CompanyEmails } from "./company-status.ts";

describe.each(engines)("a company in trouble on %s", (engine) => {
  const GRACE = 14 * DAY_IN_MS;

  test.each(["failMandate", "suspendMandate", "failDebit", "chargeBack"] as const)(
    "(%s) has fourteen days of grace, once, and then its code stops by the date alone (D6, D9)",
    async (control) => {
      await using house = await openHouse(engine);
      const company = await house.engage();
      const subject = control.endsWith("Mandate") ? mandateOf(company) : debitOf(company);
      await house.bank[control](subject);
      await house.deliver();
      const graceEndsAt = after(house.clock(), GRACE);
      expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
      house.clock.advance(GRACE / 2);
      await house.companies.handleNotice({ kind: control.endsWith("Mandate") ? "mandate" : "debit", subject });
      await house.companies.upkeep();
      expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
      house.clock.advance(GRACE / 2 - 1);
      expect(await house.isOpen()).toBe(true);
      house.clock.advance(1);
      // No task has run.
      expect(await house.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "stopped" });
      expect((await house.companies.list())[0]).toMatchObject({ state: "stopped" });
      await house.companies.upkeep();
      const row = await house.db.selectFrom("companies").select("state").executeTakeFirst();
      expect(row?.state).toBe("stopped");
      expect(await house.listDebits()).toHaveLength(1);
    },
  );

  test("stops by upkeep even while the gateway cannot be asked", async () => {
    await using house = await openHouse(engine);
    await house.bank.failMandate(mandateOf(await house.engage()));
    await house.deliver();
    house.clock.advance(GRACE);
    house.line.fault = { call: "findMandate", when: "before" };
    await house.companies.upkeep();
    const row = await house.db.selectFrom("companies").select("state").executeTakeFirst();
    expect(row?.state).toBe("stopped");
  });

  test("is written to once, as part of what happened", async () => {
    const told: string[] = [];
    let isMailUp = false;
    const emails: CompanyEmails = {
      async onGrace(company, trx) {
        if (!isMailUp) throw new Error("no mail");
        const seen = await trx.selectFrom("companies").select("state").where("id", "=", company.id).executeTakeFirst();
        told.push(`${company.name} ${company.state} ${seen?.state} ${company.graceEndsAt?.toISOString()}`);
      },
    };
    await using house = await openHouse(engine, { emails });
    const company = await house.engage();
    await house.bank.failMandate(mandateOf(company));
    await expect(house.deliver()).rejects.toThrow("no mail");
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    isMailUp = true;
    await house.companies.handleNotice({ kind: "mandate", subject: mandateOf(company) });
    await Promise.all([house.companies.upkeep(), house.deliver(), house.companies.upkeep()]);
    const end = after(house.clock(), GRACE).toISOString();
    expect(told).toEqual([`Acme grace grace ${end}`]);
  });

  test("is written to once when two processes hear of it, one slower than the other", async () => {
    const told: (string | undefined)[] = [];
    const emails = { onGrace: async ({ graceEndsAt }: CompanyDetails) => void told.push(graceEndsAt?.toISOString()) };
    await using house = await openHouse(engine, { emails });
    const { clock, bank } = house;
    const company = await house.engage();
    await bank.suspendMandate(mandateOf(company));
    const notice = { kind: "mandate", subject: mandateOf(company) };
    const quick = createCompanies({ ...house.ctx, gateway: bank });
    // It has asked, and before it can write down what it was told the other has done everything and time has gone by.
    const slowGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (told.length === 0) await quick.handleNotice(notice);
        clock.advance(DAY_IN_MS);
        return mandate;
      },
    };
    const graceEndsAt = after(clock(), GRACE);
    await createCompanies({ ...house.ctx, gateway: slowGateway }).handleNotice(notice);
    expect(told).toEqual([graceEndsAt.toISOString()]);
    expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
  });

  test("and heard of by a process that was told the opposite a moment before ends in trouble all the same", async () => {
    await using house = await openHouse(engine);
    const { bank } = house;
    const company = await house.engage();
    const notice = { kind: "mandate", subject: mandateOf(company) };
    await bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await bank.restoreMandate(mandateOf(company));
    let isFirst = true;
    const lateGateway: DemoDebit = {
      ...bank,
      async findMandate(id) {
        const mandate = await bank.findMandate(id);
        if (!isFirst) return mandate;
        isFirst = false;
        await bank.failMandate(id);
        await house.companies.handleNotice(notice);
        return mandate;
      },
    };
    await createCompanies({ ...house.ctx, gateway: lateGateway }).handleNotice(notice);
    expect(await house.find()).toMatchObject({ state: "grace" });
  });

  test("is not asked for the same year again because its bank has replaced the mandate", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    const nextId = await house.bank.replaceMandate(mandateOf(company));
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", mandateId: nextId });
    await house.bank.replaceMandate(nextId);
    await house.deliver();
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("is live again as soon as its mandate is, and has its next grace in full", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(GRACE - DAY_IN_MS);
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined, liveSince: company.liveSince });
    house.clock.advance(2 * DAY_IN_MS);
    expect(await house.isOpen()).toBe(true);
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt: after(house.clock(), GRACE) });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("waits for its debit even when its mandate is back", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace" });
    expect(await house.companies.openFlow(company.id, links)).toEqual({ ok: false, reason: "already-agreed" });
    await house.bank.confirmDebit(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test.each(["failDebit", "chargeBack"] as const)(
    "(%s) is live again when the bank takes that back, in grace or after it, without a second debit (D8, D9)",
    async (control) => {
      await using house = await openHouse(engine);
      const company = await house.engage();
      for (const days of [1, 20]) {
        await house.bank[control](debitOf(company));
        await house.deliver();
        expect(await house.find()).toMatchObject({ state: "grace" });
        house.clock.advance(days * DAY_IN_MS);
        await house.bank.confirmDebit(debitOf(company));
        if (days === 1) await house.deliver();
        else await house.companies.upkeep();
        expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
        expect(await house.isOpen()).toBe(true);
      }
      expect(await house.listDebits()).toHaveLength(1);
    },
  );

  test("agrees anew: what was not paid is collected once more, under the new mandate, and makes it live when paid", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.bank.failMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(DAY_IN_MS);
    await house.agreeAgain(company.id);
    await house.deliver((ids) => [...ids, ...ids]);
    const anew = await house.find();
    expect(anew).toMatchObject({
      state: "grace",
      collections: [{ period: 0, state: "pending", dueAt: company.liveSince }],
    });
    expect(anew.mandateId).not.toBe(company.mandateId);
    expect((await house.listDebits()).map(({ parent }) => parent)).toEqual([company.mandateId, anew.mandateId]);
    // Late news of the first debit changes nothing any more.
    expect(await house.companies.handleNotice({ kind: "debit", subject: debitOf(company) })).toBe(false);
    await house.bank.confirmDebit(debitOf(anew));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
    expect(await house.listDebits()).toHaveLength(2);
  });

  test.each<Fault>([
    { call: "createBillingRequest", when: "after" },
    { call: "openFlow", when: "after" },
  ])("that agrees anew and is cut off at $call goes on with the same request", async (fault) => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failMandate(mandateOf(company));
    await house.deliver();
    house.line.fault = fault;
    await expect(house.companies.openFlow(company.id, links)).rejects.toThrow("No answer");
    await expect(house.companies.openFlow(company.id, links)).rejects.toThrow("No answer");
    house.line.fault = undefined;
    await house.agreeAgain(company.id);
    expect(await house.listRequests()).toHaveLength(2);
    await house.deliver();
    // The year was paid already: nothing is collected for it again.
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test.each<Fault>([
    { call: "collect", when: "before" },
    { call: "collect", when: "after" },
    { call: "findDebit", when: "before" },
  ])("whose second debit is cut off at $call, $when has two in all", async (fault) => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.chargeBack(debitOf(company));
    await house.deliver();
    await house.agreeAgain(company.id);
    house.line.fault = fault;
    await expect(house.deliver()).rejects.toThrow("No answer");
    await house.companies.upkeep();
    house.line.fault = undefined;
    await Promise.all([house.companies.upkeep(), house.companies.upkeep()]);
    expect(await house.listDebits()).toHaveLength(2);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("whose debit the bank takes up again while it agrees anew pays once", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    await house.agreeAgain(company.id);
    house.line.fault = { call: "collect", when: "before" };
    await house.companies.upkeep();
    await house.bank.confirmDebit(debitOf(company));
    house.line.fault = undefined;
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ gatewayId: debitOf(company) }] });
  });

  test("that was stopped and pays again has a whole year from then on", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    house.clock.advance(100 * DAY_IN_MS);
    await house.agreeAgain(company.id);
    await house.deliver();
    const back = await house.find();
    expect(back).toMatchObject({
      state: "live",
      liveSince: house.clock(),
      collections: [{ period: 0, dueAt: house.clock(), state: "confirmed" }],
    });
    house.clock.advance(364 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(2);
    house.clock.advance(DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(3);
  });

  test("is not asked for a further year, nor charged for the time it was stopped", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    for (let month = 0; month < 30; month += 1) {
      house.clock.advance(30 * DAY_IN_MS);
      await house.companies.upkeep();
    }
    expect(await house.listDebits()).toHaveLength(1);
    await house.bank.restoreMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({
      state: "live",
      collections: [{ period: 0 }, { period: 1, dueAt: house.clock() }],
    });
    expect(await house.listDebits()).toHaveLength(2);
  });

  test("that fails to pay but keeps its mandate is not collected from while it is stopped", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.bank.failDebit(debitOf(company));
    await house.deliver();
    house.clock.advance(500 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "stopped" });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("keeps its members' seats, and lets new ones in only when it is live again", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage({ accounts: 1 });
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(GRACE);
    const check = await house.db
      .transaction()
      .execute((trx) => house.codes.takeSeat({ code: "ACME-SLEEP", memberId: 1 }, trx));
    expect(check).toMatchObject({ isValid: false, reason: "stopped" });
    expect(await house.codes.find("ACME-SLEEP")).toMatchObject({ seatsTaken: 0, fault: "stopped" });
  });
});
