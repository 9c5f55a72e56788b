import { expect, test } from "vitest";

import { createNewcomer, readCharges } from "../helpers/newcomer.ts";
import { errorsAt, headingOf, linkNamed, summaryOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const corporate = { accountType: "corporate", code: "DORMOUSE-DEMO" };
const FULL = "Every place on this code is taken. Please ask the person who gave it to you for another one.";
const DAY_IN_MS = 24 * 60 * 60 * 1000;

test("who joins by a code sees twelve months and the code, no price and no card", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const visitor = createNewcomer(site);
  await visitor.reachPayment(corporate);
  const plan = wordsOf((await visitor.browser.get("/signup?step=2")).text);
  expect(plan).toContain(
    "Plan 12 Month Subscription Membership starts 20/11/2026 Membership ends 20/11/2027 Your company pays for it. Nothing is taken from you.",
  );
  const payment = await visitor.browser.get("/signup?step=3");
  expect(wordsOf(payment.text)).toContain("Plan 12 Month Subscription");
  expect(wordsOf(payment.text)).toContain("Dormouse code DORMOUSE-DEMO");
  for (const text of [plan, wordsOf(payment.text)]) expect(text).not.toContain("£");
  expect(wordsOf(payment.text)).not.toMatch(/card|CVC/i);
  expect(valueOf(payment.text, "plan")).toBeUndefined();
});

test("a postal code is asked for here too, and a plan or card in the form changes nothing", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment(corporate);
  const answer = await visitor.pay({ fields: { postcode: " " } });
  expect(answer.status).toBe(400);
  expect(errorsAt(answer.text, "postcode")).toBe("Please enter your postal code.");
  expect((await visitor.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toEqual([]);
  const member = await site.services.accounts.findByEmail(visitor.email);
  expect(member).toMatchObject({ accountType: "corporate" });
  expect(await site.services.payments.listReceipts(member?.id ?? 0)).toMatchObject([
    { planLabel: "12 Month Subscription", amountInPence: 0, postcode: "EX1 1AA" },
  ]);
});

test("a code is taken as people type it, and counts the seat once however often one presses", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment({ ...corporate, code: "  dormouse-demo " });
  const answers = await Promise.all([1, 2, 3].map(() => visitor.pay()));
  for (const { location } of answers) expect(location).toBe("/signup?step=4");
  expect(await site.services.codes.find("DORMOUSE-DEMO")).toMatchObject({ seatsTaken: 1 });
  expect(headingOf((await visitor.browser.get("/signup?step=4")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toEqual([]);
});

test("of ten who are at the last step for one seat, one gets in and nine read why", async () => {
  await using site = await openSite({}, withoutContent);
  const visitors = Array.from({ length: 10 }, (_, index) =>
    createNewcomer(site, {
      email: `person${index}@example.org`,
      browser: site.openBrowser({ address: `203.0.113.${index}` }),
    }),
  );
  for (const visitor of visitors) await visitor.reachPayment({ ...corporate, code: "DORMOUSE-ONE" });
  const answers = await Promise.all(visitors.map((visitor) => visitor.pay()));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const others = answers.filter(({ status }) => status === 400);
  expect(others).toHaveLength(9);
  for (const { text } of others) {
    expect(summaryOf(text)).toEqual([[undefined, FULL]]);
    expect(valueOf(text, "postcode")).toBe("EX1 1AA");
  }
  expect(await readCharges(site)).toEqual([]);
  const members = await Promise.all(visitors.map(({ email }) => site.services.accounts.findByEmail(email)));
  expect(members.filter(Boolean)).toHaveLength(1);
});

test("who finds the code full at the end may go back and pay, with the same address", async () => {
  await using site = await openSite({}, withoutContent);
  const quick = createNewcomer(site, { email: "quick@example.org" });
  const late = createNewcomer(site, { browser: site.openBrowser({ address: "203.0.113.5" }) });
  for (const visitor of [quick, late]) await visitor.reachPayment({ ...corporate, code: "DORMOUSE-ONE" });
  await quick.pay();
  expect(wordsOf((await late.pay()).text)).toContain(FULL);
  expect((await late.tellDetails({ accountType: "individual" })).location).toBe("/signup?step=2");
  expect(headingOf((await late.browser.get("/signup?step=2")).text)).toBe("Choose your plan");
  await late.choosePlan("1");
  expect((await late.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});

test("a company's code works from the moment it has agreed on the Direct Debit page", async () => {
  await using site = await openSite({ ORIGIN: "http://dormouse.test" }, withoutContent);
  const made = await site.services.companies.create(
    { name: "Fern & Sons", contactEmail: "office@fern.example", accounts: 50, priceInPence: 150_000 },
    { returnUrl: `${site.services.site}signup?company=agreed`, exitUrl: `${site.services.site}signup?company=left` },
  );
  if (!made.ok) throw new Error(made.reason);
  const visitor = createNewcomer(site);
  const early = await visitor.tellDetails({ ...corporate, code: made.code });
  expect(errorsAt(early.text, "code")).toBe(
    "This code is not ready yet. Please try again in a few days, or ask the person who gave it to you.",
  );

  const office = site.openBrowser({ address: "203.0.113.40" });
  expect(wordsOf((await office.get(made.authorisationUrl)).text)).toContain("For Fern & Sons");
  const bank = { intent: "agree", accountHolderName: "Fern", accountNumber: "55779911", sortCode: "20-00-00" };
  const agreed = await office.post(made.authorisationUrl, bank);
  expect(agreed).toMatchObject({ status: 303, location: "http://dormouse.test/signup?company=agreed" });
  expect((await office.get(agreed.location ?? "")).status).toBe(200);
  await site.pass(1000);
  await visitor.reachPayment({ ...corporate, code: made.code });
  expect((await visitor.pay()).location).toBe("/signup?step=4");
  expect(await site.services.companies.find("Fern & Sons")).toMatchObject({ seatsTaken: 1 });
});

test("membership by a code ends after its twelve months, and the locked tile says so", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment(corporate);
  await visitor.pay();
  expect(linkNamed((await visitor.browser.get("/signup?step=4")).text, "Log In for Sleep Content")).toBe("/");
  site.clock.advance(366 * DAY_IN_MS);
  const phone = site.openBrowser();
  await phone.post("/login", { intent: "log-in", email: visitor.email, password: "moss-lantern-42" });
  expect(wordsOf((await phone.get("/")).text)).toContain("No active subscription.");
});
