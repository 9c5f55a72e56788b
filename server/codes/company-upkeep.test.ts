import { describe, expect, test } from "vitest";

import { acme, links, mandateOf, openCompanyHouse as openHouse } from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("looking after companies on %s", (engine) => {
  test("one that cannot be looked after does not keep the others from it", async () => {
    await using house = await openHouse(engine);
    const lost = await house.engage({ name: "Lost Ltd", code: "LOST-LTD" });
    await house.db.updateTable("companies").set({ mandate_id: "mdt_elsewhere" }).execute();
    const made = await house.companies.create(acme, links);
    await house.agreeOn(made.ok ? made.authorisationUrl : "");
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(await house.find("Lost Ltd")).toMatchObject({ state: "live", mandateId: "mdt_elsewhere" });
    const errors = house.log.lines.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.facts).toMatchObject({ company: lost.id });
    expect(JSON.stringify(house.log.lines)).not.toMatch(/acme|lost/i);
  });

  test("one whose trouble is over is found, although nothing of it is unsettled", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.deliver();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    await house.bank.restoreMandate(mandateOf(company));
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
  });

  test("costs nothing for companies that are settled", async () => {
    await using house = await openHouse(engine);
    await house.engage();
    await house.db.updateTable("collections").set({ state: "paid-out" }).execute();
    house.line.fault = { call: "findMandate", when: "before" };
    house.clock.advance(300 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("companies are listed by name, and found by name in any case or by number", async () => {
    await using house = await openHouse(engine);
    const zebra = await house.engage({ name: "Zebra & Söhne", code: "ZEBRA" });
    const first = await house.engage({ name: "aardvark", code: "AARD" });
    const seven = await house.engage({ name: `${zebra.id}`, code: "NUMBER" });
    const listed = await house.companies.list();
    expect(listed.map(({ name, code, seatsTaken }) => [name, code, seatsTaken])).toEqual([
      [`${zebra.id}`, "NUMBER", 0],
      ["aardvark", "AARD", 0],
      ["Zebra & Söhne", "ZEBRA", 0],
    ]);
    expect((await house.companies.find(" ZEBRA &  söhne"))?.id).toBe(zebra.id);
    expect((await house.companies.find(String(first.id)))?.id).toBe(first.id);
    expect((await house.companies.find(String(zebra.id)))?.id).toBe(seven.id);
    for (const name of ["nobody", "", "999", "9".repeat(30), "-1", "1; drop table companies"]) {
      expect(await house.companies.find(name)).toBeUndefined();
    }
  });

  test("a code that is given to a company later stands beside its own, and stops with it", async () => {
    await using house = await openHouse(engine);
    const company = await house.engage();
    await house.codes.create({ code: "ACME-EXTRA", seats: 3, companyId: company.id });
    expect(await house.find()).toMatchObject({ code: "ACME-SLEEP" });
    expect(await house.isOpen("ACME-EXTRA")).toBe(true);
    await house.bank.suspendMandate(mandateOf(company));
    await house.deliver();
    house.clock.advance(14 * DAY_IN_MS);
    expect(await house.isOpen("ACME-EXTRA")).toBe(false);
  });
});
