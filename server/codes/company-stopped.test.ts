import { describe, expect, test } from "vitest";

import { debitOf, mandateOf, openCompanyHouse as openHouse } from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("a company in trouble on %s", (engine) => {
  const GRACE = 14 * DAY_IN_MS;

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
