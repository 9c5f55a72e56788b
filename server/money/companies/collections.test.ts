import { describe, expect, test } from "vitest";

import { readDebit, readMandate, openCompanyApp } from "../../../tests/helpers/company-app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { nextPeriod, type Collection } from "./collections.ts";

const year = (period: number, day: string): Collection => ({
  period,
  amountInPence: 1,
  state: "paid-out",
  dueAt: new Date(day),
  gatewayId: `dd_${period}`,
});

const FIRST = "2026-11-20T03:00:00.000Z";
const LEAP = "2028-02-29T12:00:00.000Z";

test.each([
  { what: "first begins when it becomes live", years: [], liveSince: FIRST, dueAt: FIRST },
  { what: "next begins on the same day", years: [FIRST], liveSince: FIRST, dueAt: "2027-11-20T03:00:00.000Z" },
  {
    what: "one after 29 February begins on the 28th",
    years: [LEAP],
    liveSince: LEAP,
    dueAt: "2029-02-28T12:00:00.000Z",
  },
  {
    what: "next one begins when it is live again: the time that it was stopped is not charged",
    years: [FIRST],
    liveSince: "2029-05-01T12:00:00.000Z",
    dueAt: "2029-05-01T12:00:00.000Z",
  },
  {
    what: "one that was paid for before a stop is used up first",
    years: [FIRST],
    liveSince: "2027-05-01T12:00:00.000Z",
    dueAt: "2027-11-20T03:00:00.000Z",
  },
])("the $what", ({ years, liveSince, dueAt }) => {
  const before = years.map((day, period) => year(period, day));
  expect(nextPeriod(before, new Date(liveSince))).toEqual({ period: years.length, dueAt: new Date(dueAt) });
});

describe.each(engines)("the years of a company on %s", (engine) => {
  test("are each collected on their day, once, under the current mandate (D7)", async () => {
    await using app = await openCompanyApp(engine);
    const company = await app.engage();
    app.clock.advance(365 * DAY_IN_MS - 1);
    await app.companies.upkeep();
    expect(await app.listDebits()).toHaveLength(1);
    const nextId = await app.bank.replaceMandate(readMandate(company));
    app.clock.advance(1);
    await Promise.all([app.companies.upkeep(), app.companies.upkeep(), app.deliver()]);
    await app.companies.upkeep();
    const debits = await app.listDebits();
    expect(debits.map(({ parent }) => parent)).toEqual([company.mandateId, nextId]);
    expect(await app.find()).toMatchObject({
      mandateId: nextId,
      state: "live",
      collections: [{ period: 0 }, { period: 1, dueAt: new Date("2027-11-20T03:00:00.000Z"), state: "confirmed" }],
    });
  });

  test("follow a mandate that was replaced twice, and never go back to the first", async () => {
    await using app = await openCompanyApp(engine);
    const { mandateId: firstId = "", billingRequestId = "" } = await app.engage();
    const secondId = await app.bank.replaceMandate(firstId);
    await app.deliver();
    expect(await app.find()).toMatchObject({ mandateId: secondId, state: "live" });
    const thirdId = await app.bank.replaceMandate(secondId);
    await app.deliver((ids) => ids.toReversed());
    await app.companies.handleEvent({ kind: "billing-request", subject: billingRequestId });
    expect(await app.find()).toMatchObject({ mandateId: thirdId, state: "live" });
    expect(await app.listDebits()).toHaveLength(1);
  });

  test("end without a debit when the mandate was cancelled and its webhook was lost", async () => {
    await using app = await openCompanyApp(engine);
    const company = await app.engage();
    await app.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await app.bank.failMandate(readMandate(company));
    app.clock.advance(366 * DAY_IN_MS);
    await app.companies.upkeep();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ period: 0 }] });
    expect(await app.listDebits()).toHaveLength(1);
  });

  test("a debit of an earlier year that is charged back is trouble too", async () => {
    await using app = await openCompanyApp(engine);
    const company = await app.engage();
    app.clock.advance(366 * DAY_IN_MS);
    await app.companies.upkeep();
    await app.db.updateTable("collections").set({ state: "paid-out" }).execute();
    await app.bank.chargeBack(readDebit(company));
    await app.deliver();
    expect(await app.find()).toMatchObject({ state: "grace", collections: [{ state: "charged-back" }, {}] });
  });
});
