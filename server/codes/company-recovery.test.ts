import { describe, expect, test } from "vitest";

import {
  debitOf,
  type Fault,
  links,
  mandateOf,
  openCompanyHouse as openHouse,
} from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";

describe.each(engines)("a company in trouble on %s", (engine) => {
  const GRACE = 14 * DAY_IN_MS;

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
});
