import { expect } from "vitest";

import { createGoCardless, GOCARDLESS } from "../../server/adapters/gocardless/gocardless.ts";
import type { CompanyDetails } from "../../server/codes/company-rows.ts";
import type { Engine } from "../../server/database/database.ts";
import { acme, links } from "../helpers/company-house.ts";
import { openHouse } from "../helpers/house.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { startGoCardlessFake, visitFlow } from "./gocardless.ts";

/** The whole house, with GoCardless behind its companies. */
export async function openHouseOverGoCardless(engine: Engine) {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const patience = { tryInMs: 500, totalInMs: 1000, pausesInMs: [1, 1] };
  const debits = createGoCardless({ ...fake, clock, patience });
  const house = await openHouse(engine, { clock, debits });
  const { companies, notices, codes } = house.rooms;

  const find = async (): Promise<CompanyDetails> => {
    const company = await companies.find("Acme");
    if (!company) throw new Error("No Acme");
    return company;
  };
  /** Brings all webhooks to our door, then works on them. */
  const deliver = async (copies = 1, size?: number) => {
    const webhooks = Array.from({ length: copies }, () => fake.takeWebhooks(size)).flat();
    for (const { body, headers } of copies > 1 ? [...webhooks, ...webhooks.toReversed()] : webhooks) {
      expect(await notices.receive({ gateway: GOCARDLESS, body, headers })).toBe("kept");
    }
    await notices.handleWaiting();
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
    ...house,
    clock,
    fake,
    companies,
    notices,
    find,
    deliver,
    create,
    engage,
    isOpen,
    listPayments,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}
