import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { createNewcomer, nora, readCharges, reachPayment, placesOf } from "../helpers/newcomer.ts";
import { headingOf, linkNamed, valueOf } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("after success Back leads to the confirmation, and earlier forms charge nothing again", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  for (const step of [2, 3]) {
    expect((await visitor.browser.get(`/signup?step=${step}`)).location).toBe("/signup?step=4");
  }
  for (let count = 0; count < 2; count += 1) {
    const { text } = await visitor.browser.get("/signup?step=4");
    expect(headingOf(text)).toBe("Payment Complete");
  }
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect((await visitor.pay()).location).toBe("/signup?step=4");
  expect((await visitor.choosePlan("1")).location).toBe("/signup?step=3");
  expect((await visitor.tellDetails({ firstName: "Mallory" })).location).toBe("/");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  expect((await visitor.listSubjects()).filter((subject) => subject.startsWith("Your receipt"))).toHaveLength(1);
  expect(await site.services.accounts.findByEmail(visitor.email)).toMatchObject({ firstName: "Nora" });
});

test("a second tab that is still at paying arrives at the confirmation, on one charge", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const draftOnly = new Map(visitor.browser.cookies);
  await visitor.pay({ card: "paid" });
  const otherTab = site.openBrowser();
  for (const [name, value] of draftOnly) otherTab.cookies.set(name, value);
  const late = createNewcomer(site, { browser: otherTab });
  expect((await late.pay({ card: "paid" })).location).toBe("/signup?step=4");
  const { text } = await otherTab.get("/signup?step=4");
  expect(headingOf(text)).toBe("Payment Complete");
  // A session is started once: a copied cookie gets none.
  expect([...otherTab.cookies.keys()]).toEqual(["dormouse-signup"]);
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/login");
  expect(linkNamed(text, "View receipt")).toBeUndefined();
  expect(await readCharges(site)).toHaveLength(1);
});

test("after logging out the same browser may sign another person up", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  await visitor.browser.post("/", { intent: "log-out" });
  const { text } = await visitor.browser.get("/signup?step=1");
  for (const name of ["firstName", "lastName", "email"]) expect(valueOf(text, name)).toBe("");
  expect(text).not.toContain(visitor.email);
  const friend = createNewcomer(site, { email: "friend@example.org", browser: visitor.browser });
  await friend.reachPayment();
  await friend.pay({ card: "paid", fields: {} });
  expect(await readCharges(site)).toHaveLength(2);
});

test("a logged-in member is sent home from every step and form", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(await placesOf(browser)).toEqual(["/", "/", "/", "/", "/"]);
  expect(await browser.get("/signmeup")).toMatchObject({ status: 302, location: "/signup?step=1" });
  expect(await browser.post("/signup?step=1", nora)).toMatchObject({ status: 302, location: "/" });
  await site.services.outbox.deliver();
  expect(site.emails).toEqual([]);
});
