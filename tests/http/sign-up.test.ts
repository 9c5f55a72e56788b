import { expect, test } from "vitest";

import { createNewcomer, payOnPage, reachPayment, readCharges } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, tagWith, readTitle, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite, type Answer, type Browser } from "../helpers/site.ts";

function follow(browser: Browser, { location }: Answer): Promise<Answer> {
  if (location === null) throw new Error("This answer leads nowhere");
  return browser.get(location);
}

test("a visitor is sent to sign-up, pays by card fields, and arrives at the wanted article", async () => {
  await using site = await openSite();
  const wanted = "/?view=read&item=1001";
  const visitor = createNewcomer(site, { to: wanted });
  const { browser } = visitor;
  const welcome = await follow(browser, await browser.get(wanted));
  expect(readHeading(welcome.text)).toBe("A quiet place for bad nights");
  expect(linkNamed(welcome.text, "Next")).toBe(`/signup?step=1&to=${encodeURIComponent(wanted)}`);

  const plan = await follow(browser, await visitor.enterDetails());
  expect(readHeading(plan.text)).toBe("Choose your plan");
  expect(readWords(plan.text)).toContain(`We've sent a code to ${visitor.email} .`);
  expect((await follow(browser, await visitor.typeCode())).text).toContain("Your email is verified.");
  const payment = await follow(browser, await visitor.choosePlan());
  expect(readHeading(payment.text)).toBe("Payment");
  expect(readWords(payment.text)).toContain("Submit payment of £60");

  const confirmation = await follow(browser, await visitor.pay({ card: "paid" }));
  expect(readTitle(confirmation.text)).toBe("Payment Complete – Dormouse");
  expect(readHeading(confirmation.text)).toBe("Payment Complete");
  expect(readWords(confirmation.text)).toContain(`We've sent a receipt to ${visitor.email} .`);
  expect(linkNamed(confirmation.text, "Log In for Sleep Content")).toBe(wanted);
  expect((await browser.get(wanted)).text).toContain("turn the brightness down");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000, refunds: [] }]);
  expect(await visitor.listSubjects()).toEqual([
    "Confirm your email address",
    "Welcome to Dormouse",
    expect.stringMatching(/^Your receipt D-\d{4}-\d{6}$/),
  ]);
  expect(site.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
});

test("without card fields the gateway's own page takes the card, then the bank asks who pays", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site, {}, { to: "/?view=read" });
  const { browser } = visitor;
  const sent = await visitor.pay();
  expect(sent.status).toBe(303);
  expect(sent.location).toMatch(/^http:\/\/dormouse\.test\/demo-gateway\/card\/pay_demo_[0-9a-f]{32}$/);
  const page = await follow(browser, sent);
  expect(readTitle(page.text)).toBe("Pay by card – Demo payment provider");
  expect(readWords(page.text)).toContain("Dormouse, 12 months £60");

  const answer = await payOnPage(browser, sent.location, "authentication");
  expect(answer.location).toMatch(/\/demo-gateway\/authenticate\/pay_demo_/);
  expect(readWords((await follow(browser, answer)).text)).toContain("Your bank asks: is it you?");
  expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();

  const back = await browser.post(answer.location ?? "", { intent: "complete" });
  expect(back).toMatchObject({ status: 303, location: "http://dormouse.test/signup?step=4&to=%2F%3Fview%3Dread" });
  expect(readHeading((await follow(browser, back)).text)).toBe("Payment Complete");
  expect((await browser.get("/")).status).toBe(200);
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
});

test("no plan is preselected, and choosing none is refused", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  const { text } = await visitor.browser.get("/signup?step=2");
  expect(tagWith(text, "input", 'name="planType"', "checked")).toBeUndefined();
  for (const planType of ["", "99", "3 1", "__proto__"]) {
    const answer = await visitor.choosePlan(planType);
    expect(answer.status).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Your plan – Dormouse");
    expect(answer.text).toContain('<a href="#plan-planType-1">Please choose a plan.</a>');
    expect(answer.text).toContain('aria-describedby="plan-planType-error"');
  }
  expect(await visitor.browser.get("/signup?step=3")).toMatchObject({ status: 302, location: "/signup?step=2" });
});
