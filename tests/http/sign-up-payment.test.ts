import { expect, test } from "vitest";

import {
  anyCard,
  cards,
  createNewcomer,
  listCharges,
  makeMethod,
  payOnPage,
  readCharges,
} from "../helpers/newcomer.ts";
import { errorsAt, headingOf, linkNamed, summaryOf, tagWith, titleOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";
import { createInterference, failing } from "../saga/interference.ts";

const MINUTE_IN_MS = 60_000;
const DECLINED =
  "Your bank declined this card and did not say why. Nothing was taken. Try another card, or ask your bank about this one.";
const POOR =
  "Your bank says there is not enough money in this account. Nothing was taken. Try another card, or try again later.";
const NOT_YOU = "Your bank could not confirm that it was you. Nothing was taken. Try again, or use another card.";
const UNFINISHED = "This payment was begun and not finished. Nothing was taken.";
const STOPPED = "This payment was stopped before it was finished. Nothing was taken. Pay below when you are ready.";
const UNREACHED =
  "Our payment provider could not be reached. Nothing was taken. Wait a minute, then pay again: what you typed is still here.";
const CHANGED = "Your plan was changed in another window. Please check it below, then pay.";

test.each([
  ["declined", DECLINED],
  ["poor", POOR],
] as const)(
  "a card that is %s is told in words, stays told, and the next card is charged once",
  async (card, sentence) => {
    await using site = await openSite({}, withoutContent);
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    const answer = await visitor.pay({ card });
    expect(answer.status).toBe(400);
    expect(titleOf(answer.text)).toBe("Error: Payment – Dormouse");
    expect(summaryOf(answer.text)).toEqual([[undefined, sentence]]);
    expect(valueOf(answer.text, "postcode")).toBe("EX1 1AA");
    const reloaded = await visitor.browser.get("/signup?step=3");
    expect(titleOf(reloaded.text)).toBe("Error: Payment – Dormouse");
    expect(wordsOf(reloaded.text)).toContain(sentence);
    expect(valueOf(reloaded.text, "postcode")).toBe("EX1 1AA");
    expect(await site.rooms.accounts.findByEmail(visitor.email)).toBeUndefined();
    expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
    expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  },
);

test("the gateway's own page tells of a declined card there, and of leaving here", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay();
  for (const [card, sentence] of [
    ["declined", "Your bank declined this card. Nothing was taken. Please try another card."],
    ["poor", "There is not enough money in this account. Nothing was taken. Please try another card."],
  ] as const) {
    const answer = await payOnPage(visitor.browser, location, card);
    expect(answer.status).toBe(400);
    expect(errorsAt(answer.text, "number")).toBe(sentence);
  }
  const left = await visitor.browser.get(`${location}?leave=1`);
  expect(left).toMatchObject({ status: 302, location: "http://dormouse.test/signup?step=3" });
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(wordsOf(text)).toContain(UNFINISHED);
  expect(linkNamed(text, "Continue")).toBe(location);
  expect((await payOnPage(visitor.browser, location)).location).toBe("http://dormouse.test/signup?step=4");
  expect(headingOf((await visitor.browser.get("/signup?step=4")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a bank that was told “Fail” is told in words, and another try pays", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay({ card: "authentication" });
  const failed = await visitor.browser.post(location ?? "", { intent: "fail" });
  expect(failed.location).toBe("http://dormouse.test/signup?step=4");
  expect(await visitor.browser.get("/signup?step=4")).toMatchObject({ status: 302, location: "/signup?step=3" });
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(titleOf(text)).toBe("Error: Payment – Dormouse");
  expect(wordsOf(text)).toContain(NOT_YOU);
  // The bank's page is over: Back to it changes nothing.
  expect(wordsOf((await visitor.browser.get(location ?? "")).text)).toContain("This was finished or stopped already.");
  await visitor.browser.post(location ?? "", { intent: "complete" });
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("a bank's page that was left can be gone back to, or another card be used, which closes it", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay({ card: "authentication" });
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(wordsOf(text)).toContain(`${UNFINISHED} Go on where you left off, or use another card below.`);
  expect(linkNamed(text, "Continue")).toBe(location);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  await visitor.browser.post(location ?? "", { intent: "complete" });
  expect(await readCharges(site)).toHaveLength(1);
});

test("a bank's page that nobody comes back from is closed after ninety minutes", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay({ card: "authentication" });
  await site.pass(91 * MINUTE_IN_MS);
  expect(wordsOf((await visitor.browser.get("/signup?step=3")).text)).toContain(STOPPED);
  await visitor.browser.post(location ?? "", { intent: "complete" });
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test.each([
  ["a cheaper amount", { amount: "1", price: "0.01", amountInPence: "1", chargeInPence: "1", total: "1" }],
  ["another person", { id: "1", memberId: "1", customer_id: "1", email: "member@dormouse.example", draftId: "1" }],
  ["rights", { userType: "corporate", accountType: "corporate", hasActiveSubscription: "active", set_paid: "true" }],
  ["a code", { code: "DORMOUSE-DEMO", coupon_lines: "DORMOUSE-DEMO", discount: "1" }],
  ["a proof", { emailVerified: "true", isVerified: "true", verified_at: "2020-01-01" }],
  ["other products", { product_id: "1", variation_id: "118", planType: "1", months: "120" }],
])("a pay form with %s in it is charged as the sign-up stands", async (_name, extra) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  expect((await visitor.pay({ card: "paid", fields: extra })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  const member = await site.rooms.accounts.findByEmail(visitor.email);
  expect(member).toMatchObject({ accountType: "individual" });
  expect(await site.rooms.payments.listReceipts(member?.id ?? 0)).toMatchObject([{ planLabel: "Yearly" }]);
});

test.each([
  ["1", CHANGED],
  ["2", CHANGED],
  ["", CHANGED],
  ["4", "Please check your plan, then pay."],
  ["3.0", "Please check your plan, then pay."],
])("a pay form that shows plan %j of a yearly sign-up charges nothing", async (plan, sentence) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const answer = await visitor.pay({ card: "paid", fields: { plan } });
  expect(answer.status).toBe(400);
  expect(wordsOf(answer.text)).toContain(sentence);
  expect(await listCharges(site)).toEqual([]);
});

test("a plan that was changed in another tab is shown before it is charged", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  await visitor.choosePlan("1");
  const answer = await visitor.pay({ card: "paid" });
  expect(summaryOf(answer.text)).toEqual([[undefined, CHANGED]]);
  expect(wordsOf(answer.text)).toContain("Submit payment of £15");
  expect(valueOf(answer.text, "plan")).toBe("1");
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});

test("another plan, chosen while a bank's page is open, closes that page", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay({ card: "authentication" });
  expect((await visitor.choosePlan("1")).status).toBe(303);
  await visitor.browser.post(location ?? "", { intent: "complete" });
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});

test.each(["", "   ", "X".repeat(21)])(
  "the postal code %j is asked for again, before anything is charged",
  async (postcode) => {
    await using site = await openSite({}, withoutContent);
    const visitor = createNewcomer(site);
    await visitor.reachPayment();
    const answer = await visitor.pay({ card: "paid", fields: { postcode } });
    expect(answer.status).toBe(400);
    expect(summaryOf(answer.text)).toEqual([["postcode", "Please enter your postal code."]]);
    expect(errorsAt(answer.text, "postcode")).toBe("Please enter your postal code.");
    expect(tagWith(answer.text, "input", 'name="postcode"', "required", 'aria-invalid="true"')).toBeDefined();
    expect(await listCharges(site)).toEqual([]);
  },
);

test("pressed five times at once, in two tabs, it is one charge, one account and one receipt", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const methodId = await makeMethod(visitor.browser, cards.paid);
  const otherId = await makeMethod(visitor.browser, cards.paid);
  const answers = await Promise.all(
    [methodId, methodId, otherId, methodId, otherId].map((id) => visitor.pay({ fields: { methodId: id } })),
  );
  for (const { status, location } of answers) {
    expect(status).toBe(303);
    expect(location).toMatch(/^\/signup\?step=4/);
  }
  expect(headingOf((await visitor.browser.get("/signup?step=4")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toHaveLength(1);
  expect((await visitor.listSubjects()).filter((subject) => subject.startsWith("Your receipt"))).toHaveLength(1);
});

test("card data is in no answer and no log: not the number, not the CVC, not the method", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const methodId = await makeMethod(visitor.browser, cards.declined);
  const typed = { methodId, number: cards.paid, cardNumber: cards.paid, cvc: "7391", cardCvc: "7391", expiry: "12/40" };
  for (const path of ["/signup?step=3", "/signup.data?step=3"]) {
    const answer = await visitor.browser.post(path, { intent: "pay", plan: "3", postcode: "EX1 1AA", ...typed });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("EX1 1AA");
    expect(answer.text).not.toMatch(/4242|7391|pm_demo_/);
  }
  const { location } = await visitor.pay();
  const refused = await visitor.browser.post(location ?? "", { ...anyCard, number: cards.declined, cvc: "7391" });
  expect(refused.text).not.toMatch(/4000 0000 0000 0002|7391/);
  expect(JSON.stringify(site.log.lines)).not.toMatch(/4242|7391/);
});

test("a gateway out of reach takes nothing, and says so", async () => {
  const interference = createInterference();
  await using site = await openSite({}, { ...withoutContent, wrapCards: interference.wrapCards });
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  interference.meddle(failing("createCustomer", "before"));
  const answer = await visitor.pay({ card: "paid" });
  expect(answer.status).toBe(400);
  expect(summaryOf(answer.text)).toEqual([[undefined, UNREACHED]]);
  interference.stop();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(1);
});

test("an answer that was lost is looked for: the page waits, and shows what became of it", async () => {
  const interference = createInterference();
  await using site = await openSite({}, { ...withoutContent, wrapCards: interference.wrapCards });
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  interference.meddle((call, moment) => {
    const isLost = call === "startPayment" && moment === "after";
    if (isLost || call === "listPaymentsOf" || call === "findPayment") throw new Error("no answer");
  });
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4&payment=checking");
  const waiting = await visitor.browser.get("/signup?step=4&payment=checking");
  expect(waiting.status).toBe(200);
  expect(wordsOf(waiting.text)).toContain("We are checking your payment. Nothing is lost;");
  expect(linkNamed(waiting.text, "Check again")).toBe("/signup?step=4&payment=checking");
  expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"/i);
  expect(waiting.headers.getSetCookie()).toEqual([]);
  // While nobody knows, nothing may be begun beside it.
  expect((await visitor.browser.get("/signup?step=1")).location).toBe("/signup?step=4");
  expect((await visitor.tellDetails({ firstName: "Mallory" })).location).toBe("/signup?step=3");
  expect((await visitor.choosePlan("1")).location).toBe("/signup?step=3");
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4&payment=checking");

  interference.stop();
  expect(headingOf((await visitor.browser.get("/signup?step=4&payment=checking")).text)).toBe("Payment Complete");
  expect(await readCharges(site)).toHaveLength(1);
});

test("whose address became somebody's in the meantime is not charged, or gets the money back and reads so", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const { location } = await visitor.pay({ card: "authentication" });
  const other = createNewcomer(site, { browser: site.openBrowser({ address: "203.0.113.5" }) });
  site.clock.advance(MINUTE_IN_MS);
  await other.reachPayment();
  await other.pay({ card: "paid" });
  await visitor.browser.post(location ?? "", { intent: "complete" });
  const { text } = await visitor.browser.get("/signup?step=4");
  expect(headingOf(text)).toBe("Your payment was returned");
  expect(wordsOf(text)).toContain("You paid £60, and we could not open your membership");
  expect(linkNamed(text, "Log in")).toBe("/login");
  const charges = await readCharges(site);
  expect(charges.map(({ refunds }) => refunds)).toEqual([[6000], []]);

  const third = createNewcomer(site, {
    email: "third@example.org",
    browser: site.openBrowser({ address: "203.0.113.6" }),
  });
  await third.reachPayment();
  await site.rooms.accounts.register({
    email: third.email,
    password: "sleep-well-tonight",
    firstName: "Theo",
    lastName: "Third",
    accountType: "individual",
  });
  const refused = await third.pay({ card: "paid" });
  expect(refused.status).toBe(400);
  expect(summaryOf(refused.text)).toEqual([
    [undefined, "This email is already registered. Nothing was taken. Please log in with it instead."],
  ]);
  expect(await listCharges(site)).toHaveLength(2);
});

test("twelve tries a quarter of an hour are enough for one sign-up; the thirteenth reads how long to wait", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  for (let count = 1; count <= 12; count += 1) expect((await visitor.pay({ card: "declined" })).status).toBe(400);
  const answer = await visitor.pay({ card: "paid" });
  expect(answer.status).toBe(429);
  expect(summaryOf(answer.text)).toEqual([
    [undefined, "There were too many attempts. Nothing was taken. Please wait 15 minutes, then try again."],
  ]);
  expect(valueOf(answer.text, "postcode")).toBe("EX1 1AA");
  expect(await listCharges(site)).toEqual([]);
  site.clock.advance(15 * MINUTE_IN_MS);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
});

test("the page that was wanted before all this is kept on the way through the gateway's own page", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site, { to: "/?view=read" });
  await visitor.reachPayment();
  const hosted = (await visitor.pay()).location ?? "";
  const paid = await payOnPage(visitor.browser, hosted, "paid");
  expect(paid.location).toBe("http://dormouse.test/signup?step=4&to=%2F%3Fview%3Dread");
});
