import { expect, test } from "vitest";

import { ada, lena, logIn, tom } from "../helpers/account-page.ts";
import { createNewcomer, reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, type Site, openQuietSite } from "../helpers/site.ts";

test("My Account begins with who one is, what is paid for and that it doesn't renew", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const see = async (email: string) => readWords((await (await logIn(site, email)).get("/?account=open")).text);
  expect(await see(ada)).toMatch(/details Close Ada Lovell Yearly, until \d+ \w+ 2027\. Doesn't renew\. Your details/);
  expect(await see(tom)).toMatch(/Tom Fenwick 12 Month Subscription, until \d+ \w+ 2027\. Doesn't renew\./);
  expect(await see(lena)).toMatch(/Lena Marsh Your membership has ended\. It was paid for until \d+ \w+ 2026\. Renew/);
});

test("the two newest receipts stand below the plan, and a link leads to all of them", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.choosePlan("1");
  await visitor.pay({ card: "paid", fields: { plan: "1" } });
  await visitor.browser.get("/signup?step=4");
  const listed = async (path: string) =>
    [...readWords((await visitor.browser.get(path)).text).matchAll(/Receipt D-\d{4}-(\d{6})/g)].map(([, each]) => each);
  const [first = ""] = await listed("/?account=open");
  // Renewals open a month before the end.
  for (const weeks of [0, 6]) {
    for (let week = 0; week < weeks; week += 1) {
      site.clock.advance(7 * 24 * 60 * 60 * 1000);
      await visitor.browser.get("/");
    }
    const renewer = createNewcomer(site, { browser: visitor.browser });
    await visitor.browser.post("/signup", { intent: "renew", token: "own" });
    await renewer.choosePlan("1");
    await renewer.pay({ card: "paid", fields: { plan: "1" } });
    await visitor.browser.get("/signup?step=4");
    if (weeks === 0) expect(await listed("/?account=open")).toHaveLength(2);
  }
  const { text } = await visitor.browser.get("/?account=open");
  const newest = await listed("/?account=open");
  expect(newest).toHaveLength(2);
  expect(newest).not.toContain(first);
  expect(newest.toSorted((a = "", b = "") => b.localeCompare(a))).toEqual(newest);
  const all = linkNamed(text, "All 3 receipts") ?? "";
  expect(await listed(all)).toEqual([...newest, first]);
  expect(linkNamed((await visitor.browser.get(all)).text, "All 3 receipts")).toBeUndefined();
});

test("receipts of what was paid are listed, and open under the same account", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  await visitor.browser.get("/signup?step=4");
  const page = await visitor.browser.get("/?account=membership");
  const [, number = ""] = /Receipt (D-\d{4}-\d{6})/.exec(readWords(page.text)) ?? [];
  expect(readWords(page.text)).toMatch(new RegExp(`Receipt ${number} \\d+ [A-Z]\\w+ \\d{4}, £60`));
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
