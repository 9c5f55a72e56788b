import { describe, expect, test } from "vitest";

import { acme, type Fault, links, openCompanyHouse as openHouse } from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";

describe.each(engines)("a new company on %s", (engine) => {
  test("gets a code for its accounts and a page to agree on; the code waits for that", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    expect(made).toMatchObject({
      ok: true,
      code: "ACME-SLEEP",
      company: { name: "Acme", accounts: 50, priceInPence: 60_000, state: "setting-up", collections: [] },
      authorisationUrl: expect.stringContaining("https://dormouse.example/demo-gateway/debit/brf_demo_"),
      expiresAt: after(house.clock(), 7 * DAY_IN_MS),
    });
    expect(await house.codes.find("ACME-SLEEP")).toMatchObject({ seats: 50, company: { name: "Acme" } });
    expect(await house.codes.check("ACME-SLEEP")).toMatchObject({ isValid: false, reason: "setting-up" });
  });

  test("gets a code that is made up when none is given", async () => {
    await using house = await openHouse(engine);
    expect(await house.companies.create({ ...acme, code: undefined }, links)).toMatchObject({
      ok: true,
      code: expect.stringMatching(/^DORMOUSE-\w{4}-\w{4}$/),
    });
  });

  test("is refused for its code or its figures, and nothing of it stays", async () => {
    await using house = await openHouse(engine);
    await house.codes.create({ code: "TAKEN-CODE", seats: 1 });
    for (const [reason, wrong] of [
      ["price-invalid", { priceInPence: 0 }],
      ["code-malformed", { code: "?" }],
      ["code-taken", { code: "Taken-Code" }],
    ] as const) {
      expect(await house.companies.create({ ...acme, ...wrong }, links)).toEqual({ ok: false, reason });
    }
    expect(await house.companies.list()).toEqual([]);
    expect(await house.codes.list()).toHaveLength(1);
    expect(await house.listRequests()).toEqual([]);
    expect(await house.companies.create(acme, links)).toMatchObject({ ok: true });
  });

  test("is there once, however its name is written and however many add it at once", async () => {
    await using house = await openHouse(engine);
    const names = ["Acme Sleep", "ACME SLEEP", " acme  sleep ", "Ａcme Sleep"];
    const made = await Promise.all(
      names.map((name) => house.companies.create({ ...acme, name, code: undefined }, links)),
    );
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.reason === "name-taken")).toHaveLength(3);
    expect(await house.codes.list()).toHaveLength(1);
    expect(await house.listRequests()).toHaveLength(1);
  });

  test.each<Fault>([
    { call: "createBillingRequest", when: "before" },
    { call: "createBillingRequest", when: "after" },
    { call: "openFlow", when: "before" },
    { call: "openFlow", when: "after" },
  ])("cut off at the gateway ($call, $when) goes on with one billing request (D1, D2)", async (fault) => {
    await using house = await openHouse(engine);
    house.line.fault = fault;
    await expect(house.companies.create(acme, links)).rejects.toThrow("No answer");
    const { id } = await house.find();
    await expect(house.companies.openFlow(id, links)).rejects.toThrow("No answer");
    house.line.fault = undefined;
    expect(await house.companies.create(acme, links)).toEqual({ ok: false, reason: "name-taken" });
    const flow = await house.companies.openFlow(id, links);
    expect(await house.listRequests()).toHaveLength(1);
    await house.agreeOn(flow.ok ? flow.authorisationUrl : "");
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test("may ask for its page again and again, also at once, and after the first one is too old", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    const { id, billingRequestId } = await house.find();
    const flows = await Promise.all([house.companies.openFlow(id, links), house.companies.openFlow(id, links)]);
    house.clock.advance(8 * DAY_IN_MS);
    flows.push(await house.companies.openFlow(id, links));
    const urls = [made, ...flows].map((each) => (each.ok ? each.authorisationUrl : ""));
    expect(new Set(urls).size).toBe(4);
    expect(await house.listRequests()).toEqual([{ id: billingRequestId }]);
    expect(await house.companies.openFlow(id + 1, links)).toEqual({ ok: false, reason: "unknown-company" });
  });

  test("that leaves the page without agreeing, or never comes, gets no access (D3)", async () => {
    await using house = await openHouse(engine);
    const made = await house.companies.create(acme, links);
    await house.bank.leave((made.ok ? made.authorisationUrl : "").split("/").at(-1) ?? "");
    await house.deliver();
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "setting-up", collections: [] });
    expect(await house.isOpen()).toBe(false);
  });
});
