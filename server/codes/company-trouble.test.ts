import { describe, expect, test } from "vitest";

import { debitOf, mandateOf, openCompanyHouse as openHouse } from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import type { DemoDebit } from "../adapters/demo-debit.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import { createCompanies } from "./companies.ts";
import type { CompanyDetails } from "./company-rows.ts";
import type { CompanyLetters } from "./take-in.ts";

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
    const tell: CompanyLetters = {
      async onGrace(company, trx) {
        if (!isMailUp) throw new Error("no mail");
        const seen = await trx.selectFrom("companies").select("state").where("id", "=", company.id).executeTakeFirst();
        told.push(`${company.name} ${company.state} ${seen?.state} ${company.graceEndsAt?.toISOString()}`);
      },
    };
    await using house = await openHouse(engine, { tell });
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
    const tell = { onGrace: async ({ graceEndsAt }: CompanyDetails) => void told.push(graceEndsAt?.toISOString()) };
    await using house = await openHouse(engine, { tell });
    const { db, clock, codes, log, bank } = house;
    const company = await house.engage();
    await bank.suspendMandate(mandateOf(company));
    const notice = { kind: "mandate", subject: mandateOf(company) };
    const quick = createCompanies({ db, clock, gateway: bank, codes, log, tell });
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
    await createCompanies({ db, clock, gateway: slowGateway, codes, log, tell }).handleNotice(notice);
    expect(told).toEqual([graceEndsAt.toISOString()]);
    expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
  });

  test("and heard of by a process that was told the opposite a moment before ends in trouble all the same", async () => {
    await using house = await openHouse(engine);
    const { db, clock, codes, log, bank } = house;
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
    await createCompanies({ db, clock, gateway: lateGateway, codes, log }).handleNotice(notice);
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
});
