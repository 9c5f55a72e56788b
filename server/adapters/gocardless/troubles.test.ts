import { describe, expect, test } from "vitest";

import { openHouseOverGoCardless } from "../../../tests/fakes/gocardless-house.ts";
import { debitOf, mandateOf } from "../../../tests/helpers/company-house.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../../clock.ts";

const GRACE_IN_MS = 14 * DAY_IN_MS;

describe.each(engines)("a company whose bank does not play along, on %s", (engine) => {
  test.each(["failMandate", "cancelMandate", "expireMandate", "blockMandate", "suspendMandate"] as const)(
    "(%s) has fourteen days of grace and is not collected from (D6)",
    async (control) => {
      await using house = await openHouseOverGoCardless(engine);
      const company = await house.engage();
      house.fake.confirm(debitOf(company));
      house.fake.payOut(debitOf(company));
      await house.deliver();
      house.fake[control](mandateOf(company));
      await house.deliver();
      const graceEndsAt = after(house.clock(), GRACE_IN_MS);
      expect(await house.find()).toMatchObject({ state: "grace", graceEndsAt });
      house.clock.advance(GRACE_IN_MS);
      expect(await house.isOpen()).toBe(false);
      house.clock.advance(365 * DAY_IN_MS);
      await house.companies.upkeep();
      expect(house.listPayments()).toHaveLength(1);
    },
  );

  test("that suspends and resumes its mandate is live again at once", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    house.fake.confirm(debitOf(company));
    house.fake.suspendMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace" });
    house.fake.resumeMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
  });

  test("that moves to another bank pays its next year there (D7)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    house.fake.confirm(debitOf(company));
    house.fake.transferMandate(mandateOf(company));
    const nextId = house.fake.replaceMandate(mandateOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", mandateId: nextId });
    house.clock.advance(366 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(house.listPayments().map(({ links: { mandate } = {} }) => mandate)).toEqual([mandateOf(company), nextId]);
  });

  test("that has too little on its account keeps its standing while GoCardless tries again (D8)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    house.fake.failPayment(debitOf(company), { willRetry: true });
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    house.clock.advance(3 * DAY_IN_MS);
    house.fake.retryPayment(debitOf(company));
    await house.deliver();
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
    house.clock.advance(3 * DAY_IN_MS);
    house.fake.failPayment(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    house.fake.retryPayment(debitOf(company));
    house.fake.confirm(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(house.listPayments()).toHaveLength(1);
  });

  test("that claims its money back loses standing once, and has it back when it gives in (D9)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    for (const happening of ["confirm", "payOut", "chargeBack"] as const) house.fake[happening](debitOf(company));
    await house.deliver(2, 1);
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "charged-back" }] });
    house.fake.cancelChargeback(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "paid-out" }] });
  });

  test("whose payment fails weeks after it was paid out is in grace (D9)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    house.fake.confirm(debitOf(company));
    house.fake.payOut(debitOf(company));
    await house.deliver();
    house.clock.advance(20 * DAY_IN_MS);
    house.fake.failPayment(debitOf(company));
    await house.deliver();
    expect(await house.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
  });
});
