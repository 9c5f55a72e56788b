import { describe, expect, test } from "vitest";

import {
  acme,
  type Fault,
  links,
  mandateOf,
  openCompanyHouse as openHouse,
} from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";

describe.each(engines)("a company that agrees on %s", (engine) => {
  test("is live as soon as the house hears of it: people may join, and the year is collected once", async () => {
    await using house = await openHouse(engine, { debitsBegin: "pending" });
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    // D4: back from the page before the house has heard.
    expect(await house.find()).toMatchObject({ state: "setting-up" });
    expect(await house.isOpen()).toBe(false);
    await house.deliver();
    expect(await house.find()).toMatchObject({
      state: "live",
      liveSince: house.clock(),
      mandateId: expect.stringMatching(/^mdt_demo_/),
      collections: [{ period: 0, amountInPence: 60_000, state: "pending", dueAt: house.clock() }],
    });
    expect(await house.isOpen()).toBe(true);
    const [debit, ...others] = await house.listDebits();
    expect(others).toEqual([]);
    expect(JSON.parse(debit?.body ?? "")).toMatchObject({
      amountInPence: 60_000,
      description: "Dormouse, 12 months, 50 accounts",
    });
    await house.bank.confirmDebit(debit?.id ?? "");
    await house.deliver();
    expect(await house.find()).toMatchObject({ collections: [{ state: "confirmed", gatewayId: debit?.id }] });
    expect(await house.companies.openFlow((await house.find()).id, links)).toEqual({
      ok: false,
      reason: "already-agreed",
    });
  });

  test("is found by upkeep when no notice ever comes (D3, D4)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("is collected from once, whatever notices come how often and in whatever order (D5, D11)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.deliver((ids) => [...ids, ...ids.toReversed(), ...ids]);
    await house.deliver((ids) => [...ids, ...ids]);
    expect(await house.listDebits()).toHaveLength(1);
    expect((await house.find()).collections).toHaveLength(1);
  });

  test("is collected from once when notices and upkeep of several processes meet", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    const { billingRequestId = "" } = await house.find();
    await Promise.all(
      Array.from({ length: 4 }, () => [
        house.companies.upkeep(),
        house.companies.handleNotice({ kind: "billing-request", subject: billingRequestId }),
      ]).flat(),
    );
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ period: 0, state: "confirmed" }] });
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each<Fault>([
    { call: "findBillingRequest", when: "before" },
    { call: "findMandate", when: "after" },
    { call: "collect", when: "before" },
    { call: "collect", when: "after" },
    { call: "findDebit", when: "before" },
  ])("and is cut off at $call, $when: there is one debit in the end (D5)", async (fault) => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    house.line.fault = fault;
    await expect(house.deliver()).rejects.toThrow("No answer");
    await house.companies.upkeep();
    await house.companies.upkeep();
    house.line.fault = undefined;
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
  });

  test("and whose mandate is replaced before the lost answer is asked for again still pays once", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    house.line.fault = { call: "collect", when: "after" };
    await house.companies.upkeep();
    house.line.fault = undefined;
    await house.bank.replaceMandate(mandateOf(await house.find()));
    await house.companies.upkeep();
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("and whose mandate fails at once was never live, and may agree anew", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    const { id, billingRequestId = "" } = await house.find();
    const request = await house.bank.findBillingRequest(billingRequestId);
    await house.bank.failMandate(request?.mandateId ?? "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "setting-up", collections: [] });
    await house.agreeAgain(id);
    expect(await house.listRequests()).toHaveLength(2);
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "confirmed" }] });
    expect(await house.listDebits()).toHaveLength(1);
  });

  test("is left alone by what is not about it", async () => {
    await using house = await openHouse(engine);
    const { mandateId = "" } = await house.engage();
    for (const kind of ["billing-request", "mandate", "debit", "other", "payout", "__proto__"]) {
      expect(await house.companies.handleNotice({ kind, subject: "xx_1" })).toBe(false);
    }
    expect(await house.companies.handleNotice({ kind: "other", subject: mandateId })).toBe(false);
  });

  test("keeps a notice for later when the gateway cannot be asked", async () => {
    await using house = await openHouse(engine);
    const { mandateId: subject = "" } = await house.engage();
    await house.bank.failMandate(subject);
    house.line.fault = { call: "findMandate", when: "before" };
    await expect(house.companies.handleNotice({ kind: "mandate", subject })).rejects.toThrow("No answer");
    expect(await house.find()).toMatchObject({ state: "live" });
    house.line.fault = undefined;
    expect(await house.companies.handleNotice({ kind: "mandate", subject })).toBe(true);
    expect(await house.find()).toMatchObject({ state: "grace" });
  });
});
