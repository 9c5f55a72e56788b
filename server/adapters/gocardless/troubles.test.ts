import { describe, expect, test } from "vitest";

import { openAppOverGoCardless } from "../../../tests/fakes/gocardless-app.ts";
import { debitOf, mandateOf } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../../clock.ts";

const GRACE_IN_MS = 14 * DAY_IN_MS;

describe.each(engines)("a company whose bank does not play along, on %s", (engine) => {
  test.each(["failMandate", "cancelMandate", "expireMandate", "blockMandate", "suspendMandate"] as const)(
    "(%s) has fourteen days of grace and is not collected from (D6)",
    async (control) => {
      await using app = await openAppOverGoCardless(engine);
      const company = await app.engage();
      app.fake.confirm(debitOf(company));
      app.fake.payOut(debitOf(company));
      await app.deliver();
      app.fake[control](mandateOf(company));
      await app.deliver();
      const graceEndsAt = after(app.clock(), GRACE_IN_MS);
      expect(await app.find()).toMatchObject({ state: "grace", graceEndsAt });
      app.clock.advance(GRACE_IN_MS);
      expect(await app.isOpen()).toBe(false);
      app.clock.advance(365 * DAY_IN_MS);
      await app.companies.upkeep();
      expect(app.listPayments()).toHaveLength(1);
    },
  );

  test("that suspends and resumes its mandate is live again at once", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    app.fake.confirm(debitOf(company));
    app.fake.suspendMandate(mandateOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "grace" });
    app.fake.resumeMandate(mandateOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", graceEndsAt: undefined });
  });

  test("that moves to another bank pays its next year there (D7)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    app.fake.confirm(debitOf(company));
    app.fake.transferMandate(mandateOf(company));
    const nextId = app.fake.replaceMandate(mandateOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", mandateId: nextId });
    app.clock.advance(366 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(app.listPayments().map(({ links: { mandate } = {} }) => mandate)).toEqual([mandateOf(company), nextId]);
  });

  test("that has too little on its account keeps its standing while GoCardless tries again (D8)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    app.fake.failPayment(debitOf(company), { willRetry: true });
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    app.clock.advance(3 * DAY_IN_MS);
    app.fake.retryPayment(debitOf(company));
    await app.deliver();
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    app.clock.advance(3 * DAY_IN_MS);
    app.fake.failPayment(debitOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    app.fake.retryPayment(debitOf(company));
    app.fake.confirm(debitOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live" });
    expect(app.listPayments()).toHaveLength(1);
  });

  test("that claims its money back loses standing once, and has it back when it gives in (D9)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    for (const happening of ["confirm", "payOut", "chargeBack"] as const) app.fake[happening](debitOf(company));
    await app.deliver(2, 1);
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "charged-back" }] });
    app.fake.cancelChargeback(debitOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "paid-out" }] });
  });

  test("whose payment fails weeks after it was paid out is in grace (D9)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    app.fake.confirm(debitOf(company));
    app.fake.payOut(debitOf(company));
    await app.deliver();
    app.clock.advance(20 * DAY_IN_MS);
    app.fake.failPayment(debitOf(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
  });
});
