import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { acme, type Call, type Fault, links, openCompanyApp } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { hasManyCases } from "../../../tests/helpers/many-cases.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import type { CompanyDetails } from "./company.ts";

type App = Awaited<ReturnType<typeof openCompanyApp>>;

/** At the bank, on the network, in the app and in the calendar. */
const happening = fc.oneof(
  fc.record({ what: fc.constant("agree" as const) }),
  fc.record({
    what: fc.constant("mandate" as const),
    control: fc.constantFrom("failMandate", "suspendMandate", "restoreMandate", "replaceMandate"),
  }),
  fc.record({
    what: fc.constant("debit" as const),
    control: fc.constantFrom("failDebit", "chargeBack", "confirmDebit"),
    period: fc.nat(2),
  }),
  fc.record({ what: fc.constant("wait" as const), days: fc.constantFrom(0.5, 5, 13, 15, 200, 366) }),
  fc.record({ what: fc.constant("deliver" as const), order: fc.constantFrom("plain", "reversed", "twice", "lost") }),
  fc.record({ what: fc.constant("upkeep" as const) }),
  fc.record({
    what: fc.constant("contract" as const),
    priceInPence: fc.constantFrom(50_000, 70_000),
    accounts: fc.constantFrom(40, 60),
  }),
  fc.record({
    what: fc.constant("line" as const),
    fault: fc.option(
      fc.record({
        call: fc.constantFrom<Call[]>(
          "createBillingRequest",
          "openFlow",
          "findBillingRequest",
          "findMandate",
          "collect",
          "findDebit",
        ),
        when: fc.constantFrom<Fault["when"][]>("before", "after"),
      }),
      { nil: undefined },
    ),
  }),
);

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

const arrangements = {
  plain: (ids: string[]) => ids,
  reversed: (ids: string[]) => ids.toReversed(),
  twice: (ids: string[]) => [...ids, ...ids],
  lost: () => [],
};

type DebitSeen = { id: string; period: string; mandate: string; state: string; amountInPence: number };

async function listDebits(app: App): Promise<DebitSeen[]> {
  return (await app.listDebits()).map(({ id, idempotencyKey: key, parent, body }) => {
    const { state, amountInPence } = JSON.parse(body) as { state: string; amountInPence: number };
    return { id, period: /:dd:(\d+)/.exec(key ?? "")?.[1] ?? "", mandate: parent ?? "", state, amountInPence };
  });
}

const isLost = ({ state }: { state: string }) => ["failed", "charged-back", "cancelled"].includes(state);

async function happen(app: App, event: Happening): Promise<void> {
  app.clock.advance(1);
  const company = await app.find();
  switch (event.what) {
    case "agree": {
      const flow = await app.companies.openFlow(company.id, links);
      if (flow.ok) await app.agreeOn(flow.authorisationUrl);
      return;
    }
    case "mandate": {
      if (!company.mandateId) return;
      const mandate = await app.bank.findMandate(company.mandateId);
      // A replaced mandate does not change any more.
      if (mandate?.state !== "replaced") await app.bank[event.control](company.mandateId);
      return;
    }
    case "debit": {
      // A debit with a successor is final, at a bank too.
      const debit = (await listDebits(app)).findLast(({ period }) => period === String(event.period));
      if (debit) await app.bank[event.control](debit.id);
      return;
    }
    case "wait":
      app.clock.advance(event.days * DAY_IN_MS);
      return;
    case "deliver":
      await app.deliver(arrangements[event.order]);
      return;
    case "upkeep":
      await app.companies.upkeep();
      return;
    case "contract":
      await app.db.transaction().execute((trx) => app.companies.changeContract(company.id, event, trx));
      return;
    case "line":
      app.line.fault = event.fault;
  }
}

async function checkMoney(app: App, before: CompanyDetails): Promise<CompanyDetails> {
  const company = await app.find();
  const debits = await listDebits(app);
  for (const period of new Set(debits.map((debit) => debit.period))) {
    const ofPeriod = debits.filter((debit) => debit.period === period);
    // A year is never paid twice, and one mandate never collects it twice.
    expect(ofPeriod.filter((debit) => !isLost(debit)).length).toBeLessThanOrEqual(1);
    expect(new Set(ofPeriod.map(({ mandate }) => mandate)).size).toBe(ofPeriod.length);
  }
  // Every debit is recorded, and no year before it has begun.
  expect(new Set(debits.map(({ period }) => period)).size).toBeLessThanOrEqual(company.collections.length);
  for (const { dueAt } of company.collections) expect(dueAt <= app.clock()).toBe(true);
  // A year that has begun keeps its price; a new one has the latest terms.
  for (const { period, amountInPence } of company.collections) {
    const known = before.collections.find((year) => year.period === period);
    const agreed = before.next?.priceInPence ?? before.priceInPence;
    expect(amountInPence).toBe(known?.amountInPence ?? agreed);
    for (const debit of debits.filter((each) => each.period === String(period))) {
      expect(debit.amountInPence).toBe(amountInPence);
    }
  }
  expect((await app.codes.find(acme.code))?.seats).toBe(company.accounts);

  expect(await app.isOpen()).toBe(company.state === "live" || company.state === "grace");
  if (before.state !== "setting-up") expect(company.state).not.toBe("setting-up");
  if (before.state === "grace" && company.state === "grace") expect(company.graceEndsAt).toEqual(before.graceEndsAt);
  if (before.state === "live") expect(company.state).not.toBe("stopped");
  return company;
}

/** A bank retries a lost debit after the company has agreed again, and the new mandate fails before it is used. */
const takenUpLate: Happening[] = [
  { what: "deliver", order: "plain" },
  { what: "line", fault: { call: "collect", when: "before" } },
  { what: "debit", control: "failDebit", period: 0 },
  { what: "agree" },
  { what: "agree" },
  { what: "mandate", control: "failMandate" },
  { what: "debit", control: "failDebit", period: 0 },
  { what: "debit", control: "confirmDebit", period: 0 },
  { what: "deliver", order: "plain" },
  { what: "deliver", order: "plain" },
  { what: "upkeep" },
];

describe.each(engines)("whatever happens to a company on %s", (engine) => {
  test("no year is paid twice, and the app and the bank agree in the end", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40, size: "max" }), async (events) => {
        await using app = await openCompanyApp(engine);
        await app.companies.create(acme, links);
        let company = await app.find();
        for (const event of [{ what: "agree" } as const, ...events]) {
          await happen(app, event).catch((error: unknown) => expect(String(error)).toContain("No answer"));
          company = await checkMoney(app, company);
        }

        app.line.fault = undefined;
        await app.companies.upkeep();
        const settled = await checkMoney(app, company);
        const mandate = settled.mandateId && (await app.bank.findMandate(settled.mandateId));
        const isGood = mandate && mandate.state === "active" && !settled.collections.some(isLost);
        if (isGood) expect(settled.state).toBe("live");
        else expect(settled.state).not.toBe("live");
        const debits = await listDebits(app);
        for (const { gatewayId, state } of settled.collections) {
          const seen = debits.find(({ id }) => id === gatewayId) ?? { state: "due" };
          if (state === "again") expect(isLost(seen)).toBe(true);
          else expect(seen.state).toBe(state);
        }
        // It stays there.
        await app.deliver();
        await app.companies.upkeep();
        expect(await app.find()).toEqual(settled);
      }),
      { numRuns: (engine === "sqlite" ? 50 : 3) * (hasManyCases ? 3 : 1), examples: [[takenUpLate]] },
    );
  });
});
