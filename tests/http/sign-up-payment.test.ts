import { expect, test } from "vitest";

import { payment } from "../../server/refusals.ts";
import { addMember } from "../helpers/app.ts";
import { otherThan } from "../helpers/mailbox.ts";
import {
  anyCard,
  paymentCards,
  createNewcomer,
  listCharges,
  makeMethod,
  type Newcomer,
  reachPayment,
  readCharges,
} from "../helpers/newcomer.ts";
import { errorsAt, linkNamed, readSummary, tagWith, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite, type Site } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const POSTCODE = "EX1 1AA";
const DECLINED =
  "Your bank declined this card without giving a reason. You haven't been charged. Try another card, or ask your bank about this one.";
const POOR =
  "Your bank says there isn't enough money in this account. You haven't been charged. Try another card, or try again later.";
const CHANGED = "You changed your plan in another window. Please check it below, then pay.";

test("a declined card is answered with a sentence, also after a reload, and the next card is charged once", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  for (const [card, sentence] of [
    ["declined", DECLINED],
    ["poor", POOR],
  ] as const) {
    const answer = await visitor.pay({ card });
    expect(answer.status).toBe(400);
    expect(readTitle(answer.text)).toBe("Error: Payment – Dormouse");
    expect(readSummary(answer.text)).toEqual([[undefined, sentence]]);
    expect(readValue(answer.text, "postcode")).toBe(POSTCODE);
    const reloaded = await visitor.browser.get("/signup?step=3");
    expect(readTitle(reloaded.text)).toBe("Error: Payment – Dormouse");
    expect(readWords(reloaded.text)).toContain(sentence);
    expect(readValue(reloaded.text, "postcode")).toBe(POSTCODE);
  }
  expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
});

/** Claims of a form about sums, people, rights, codes and proofs. */
const claims = {
  amount: "1",
  price: "0.01",
  amountInPence: "1",
  chargeInPence: "1",
  total: "1",
  id: "1",
  memberId: "1",
  customer_id: "1",
  email: "member@dormouse.example",
  draftId: "1",
  userType: "corporate",
  accountType: "corporate",
  hasActiveSubscription: "active",
  set_paid: "true",
  code: "DORMOUSE-DEMO",
  coupon_lines: "DORMOUSE-DEMO",
  discount: "1",
  emailVerified: "true",
  isVerified: "true",
  verified_at: "2020-01-01",
  product_id: "1",
  variation_id: "118",
  planType: "1",
  months: "120",
};

test("a pay form that claims more than it has fields for is charged as the sign-up says", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  expect((await visitor.pay({ card: "paid", fields: claims })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  const member = await site.services.accounts.findByEmail(visitor.email);
  expect(member).toMatchObject({ accountType: "individual" });
  expect(await site.services.payments.listReceipts(member?.id ?? 0)).toMatchObject([{ planLabel: "Yearly" }]);
});

test("a plan other than the chosen one and an invalid postal code are refused before anything is charged", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  for (const [plan, sentence] of [
    ["1", CHANGED],
    ["", CHANGED],
    ["99", "Please check your plan, then pay."],
    ["3.0", "Please check your plan, then pay."],
  ] as const) {
    const answer = await visitor.pay({ card: "paid", fields: { plan } });
    expect(answer.status, plan).toBe(400);
    expect(readWords(answer.text)).toContain(sentence);
  }
  for (const postcode of ["", "   ", "X".repeat(21)]) {
    const answer = await visitor.pay({ card: "paid", fields: { postcode } });
    expect(answer.status, postcode).toBe(400);
    expect(readSummary(answer.text)).toEqual([["postcode", "Enter your postal code."]]);
    expect(errorsAt(answer.text, "postcode")).toBe("Enter your postal code.");
    expect(tagWith(answer.text, "input", 'name="postcode"', "required", 'aria-invalid="true"')).toBeDefined();
  }
  expect(await listCharges(site)).toEqual([]);
});

test("a plan that was changed in another tab is shown before it is charged", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.choosePlan("1");
  const answer = await visitor.pay({ card: "paid" });
  expect(readSummary(answer.text)).toEqual([[undefined, CHANGED]]);
  expect(readWords(answer.text)).toContain("Submit payment of £15");
  expect(readValue(answer.text, "plan")).toBe("1");
  expect(await listCharges(site)).toEqual([]);
  expect((await visitor.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});

test("an address that got an account in the meantime is charged nothing, and led to log-in and renewal", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await addMember(site, { email: visitor.email });
  const { status, text } = await visitor.pay({ card: "paid" });
  expect(status).toBe(400);
  expect(readSummary(text)).toEqual([[undefined, payment["email-registered"]]]);
  expect(linkNamed(text, "Log in instead")).toBe("/login?to=%2Fsignup%3Frenew%3Down");
  expect(await listCharges(site)).toEqual([]);
});

