import { describe, expect, test } from "vitest";

import { openAppOverGoCardless } from "../../../tests/fakes/gocardless-app.ts";
import { visitFlow } from "../../../tests/fakes/gocardless.ts";
import { acme, debitOf, links } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import { GOCARDLESS } from "./gocardless.ts";

describe.each(engines)("a company that agrees at GoCardless, on %s", (engine) => {
  test.each(["lost", "reset", "garbage", 500, 429] as const)(
    "while answers go astray (%s) has one request, one mandate and one payment (D1, D2, D5)",
    async (kind) => {
      await using app = await openAppOverGoCardless(engine);
      app.fake.faults.push({ kind, on: /^POST/ });
      await expect(app.companies.create(acme, links)).rejects.toThrow("GoCardless");
      app.fake.faults.length = 0;
      const { id } = await app.find();
      const flow = await app.companies.openFlow(id, links);
      await visitFlow(flow.ok ? flow.authorisationUrl : "", "agree");
      app.fake.faults.push({ kind, on: /^POST/, times: 4 });
      await app.deliver();
      for (let minute = 0; minute < 3; minute += 1) {
        app.clock.advance(MINUTE_IN_MS);
        await app.companies.upkeep();
        await app.webhooks.handleWaiting();
      }
      expect(app.fake.state.all.billing_requests.size).toBe(1);
      expect(app.fake.state.all.mandates.size).toBe(1);
      expect(app.listPayments()).toMatchObject([{ amount: 60_000, description: "Dormouse, 12 months, 50 accounts" }]);
      expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    },
  );

  test("may come back after a week and after leaving; being sent back is no agreement (D2, D3, D4)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const url = await app.create();
    expect(await visitFlow(url, "exit")).toBe(links.exitUrl);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "setting-up" });
    app.clock.advance(8 * DAY_IN_MS);
    expect(await visitFlow(url, "agree")).toBeNull();
    const flow = await app.companies.openFlow((await app.find()).id, links);
    await visitFlow(flow.ok ? flow.authorisationUrl : "", "agree");
    expect(await app.isOpen()).toBe(false);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    expect(await app.isOpen()).toBe(true);
    expect(app.fake.state.all.billing_requests.size).toBe(1);
  });

  test("is collected from once, however often, torn apart and reversed its webhooks come (D10, D11)", async () => {
    await using app = await openAppOverGoCardless(engine);
    await visitFlow(await app.create(), "agree");
    await app.deliver(2, 1);
    app.fake.confirm(debitOf(await app.find()));
    app.fake.payOut(debitOf(await app.find()));
    await app.deliver(2, 1);
    expect(app.listPayments()).toHaveLength(1);
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "paid-out" }] });
  });
});

describe.each(engines)("an app that GoCardless's webhooks do not reach, on %s", (engine) => {
  test("for days learns of everything by asking, also what no job would ever ask about (C20)", async () => {
    await using app = await openAppOverGoCardless(engine);
    const company = await app.engage();
    app.fake.confirm(debitOf(company));
    app.fake.payOut(debitOf(company));
    await app.deliver();
    await app.services.jobs.run("catch-up-webhooks");
    app.clock.advance(2 * DAY_IN_MS);
    app.fake.chargeBack(debitOf(company));
    app.fake.takeWebhooks();
    app.clock.advance(2 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    await app.services.jobs.run("catch-up-webhooks");
    app.clock.advance(SECOND_IN_MS);
    await app.webhooks.handleWaiting();
    expect(await app.find()).toMatchObject({ state: "grace" });
  });

  test("and that cannot ask either tries again, and its other jobs go on", async () => {
    await using app = await openAppOverGoCardless(engine);
    await visitFlow(await app.create(), "agree");
    app.fake.takeWebhooks();
    app.fake.faults.push({ kind: 500, on: /events/ });
    expect(await app.webhooks.catchUp()).toBe(0);
    expect(app.log.lines).toContainEqual(
      expect.objectContaining({ level: "warn", facts: expect.objectContaining({ gateway: GOCARDLESS }) as object }),
    );
    app.fake.faults.length = 0;
    expect(await app.webhooks.catchUp()).toBe(2);
    await app.webhooks.handleWaiting();
    expect(await app.find()).toMatchObject({ state: "live" });
  });
});
