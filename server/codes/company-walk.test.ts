import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  acme,
  type Call,
  type Fault,
  links,
  openCompanyHouse as openHouse,
} from "../../tests/helpers/company-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { CompanyDetails } from "./company-rows.ts";

type House = Awaited<ReturnType<typeof openHouse>>;

/** What may happen to a company, at the bank, on the line, in the house and in the calendar. */
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

type DebitSeen = { id: string; period: string; mandate: string; state: string };

async function listDebitsOf(house: House): Promise<DebitSeen[]> {
  return (await house.listDebits()).map(({ id, idempotency_key: key, parent, body }) => ({
    id,
    period: /:dd:(\d+)/.exec(key ?? "")?.[1] ?? "",
    mandate: parent ?? "",
    state: (JSON.parse(body) as { state: string }).state,
  }));
}

const isLost = ({ state }: { state: string }) => ["failed", "charged-back", "cancelled"].includes(state);

async function happen(house: House, event: Happening): Promise<void> {
  house.clock.advance(1);
  const company = await house.find();
  switch (event.what) {
    case "agree": {
      const flow = await house.companies.openFlow(company.id, links);
      if (flow.ok) await house.agreeOn(flow.authorisationUrl);
      return;
    }
    case "mandate": {
      if (!company.mandateId) return;
      const mandate = await house.bank.findMandate(company.mandateId);
      // What was replaced has no further fate of its own.
      if (mandate?.state !== "replaced") await house.bank[event.control](company.mandateId);
      return;
    }
    case "debit": {
      // One that another has been made for is over, at a bank too.
      const debit = (await listDebitsOf(house)).findLast(({ period }) => period === String(event.period));
      if (debit) await house.bank[event.control](debit.id);
      return;
    }
    case "wait":
      house.clock.advance(event.days * DAY_IN_MS);
      return;
    case "deliver":
      await house.deliver(arrangements[event.order]);
      return;
    case "upkeep":
      await house.companies.upkeep();
      return;
    case "line":
      house.line.fault = event.fault;
  }
}

/** What must hold after everything that happens. */
async function checkMoney(house: House, before: CompanyDetails): Promise<CompanyDetails> {
  const company = await house.find();
  const debits = await listDebitsOf(house);
  for (const period of new Set(debits.map((debit) => debit.period))) {
    const ofPeriod = debits.filter((debit) => debit.period === period);
    // One year is never paid twice, and one mandate never asked twice for it.
    expect(ofPeriod.filter((debit) => !isLost(debit)).length).toBeLessThanOrEqual(1);
    expect(new Set(ofPeriod.map(({ mandate }) => mandate)).size).toBe(ofPeriod.length);
  }
  // Nothing is collected that is not written down, and no year before it has begun.
  expect(new Set(debits.map(({ period }) => period)).size).toBeLessThanOrEqual(company.collections.length);
  for (const { dueAt } of company.collections) expect(dueAt <= house.clock()).toBe(true);

  expect(await house.isOpen()).toBe(company.state === "live" || company.state === "grace");
  if (before.state !== "setting-up") expect(company.state).not.toBe("setting-up");
  if (before.state === "grace" && company.state === "grace") expect(company.graceEndsAt).toEqual(before.graceEndsAt);
  if (before.state === "live") expect(company.state).not.toBe("stopped");
  return company;
}

/** A bank takes up a lost debit after the company has agreed anew, and the new mandate fails before it is collected by. */
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
  test("no year is paid twice, and in the end the house and the bank agree", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40, size: "max" }), async (events) => {
        await using house = await openHouse(engine);
        await house.companies.create(acme, links);
        let company = await house.find();
        for (const event of [{ what: "agree" } as const, ...events]) {
          await happen(house, event).catch((error: unknown) => expect(String(error)).toContain("No answer"));
          company = await checkMoney(house, company);
        }

        house.line.fault = undefined;
        await house.companies.upkeep();
        const settled = await checkMoney(house, company);
        const mandate = settled.mandateId && (await house.bank.findMandate(settled.mandateId));
        const isGood = mandate && mandate.state === "active" && !settled.collections.some(isLost);
        if (isGood) expect(settled.state).toBe("live");
        else expect(settled.state).not.toBe("live");
        const debits = await listDebitsOf(house);
        for (const { gatewayId, state } of settled.collections) {
          const seen = debits.find(({ id }) => id === gatewayId) ?? { state: "due" };
          if (state === "again") expect(isLost(seen)).toBe(true);
          else expect(seen.state).toBe(state);
        }
        // And there it rests.
        await house.deliver();
        await house.companies.upkeep();
        expect(await house.find()).toEqual(settled);
      }),
      { numRuns: engine === "sqlite" ? 150 : 8, examples: [[takenUpLate]] },
    );
  });
});
