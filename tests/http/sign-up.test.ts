import { expect, test } from "vitest";

import { createNewcomer, payOnPage, PASSWORD, readCharges } from "../helpers/newcomer.ts";
import { headingOf, linkNamed, tagWith, titleOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent, type Answer, type Browser } from "../helpers/site.ts";

/** The page that an answer leads to. */
function follow(browser: Browser, { location }: Answer): Promise<Answer> {
  if (location === null) throw new Error("This answer leads nowhere");
  return browser.get(location);
}

test("a visitor is asked in, pays by card fields, and arrives at the article they wanted", async () => {
  await using site = await openSite();
  const wanted = "/?view=read&item=1001";
  const visitor = createNewcomer(site, { to: wanted });
  const { browser } = visitor;
  const welcome = await follow(browser, await browser.get(wanted));
  expect(headingOf(welcome.text)).toBe("A quiet place for bad nights");
  expect(linkNamed(welcome.text, "Next")).toBe(`/signup?step=1&to=${encodeURIComponent(wanted)}`);

  const plan = await follow(browser, await visitor.tellDetails());
  expect(headingOf(plan.text)).toBe("Choose your plan");
  expect(wordsOf(plan.text)).toContain(`We have sent a code to ${visitor.email} .`);
  expect((await follow(browser, await visitor.typeCode())).text).toContain("Your email is verified.");
  const payment = await follow(browser, await visitor.choosePlan());
  expect(headingOf(payment.text)).toBe("Payment");
  expect(wordsOf(payment.text)).toContain("Submit payment of £60");

  const confirmation = await follow(browser, await visitor.pay({ card: "paid" }));
  expect(titleOf(confirmation.text)).toBe("Payment Complete – Dormouse");
  expect(headingOf(confirmation.text)).toBe("Payment Complete");
  expect(wordsOf(confirmation.text)).toContain(`A receipt has been sent to ${visitor.email} .`);
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

test("without card fields the gateway's own page takes the card", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const sent = await visitor.pay();
  expect(sent.status).toBe(303);
  expect(sent.location).toMatch(/^http:\/\/dormouse\.test\/demo-gateway\/card\/pay_demo_[0-9a-f]{32}$/);
  const page = await follow(visitor.browser, sent);
  expect(titleOf(page.text)).toBe("Pay by card – Demo payment provider");
  expect(wordsOf(page.text)).toContain("Dormouse, 12 months £60");

  const paid = await payOnPage(visitor.browser, sent.location);
  expect(paid).toMatchObject({ status: 303, location: "http://dormouse.test/signup?step=4" });
  expect(headingOf((await follow(visitor.browser, paid)).text)).toBe("Payment Complete");
  expect((await visitor.browser.get("/")).status).toBe(200);
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
});

test.each([
  ["card fields", "authentication"],
  ["the gateway's page", undefined],
] as const)("a bank that asks who pays is answered on its page, after %s", async (_name, card) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  await visitor.reachPayment();
  let sent = await visitor.pay({ card });
  if (!card) sent = await payOnPage(browser, sent.location, "authentication");
  expect(sent.location).toMatch(/\/demo-gateway\/authenticate\/pay_demo_/);
  const bank = await follow(browser, sent);
  expect(wordsOf(bank.text)).toContain("Your bank asks: is it you?");
  expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();

  const back = await browser.post(sent.location ?? "", { intent: "complete" });
  expect(back).toMatchObject({ status: 303, location: "http://dormouse.test/signup?step=4" });
  expect(headingOf((await follow(browser, back)).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
});

test("a company's code is all that joining costs", async () => {
  await using site = await openSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  await visitor.tellDetails({ accountType: "corporate", code: "DORMOUSE-DEMO" });
  await visitor.typeCode();
  const plan = await browser.get("/signup?step=2");
  expect(headingOf(plan.text)).toBe("Your plan");
  expect(wordsOf(plan.text)).toContain("12 Month Subscription");
  const payment = await follow(browser, await browser.post("/signup?step=2", { intent: "plan" }));
  expect(wordsOf(payment.text)).toContain("Submit and join");

  const joined = await browser.post("/signup?step=3", { intent: "pay", postcode: "EX1 1AA" });
  const confirmation = await follow(browser, joined);
  expect(headingOf(confirmation.text)).toBe("Payment Complete");
  expect(wordsOf(confirmation.text)).toContain("Your company pays for your membership. Nothing was taken from you.");
  expect(linkNamed(confirmation.text, "Log In for Sleep Content")).toBe("/");
  expect((await browser.get("/?view=read&item=1001")).text).toContain("turn the brightness down");
  expect(await readCharges(site)).toEqual([]);
  expect(await visitor.listSubjects()).toEqual([
    "Confirm your email address",
    "Welcome to Dormouse",
    expect.stringMatching(/^Your receipt D-/),
  ]);
});

test("the account is what was typed, and its password opens it on another device", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site, { email: "Nora.Penn+sleep@Example.org" });
  await visitor.reachPayment({ firstName: "  nora ", lastName: "O'Neill-Žižek" });
  await visitor.pay({ card: "paid" });
  const member = await site.services.accounts.findByEmail("nora.penn+sleep@example.org");
  expect(member).toMatchObject({ firstName: "nora", lastName: "O'Neill-Žižek", accountType: "individual" });

  const phone = site.openBrowser({ address: "203.0.113.5" });
  const fields = { intent: "log-in", email: "nora.penn+sleep@example.org", password: PASSWORD };
  expect(await phone.post("/login", fields)).toMatchObject({ status: 303, location: "/" });
  expect((await phone.get("/")).text).toContain("Account of Nora O&#x27;Neill-Žižek</span>");
});

