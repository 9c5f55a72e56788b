import { describe, expect, test } from "vitest";

import { openHouseOverGoCardless } from "../../../tests/fakes/gocardless-house.ts";
import { visitFlow } from "../../../tests/fakes/gocardless.ts";
import { acme, debitOf, links } from "../../../tests/helpers/company-house.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import { GOCARDLESS } from "./gocardless.ts";

describe.each(engines)("a company that agrees at GoCardless, on %s", (engine) => {
  test.each(["lost", "reset", "garbage", 500, 429] as const)(
    "while answers go astray (%s) has one request, one mandate and one payment (D1, D2, D5)",
    async (kind) => {
      await using house = await openHouseOverGoCardless(engine);
      house.fake.faults.push({ kind, on: /^POST/ });
      await expect(house.companies.create(acme, links)).rejects.toThrow("GoCardless");
      house.fake.faults.length = 0;
      const { id } = await house.find();
      const flow = await house.companies.openFlow(id, links);
      await visitFlow(flow.ok ? flow.authorisationUrl : "", "agree");
      house.fake.faults.push({ kind, on: /^POST/, times: 4 });
      await house.deliver();
      for (let minute = 0; minute < 3; minute += 1) {
        house.clock.advance(MINUTE_IN_MS);
        await house.companies.upkeep();
        await house.notices.handleWaiting();
      }
      expect(house.fake.state.all.billing_requests.size).toBe(1);
      expect(house.fake.state.all.mandates.size).toBe(1);
      expect(house.listPayments()).toMatchObject([{ amount: 60_000, description: "Dormouse, 12 months, 50 accounts" }]);
      expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    },
  );

  test("may come back after a week and after leaving; being sent back is no agreement (D2, D3, D4)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const url = await house.create();
    expect(await visitFlow(url, "exit")).toBe(links.exitUrl);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "setting-up" });
    house.clock.advance(8 * DAY_IN_MS);
    expect(await visitFlow(url, "agree")).toBeNull();
    const flow = await house.companies.openFlow((await house.find()).id, links);
    await visitFlow(flow.ok ? flow.authorisationUrl : "", "agree");
    expect(await house.isOpen()).toBe(false);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
    expect(await house.isOpen()).toBe(true);
    expect(house.fake.state.all.billing_requests.size).toBe(1);
  });

  test("is collected from once, however often, torn apart and reversed its webhooks come (D10, D11)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    await visitFlow(await house.create(), "agree");
    await house.deliver(2, 1);
    house.fake.confirm(debitOf(await house.find()));
    house.fake.payOut(debitOf(await house.find()));
    await house.deliver(2, 1);
    expect(house.listPayments()).toHaveLength(1);
    expect(await house.find()).toMatchObject({ state: "live", collections: [{ state: "paid-out" }] });
  });
});

describe.each(engines)("a house that GoCardless's webhooks do not reach, on %s", (engine) => {
  test("for days learns of everything by asking, also what no task would ever ask about (C20)", async () => {
    await using house = await openHouseOverGoCardless(engine);
    const company = await house.engage();
    house.fake.confirm(debitOf(company));
    house.fake.payOut(debitOf(company));
    await house.deliver();
    await house.rooms.tasks.run("catch-up-notices");
    house.clock.advance(2 * DAY_IN_MS);
    house.fake.chargeBack(debitOf(company));
    house.fake.takeWebhooks();
    house.clock.advance(2 * DAY_IN_MS);
    await house.companies.upkeep();
    expect(await house.find()).toMatchObject({ state: "live" });
    await house.rooms.tasks.run("catch-up-notices");
    house.clock.advance(SECOND_IN_MS);
    await house.notices.handleWaiting();
    expect(await house.find()).toMatchObject({ state: "grace" });
  });

  test("and that cannot ask either tries again, and its other tasks go on", async () => {
    await using house = await openHouseOverGoCardless(engine);
    await visitFlow(await house.create(), "agree");
    house.fake.takeWebhooks();
    house.fake.faults.push({ kind: 500, on: /events/ });
    expect(await house.notices.catchUp()).toBe(0);
    expect(house.log.lines).toContainEqual(
      expect.objectContaining({ level: "warn", facts: expect.objectContaining({ gateway: GOCARDLESS }) as object }),
    );
    house.fake.faults.length = 0;
    expect(await house.notices.catchUp()).toBe(2);
    await house.notices.handleWaiting();
    expect(await house.find()).toMatchObject({ state: "live" });
  });
});
