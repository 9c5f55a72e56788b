import { expect } from "vitest";

import { createGoCardless, GOCARDLESS } from "../../server/adapters/gocardless/gocardless.ts";
import type { CompanyDetails } from "../../server/codes/company-rows.ts";
import type { Engine } from "../../server/database/database.ts";
import { acme, links } from "../helpers/company-app.ts";
import { openApp } from "../helpers/app.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { startGoCardlessFake, visitFlow } from "./gocardless.ts";

/** The whole app, with GoCardless behind its companies. */
export async function openAppOverGoCardless(engine: Engine) {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const patience = { tryInMs: 500, totalInMs: 1000, pausesInMs: [1, 1] };
  const debits = createGoCardless({ ...fake, clock, patience });
  const app = await openApp(engine, { clock, debits });
  const { companies, webhooks, codes } = app.services;

  const find = async (): Promise<CompanyDetails> => {
    const company = await companies.find("Acme");
    if (!company) throw new Error("No Acme");
    return company;
  };
  /** Brings all webhooks to our door, then works on them. */
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
