import { afterAll, afterEach, expect, test } from "vitest";

import { HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { type FaultKind, visitFlow } from "../fakes/gocardless.ts";
import { createCommands } from "../helpers/dormouse.ts";
import { openTours } from "./tour.ts";
import { openTroubledSite } from "./troubled-site.ts";

const site = await openTroubledSite();
const expectUsualTour = await openTours(site);
afterAll(() => site[Symbol.asyncDispose]());

const { goCardless } = site.parts;
const { companies, codes } = site.services;
const links = { returnUrl: "http://dormouse.test/?agreed", exitUrl: "http://dormouse.test/?left" };
const fail = (kind: FaultKind) => () => goCardless.fail({ kind });

const troubles: { of: string; strike: () => void | Promise<void> }[] = [
  { of: "that is down", strike: () => site.lines.goCardless.shut() },
  { of: "that resets connections", strike: fail("reset") },
  { of: "that does it and loses the answer", strike: fail("lost") },
  { of: "that answers 429", strike: fail(429) },
  { of: "that answers 500", strike: fail(500) },
  { of: "that answers nonsense", strike: fail("garbage") },
  { of: "whose line talks nonsense", strike: () => site.lines.goCardless.answer(Buffer.from("220 not HTTP\r\n")) },
];

afterEach(mend);

async function mend(): Promise<void> {
  goCardless.heal();
  await site.lines.goCardless.mend();
}

let count = 0;

function newCompany() {
  count += 1;
  return {
    name: `Company ${count}`,
    contactEmail: `people-${count}@company.example`,
    accounts: 5,
    priceInPence: 60_000,
    code: `COMPANY-${count}`,
  };
}

async function requireCompany(name: string) {
  const company = await companies.find(name);
  if (!company) throw new Error(`There is no ${name}`);
  return company;
}

/** To a company's bank. */
async function listDebits(name: string): Promise<unknown[]> {
  const { mandateId } = await requireCompany(name);
  const payments = [...goCardless.state.all.payments.values()];
  return payments.filter(({ links: of }) => of?.["mandate"] === mandateId).map(({ amount }) => amount);
}

test.each(troubles)(
  "a GoCardless $of: members notice nothing, and companies agree and pay once when it is back",
  async ({ strike }) => {
    const agreed = newCompany();
    const made = await companies.create(agreed, links);
    await visitFlow(made.ok ? made.authorisationUrl : "", "agree");
    await strike();

    // The agreement's event is stored, though it cannot be looked up now.
    const [webhook] = goCardless.takeWebhooks(1);
    expect(await site.deliver(webhook && { path: "/webhooks/gocardless", ...webhook })).toBe(204);
    expect(await site.services.jobs.run("handle-webhooks")).toBe("done");
    expect((await codes.check(agreed.code)).isValid).toBe(false);
    const late = newCompany();
    await expect(companies.create(late, links)).rejects.toThrow(/GoCardless/);
    await expectUsualTour();

    await mend();
    await site.live(MINUTE_IN_MS);
    expect((await codes.check(agreed.code)).isValid).toBe(true);
    const opened = await companies.openFlow((await requireCompany(late.name)).id, links);
    await visitFlow(opened.ok ? opened.authorisationUrl : "", "agree");
    // Drops all other events of GoCardless.
    goCardless.takeWebhooks();
    await site.live(HOUR_IN_MS);
    expect((await codes.check(late.code)).isValid).toBe(true);
    for (const { name } of [agreed, late]) expect(await listDebits(name), name).toEqual([60_000]);
    const requests = [...goCardless.state.all.billing_requests.values()];
    expect(requests.filter(({ status }) => status === "pending")).toEqual([]);
  },
);

test("a GoCardless that is slow: only the operator waits for it", async () => {
  const company = newCompany();
  site.lines.goCardless.hold();
  let isMade = false;
  const making = companies.create(company, links).finally(() => void (isMade = true));
  await expectUsualTour();
  expect(isMade).toBe(false);
  await mend();
  expect(await making).toMatchObject({ ok: true, code: company.code });
});

test("the operator reads what is there already, and what to do", async () => {
  const company = newCompany();
  await site.lines.goCardless.shut();
  const facts = { name: company.name, email: company.contactEmail, accounts: "5", price: "600.00", code: company.code };
  const options = Object.entries(facts).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, stdout, stderr } = await createCommands(site.env).run("company", "create", ...options);
  await mend();
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^a company was added without its page, company \d+: GoCardless /);
  expect(stdout).toMatch(
    /^Added Company (\d+) with its code \S+, but we couldn't send its Direct Debit page, .+ Send it with `company link \1 --mail`\.\n$/,
  );
});
