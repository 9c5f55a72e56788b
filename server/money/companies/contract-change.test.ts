import { describe, expect, test } from "vitest";

import { acme, links, openCompanyApp } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { contractSentences, type ContractChange, type ContractTerms } from "./contract-change.ts";

const SECOND_YEAR = new Date("2027-11-20T03:00:00.000Z");
const YEAR_IN_MS = 365 * DAY_IN_MS;

async function openEngaged(engine: Engine) {
  const app = await openCompanyApp(engine);
  const { id } = await app.engage();
  return { ...app, ...toChanges(app, id), id };
}

function toChanges(app: Awaited<ReturnType<typeof openCompanyApp>>, id: number) {
  return {
    change: (wanted: ContractTerms): Promise<ContractChange | undefined> =>
      app.db.transaction().execute((trx) => app.companies.changeContract(id, wanted, trx)),
    amounts: async () =>
      (await app.listDebits()).map(({ body }) => (JSON.parse(body) as { amountInPence: number }).amountInPence),
    seats: async () => (await app.codes.find("ACME-SLEEP"))?.seats,
    setTaken: (seatsTaken: number) => app.db.updateTable("codes").set({ seatsTaken }).execute(),
  };
}

describe.each(engines)("a company's contract that changes on %s", (engine) => {
  test("has its new price from the next collection, and its new accounts at once", async () => {
    await using app = await openEngaged(engine);
    const wanted = { accounts: 60, priceInPence: 72_000 };
    const change = {
      before: { accounts: 50, priceInPence: 60_000 },
      after: wanted,
      from: SECOND_YEAR,
    };
    expect(await app.companies.predictChange(app.id, wanted)).toEqual(change);
    expect(await app.find()).toMatchObject({ accounts: 50, next: undefined });
    expect(await app.change(wanted)).toEqual(change);
    expect(contractSentences(change)).toEqual([
      "From 20 November 2027: £720.00 a year instead of £600.00.",
      "From now on: 60 accounts instead of 50.",
    ]);
    expect(await app.find()).toMatchObject({
      accounts: 60,
      priceInPence: 60_000,
      next: { accounts: 60, priceInPence: 72_000, from: SECOND_YEAR },
    });
    expect(await app.seats()).toBe(60);
    await app.companies.upkeep();
    app.clock.advance(YEAR_IN_MS);
    await app.companies.upkeep();
    expect(await app.amounts()).toEqual([60_000, 72_000]);
    expect(await app.find()).toMatchObject({ priceInPence: 72_000, next: undefined });
  });

  test("has fewer accounts from the next collection, and whoever has joined keeps their seat", async () => {
    await using app = await openEngaged(engine);
    await app.setTaken(45);
    const change = await app.change({ accounts: 40 });
    expect(change && contractSentences(change)).toEqual([
      "The price stays £600.00 a year.",
      "From 20 November 2027: 40 accounts instead of 50.",
    ]);
    expect(await app.seats()).toBe(50);
    app.clock.advance(YEAR_IN_MS);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ accounts: 40, priceInPence: 60_000, next: undefined });
    expect([await app.seats(), await app.isOpen()]).toEqual([45, false]);
    await app.setTaken(42);
    await app.companies.upkeep();
    expect([await app.seats(), await app.isOpen()]).toEqual([42, false]);
    await app.setTaken(30);
    await app.companies.upkeep();
    expect([await app.seats(), await app.isOpen()]).toEqual([40, true]);
  });

  test("can be changed again and taken back before it counts, and a change of nothing is none", async () => {
    await using app = await openEngaged(engine);
    expect(await app.change({})).toBeUndefined();
    expect(await app.change({ accounts: 50, priceInPence: 60_000 })).toBeUndefined();
    await app.change({ priceInPence: 72_000, accounts: 40 });
    expect(await app.change({ priceInPence: 72_000 })).toBeUndefined();
    expect(await app.change({ priceInPence: 70_000 })).toMatchObject({ after: { accounts: 40, priceInPence: 70_000 } });
    const back = await app.change({ priceInPence: 60_000, accounts: 50 });
    expect(back && contractSentences(back)).toEqual(["The price stays £600.00 a year.", "It stays at 50 accounts."]);
    expect(await app.find()).toMatchObject({ accounts: 50, priceInPence: 60_000, next: undefined });
    expect(await app.companies.predictChange(99, { accounts: 1 })).toBeUndefined();
    expect(await app.db.transaction().execute((trx) => app.companies.changeContract(99, { accounts: 1 }, trx))).toBe(
      undefined,
    );
  });

  test("counts at once before the company has agreed: its first collection is the new price", async () => {
    await using company = await openCompanyApp(engine);
    const made = await company.companies.create(acme, links);
    const app = { ...company, ...toChanges(company, made.ok ? made.company.id : 0) };
    const change = await app.change({ accounts: 20, priceInPence: 30_000 });
    expect(change && contractSentences(change)).toEqual([
      "From the first collection: £300.00 a year instead of £600.00.",
      "From now on: 20 accounts instead of 50.",
    ]);
    expect([await app.seats(), (await app.find()).next]).toEqual([20, undefined]);
    await app.agreeOn(made.ok ? made.authorisationUrl : "");
    await app.deliver();
    expect(await app.amounts()).toEqual([30_000]);
  });

  test.each(["before", "after"] as const)(
    "leaves the price of a year that has begun while its collection was cut off %s the gateway did it",
    async (when) => {
      await using app = await openEngaged(engine);
      app.clock.advance(YEAR_IN_MS);
      app.line.fault = { call: "collect", when };
      await app.companies.upkeep();
      const change = await app.change({ priceInPence: 72_000, accounts: 60 });
      expect(change?.from).toEqual(new Date("2028-11-20T03:00:00.000Z"));
      app.line.fault = undefined;
      await app.companies.upkeep();
      expect(await app.amounts()).toEqual([60_000, 60_000]);
      app.clock.advance(366 * DAY_IN_MS);
      await app.companies.upkeep();
      expect(await app.amounts()).toEqual([60_000, 60_000, 72_000]);
    },
  );

  test("is collected as it was answered when the year begins at the same moment", async () => {
    await using app = await openEngaged(engine);
    app.clock.advance(YEAR_IN_MS);
    const [change] = await Promise.all([
      app.change({ priceInPence: 72_000 }),
      app.companies.upkeep(),
      app.companies.upkeep(),
    ]);
    await app.companies.upkeep();
    // A change before the first collection applies to the year that is due.
    expect(await app.amounts()).toEqual([60_000, change?.from === "next" ? 72_000 : 60_000]);
  });
});