test("card data is in no answer and no log: not the number, not the CVC, not the method", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const methodId = await makeMethod(visitor.browser, paymentCards.declined);
  // The page of a demo lists the demo's own cards.
  const number = "4929 1111 2222 3333";
  const typed = { methodId, number, cardNumber: number, cvc: "7391", cardCvc: "7391", expiry: "12/40" };
  for (const path of ["/signup?step=3", "/signup.data?step=3"]) {
    const answer = await visitor.browser.post(path, { intent: "pay", plan: "3", postcode: POSTCODE, ...typed });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(POSTCODE);
    expect(answer.text).not.toMatch(/4929|7391|pm_demo_/);
  }
  const { location } = await visitor.pay();
  const refused = await visitor.browser.post(location ?? "", {
    ...anyCard,
    number: paymentCards.declined,
    cvc: "7391",
  });
  expect(refused.text).not.toMatch(/value="4000|7391/);
  expect(JSON.stringify(site.log.lines)).not.toMatch(/4929|4000 ?0000|7391/);
});

test("after twelve tries in a quarter of an hour the page says how long to wait", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  for (let count = 1; count <= 12; count += 1) expect((await visitor.pay({ card: "declined" })).status).toBe(400);
  const answer = await visitor.pay({ card: "paid" });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect(readSummary(answer.text)).toEqual([
    [undefined, "Too many attempts. You haven't been charged. Please wait 15 minutes, then try again."],
  ]);
  expect(readValue(answer.text, "postcode")).toBe(POSTCODE);
  expect(await listCharges(site)).toEqual([]);
});

/** The email's code is not typed yet. */
async function reachUnverified(site: Site, fields?: Record<string, string>): Promise<Newcomer> {
  const visitor = createNewcomer(site);
  await visitor.enterDetails(fields);
  if (fields?.accountType !== "corporate") await visitor.choosePlan();
  return visitor;
}

/** A button of the payment step sends all fields of its form. */
const send = ({ browser }: Newcomer, intent: string, fields: Record<string, string> = {}) =>
  browser.post("/signup?step=3", { intent, oneTimeCode: "", plan: "3", postcode: POSTCODE, ...fields });

const readPostcode = (html: string) => readValue(html, "postcode");

test("the code is sent with all that is on the payment step, by buttons that say what they are for", async () => {
  await using site = await openQuietSite();
  const visitor = await reachUnverified(site);
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(tagWith(text, "form", 'id="pay"')).toBeDefined();
  expect(tagWith(text, "input", 'name="oneTimeCode"', 'form="pay"')).toBeDefined();
  for (const intent of ["verify", "resend"]) {
    expect(tagWith(text, "button", 'form="pay"', 'name="intent"', `value="${intent}"`)).toBeDefined();
  }
  expect(tagWith(text, "button", 'name="intent"', 'value="pay"')).toBeDefined();
  // A field that every button sends would come before theirs.
  expect(tagWith(text, "input", 'name="intent"', 'value="pay"')).toBeUndefined();
});

test.each(["individual", "corporate"])(
  "the postal code of an %s sign-up is still there when the code was wrong, missing or right, once, and pays",
  async (accountType) => {
    await using site = await openQuietSite();
    const isCorporate = accountType === "corporate";
    const visitor = await reachUnverified(site, isCorporate ? { accountType, code: "DORMOUSE-DEMO" } : {});
    const { code } = await visitor.readEmail();
    for (const oneTimeCode of [otherThan(code), ""]) {
      const refused = await send(visitor, "verify", { oneTimeCode });
      expect(refused.status).toBe(400);
      expect(errorsAt(refused.text, "oneTimeCode")).not.toBeUndefined();
      expect(readValue(refused.text, "oneTimeCode")).toBe(oneTimeCode);
      expect(readPostcode(refused.text)).toBe(POSTCODE);
    }
    const sent = await send(visitor, "verify", { oneTimeCode: code });
    expect(sent).toMatchObject({ status: 303, location: "/signup?step=3" });
    expect([...visitor.browser.cookies.values()].join()).not.toContain("EX1");
    const page = await visitor.browser.get("/signup?step=3");
    expect(readWords(page.text)).toContain("Your email is verified.");
    expect(readPostcode(page.text)).toBe(POSTCODE);
    expect(readPostcode((await visitor.browser.get("/signup?step=3")).text)).toBe("");
    expect(await visitor.pay(isCorporate ? {} : { card: "paid" })).toMatchObject({ status: 303 });
    expect((await readCharges(site)).length).toBe(isCorporate ? 0 : 1);
  },
);

test("the postal code is still there when another code was asked for, too soon or not", async () => {
  await using site = await openQuietSite();
  const visitor = await reachUnverified(site);
  const early = await send(visitor, "resend");
  expect(early.status).toBe(429);
  expect(readPostcode(early.text)).toBe(POSTCODE);
  site.clock.advance(MINUTE_IN_MS);
  const sent = await send(visitor, "resend");
  expect(sent).toMatchObject({ status: 303, location: "/signup?step=3&sent=1" });
  expect(readPostcode((await visitor.browser.get(sent.location ?? "")).text)).toBe(POSTCODE);
});

test("a postal code that is too long does not prevent the code from being accepted", async () => {
  await using site = await openQuietSite();
  const visitor = await reachUnverified(site);
  const { code: oneTimeCode } = await visitor.readEmail();
  const sent = await send(visitor, "verify", { oneTimeCode, postcode: "x".repeat(5000) });
  expect(sent).toMatchObject({ status: 303 });
  const page = await visitor.browser.get("/signup?step=3");
  expect(readWords(page.text)).toContain("Your email is verified.");
  expect(readPostcode(page.text)).toBe("");
});
