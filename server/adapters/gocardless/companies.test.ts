import { describe, expect, test } from "vitest";

import { startGoCardlessFake, visitFlow } from "../../../tests/fakes/gocardless.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { acme, readDebit, links } from "../../../tests/helpers/company-app.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { CompanyDetails } from "../../money/companies/company.ts";
import { createGoCardless, GOCARDLESS } from "./gocardless.ts";

async function openAppOverGoCardless() {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const patience = { timeOut: clock.timeOut, wait: async () => undefined };
  const debits = createGoCardless({ ...fake, clock, patience });
  const app = await openApp({ clock, debits });
  const { companies, webhooks, codes } = app.services;

  const find = async (): Promise<CompanyDetails> => {
    const company = await companies.find("Acme");
    if (!company) throw new Error("No Acme");
    return company;
  };
  const deliver = async (copies = 1, size?: number) => {
    const events = Array.from({ length: copies }, () => fake.takeWebhooks(size)).flat();
    for (const { body, headers } of copies > 1 ? [...events, ...events.toReversed()] : events) {
      expect(await webhooks.receive({ gateway: GOCARDLESS, body, headers })).toBe("kept");
    }
    await webhooks.handleWaiting();
  };
  const create = async () => {
    const made = await companies.create(acme, links);
    return made.ok ? made.authorisationUrl : "";
  };
  const engage = async () => {
    await visitFlow(await create(), "agree");
    await deliver();
    fake.activate((await find()).mandateId ?? "");
    return find();
  };
  const isOpen = async () => (await codes.check("ACME-SLEEP")).isValid;
  const listPayments = () => [...fake.state.all.payments.values()];
  return {
    ...app,
    clock,
    fake,
    companies,
    webhooks,
    find,
    deliver,
    create,
    engage,
    isOpen,
    listPayments,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

describe("a company that agrees at GoCardless", () => {
  test.each(["lost", "garbage", 429] as const)(
    "while answers go astray (%s) has one request, one mandate and one payment (D1, D2, D5)",
    async (kind) => {
      await using app = await openAppOverGoCardless();
      app.fake.fail({ kind, on: /^POST/ });
      await expect(app.companies.create(acme, links)).rejects.toThrow("GoCardless");
      app.fake.heal();
      const { id } = await app.find();
      const flow = await app.companies.openFlow(id, links);
      await visitFlow(flow.ok ? flow.authorisationUrl : "", "agree");
      app.fake.fail({ kind, on: /^POST/, times: 4 });
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

  test("is collected from once, however often, torn apart and reversed its webhooks come (D10, D11)", async () => {
    await using app = await openAppOverGoCardless();
    await visitFlow(await app.create(), "agree");
    await app.deliver(2, 1);
    app.fake.confirm(readDebit(await app.find()));
    app.fake.payOut(readDebit(await app.find()));
    await app.deliver(2, 1);
    expect(app.listPayments()).toHaveLength(1);
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "paid-out" }] });
  });
});

describe("an app that GoCardless's webhooks do not reach", () => {
  test("for days catches up by listing the events, even those that no job asks about (C20)", async () => {
    await using app = await openAppOverGoCardless();
    const company = await app.engage();
    app.fake.confirm(readDebit(company));
    app.fake.payOut(readDebit(company));
    await app.deliver();
    await app.services.jobs.run("catch-up-webhooks");
    app.clock.advance(2 * DAY_IN_MS);
    app.fake.chargeBack(readDebit(company));
    app.fake.takeWebhooks();
    app.clock.advance(2 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    await app.services.jobs.run("catch-up-webhooks");
    app.clock.advance(SECOND_IN_MS);
    await app.webhooks.handleWaiting();
    expect(await app.find()).toMatchObject({ state: "grace" });
  });
});

describe("a company with a failing debit", () => {
  test("with too little on its account stays live while GoCardless tries again (D8)", async () => {
    await using app = await openAppOverGoCardless();
    const company = await app.engage();
    app.fake.failPayment(readDebit(company), { willRetry: true });
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live", collections: [{ state: "pending" }] });
    app.clock.advance(3 * DAY_IN_MS);
    app.fake.retryPayment(readDebit(company));
    await app.deliver();
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "live" });
    app.clock.advance(3 * DAY_IN_MS);
    app.fake.failPayment(readDebit(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "failed" }] });
    app.fake.retryPayment(readDebit(company));
    app.fake.confirm(readDebit(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "live" });
    expect(app.listPayments()).toHaveLength(1);
  });
});
