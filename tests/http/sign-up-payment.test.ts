import { expect, test } from "vitest";

import { anyCard, cards, createNewcomer, listCharges, makeMethod, readCharges } from "../helpers/newcomer.ts";
import { errorsAt, headingOf, summaryOf, tagWith, titleOf, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const DECLINED =
  "Your bank declined this card and did not say why. Nothing was taken. Try another card, or ask your bank about this one.";
const POOR =
  "Your bank says there is not enough money in this account. Nothing was taken. Try another card, or try again later.";
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
    expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();
    expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
    expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  },
);

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
  const member = await site.services.accounts.findByEmail(visitor.email);
  expect(member).toMatchObject({ accountType: "individual" });
  expect(await site.services.payments.listReceipts(member?.id ?? 0)).toMatchObject([{ planLabel: "Yearly" }]);
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

test("twelve tries a quarter of an hour are enough for one sign-up; the thirteenth reads how long to wait", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  for (let count = 1; count <= 12; count += 1) expect((await visitor.pay({ card: "declined" })).status).toBe(400);
  const answer = await visitor.pay({ card: "paid" });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(summaryOf(answer.text)).toEqual([
    [undefined, "There have been too many attempts. Nothing was taken. Please wait 15 minutes, then try again."],
  ]);
  expect(valueOf(answer.text, "postcode")).toBe("EX1 1AA");
  expect(await listCharges(site)).toEqual([]);
  site.clock.advance(15 * MINUTE_IN_MS);
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
});