test.each([
  { planType: "1", pounds: 15, end: "20/12/2026" },
  { planType: "2", pounds: 30, end: "20/02/2027" },
  { planType: "3", pounds: 60, end: "20/11/2027" },
])("plan $planType takes £$pounds once and ends on $end", async ({ planType, pounds, end }) => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const plans = wordsOf((await visitor.browser.get("/signup?step=2")).text);
  expect(plans).toContain(`£${pounds} today for`);
  expect(plans).toContain(`Ends on ${end}, nothing more is taken`);
  await visitor.choosePlan(planType);
  const payment = wordsOf((await visitor.browser.get("/signup?step=3")).text);
  expect(payment).toContain(`Membership starts 20/11/2026 Membership ends ${end}`);
  expect(payment).toContain(`£${pounds} is taken once. Nothing is renewed by itself.`);

  const confirmation = await follow(visitor.browser, await visitor.pay({ card: "paid", fields: { plan: planType } }));
  expect(wordsOf(confirmation.text)).toContain(`Paid £${pounds} Membership starts 20/11/2026 Membership ends ${end}`);
  expect(await readCharges(site)).toMatchObject([{ amountInPence: pounds * 100 }]);
});

test("no plan is chosen beforehand, and none is no answer", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  const { text } = await visitor.browser.get("/signup?step=2");
  expect(tagWith(text, "input", 'name="planType"', "checked")).toBeUndefined();
  for (const planType of ["", "0", "4", "3 ", "yearly", "__proto__"]) {
    const answer = await visitor.choosePlan(planType);
    expect(answer.status).toBe(400);
    expect(titleOf(answer.text)).toBe("Error: Your plan – Dormouse");
    expect(answer.text).toContain('<a href="#plan-planType-1">Please choose a plan.</a>');
    expect(answer.text).toContain('aria-describedby="plan-planType-error"');
  }
  expect(await visitor.browser.get("/signup?step=3")).toMatchObject({ status: 302, location: "/signup?step=2" });
  await visitor.choosePlan("2");
  const chosen = await visitor.browser.get("/signup?step=2");
  expect(tagWith(chosen.text, "input", 'value="2"', "checked")).toBeDefined();
});
