import { expect, test } from "vitest";

import { ada, lena, logIn, tom } from "../helpers/account-page.ts";
import { reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, type Site, openQuietSite } from "../helpers/site.ts";

test("the membership part says what is paid for and that nothing more will be taken", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const individual = readWords((await (await logIn(site, ada)).get("/?account=membership")).text);
  expect(individual).toMatch(/Membership Yearly Ends on \d\d\/\d\d\/\d{4}, nothing more is taken\./);
  const corporate = readWords((await (await logIn(site, tom)).get("/?account=membership")).text);
  expect(corporate).toMatch(/Membership 12 Month Subscription Ends on/);
  const lapsed = readWords((await (await logIn(site, lena)).get("/?account=membership")).text);
  expect(lapsed).toMatch(/Membership It has ended\. It was paid for until \d\d\/\d\d\/\d{4}\./);
});

test("receipts of what was paid are listed, and open under the same account", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  await visitor.browser.get("/signup?step=4");
  const page = await visitor.browser.get("/?account=membership");
  const [, number = ""] = /Receipt (D-\d{4}-\d{6})/.exec(readWords(page.text)) ?? [];
  expect(readWords(page.text)).toMatch(new RegExp(`Receipt ${number} \\d\\d/\\d\\d/\\d{4}, £60`));
  const path = linkNamed(page.text, `Receipt ${number}`) ?? "";
  expect(readHeading((await visitor.browser.get(path)).text)).toBe("Receipt");
  const over = await visitor.browser.get(`${path}&account=open`);
  expect(readHeading(over.text)).toBe("Receipt");
  expect(over.text).toContain("<dialog");
  expect((await (await logIn(site, ada)).get(path)).status).toBe(404);
});

test("a member who joined by a company's code sees only which company pays", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site, { accountType: "corporate", code: "DORMOUSE-DEMO" });
  await visitor.browser.post("/signup?step=2", { intent: "plan" });
  await visitor.browser.post("/signup?step=3", { intent: "pay", postcode: "EX1 1AA" });
  await visitor.browser.get("/signup?step=4");
  await haveCompany(site);
  for (const isRevoked of [false, true]) {
    if (isRevoked) await site.services.codes.revoke("DORMOUSE-DEMO");
    const page = readWords((await visitor.browser.get("/?account=membership")).text);
    expect(page).toContain("Nightjar Ltd pays for it.");
    expect(page).not.toContain("nightjar.example");
    expect(page).not.toContain("1,200");
  }
});

/** Puts a company behind the demo's code. */
async function haveCompany(site: Site): Promise<void> {
  const { db } = site.database;
  const company = {
    name: "Nightjar Ltd",
    nameKey: "nightjar ltd",
    contactEmail: "people@nightjar.example",
    accounts: 20,
    priceInPence: 120_000,
    state: "live" as const,
    createdAt: site.clock(),
  };
  const { id } = await db.insertInto("companies").values(company).returning("id").executeTakeFirstOrThrow();
  await db.updateTable("codes").set({ companyId: id }).where("code", "=", "DORMOUSE-DEMO").execute();
}
