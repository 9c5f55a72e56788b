import { expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { insertCompany } from "./companies.ts";
import { addCollection } from "./collections.ts";

test("lists the collections of all companies, or of one, in pounds and days in London", async () => {
  await using app = await openApp();
  const { db, services, clock } = app;
  const terms = { contactEmail: "hr@x.example", accounts: 5, now: clock() };
  const add = async (name: string, priceInPence: number, dueAt: string) => {
    const companyId = (await insertCompany(db, { name, priceInPence, ...terms })) ?? 0;
    await addCollection(db, {
      companyId,
      period: 0,
      amountInPence: priceInPence,
      dueAt: new Date(dueAt),
      now: clock(),
    });
    return companyId;
  };
  await add('=HYPERLINK("x"), Ltd', 29, "2026-11-20T03:00:00.000Z");
  const quilt = await add("Zoë & Söhne", 150_000, "2027-06-30T23:30:00.000Z");
  await db.updateTable("collections").set({ state: "paid-out" }).where("companyId", "=", quilt).execute();
  const head = "\uFEFFCompany number,Company,Year,From,To,Amount in pounds,State\r\n";
  const ofQuilt = `${quilt},Zoë & Söhne,1,2027-07-01,2028-06-30,1500.00,paid out\r\n`;
  expect(await services.companies.exportCollections()).toBe(
    `${head}1,"'=HYPERLINK(""x""), Ltd",1,2026-11-20,2027-11-19,0.29,to be collected\r\n${ofQuilt}`,
  );
  expect(await services.companies.exportCollections(quilt)).toBe(head + ofQuilt);
});
