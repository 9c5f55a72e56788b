import { expect, test } from "vitest";

import { createNewcomer, readCharges, reachPayment } from "../helpers/newcomer.ts";
import { errorsAt, readHeading, linkNamed, readSummary, readValue, readWords } from "../helpers/page.ts";
import { openSite, withoutContent, openQuietSite } from "../helpers/site.ts";

const corporate = { accountType: "corporate", code: "DORMOUSE-DEMO" };
const FULL = "All the places on this code are used. Please ask the person who gave it to you for another one.";

test("a code shows twelve months and itself, no price and no card", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const visitor = await reachPayment(site, corporate);
  const plan = readWords((await visitor.browser.get("/signup?step=2")).text);
  expect(plan).toContain(
    "Plan 12 Month Subscription Membership starts 20/11/2026 Membership ends 20/11/2027 Your company pays. You won't be charged.",
  );
  const payment = await visitor.browser.get("/signup?step=3");
  expect(readWords(payment.text)).toContain("Plan 12 Month Subscription");
  expect(readWords(payment.text)).toContain("Dormouse code DORMOUSE-DEMO");
  for (const text of [plan, readWords(payment.text)]) expect(text).not.toContain("£");
  expect(readWords(payment.text)).not.toMatch(/card|CVC/i);
  expect(readValue(payment.text, "plan")).toBeUndefined();
});

test("a postal code is asked for here too, and a plan or card in the form changes nothing", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site, corporate);
  const answer = await visitor.pay({ fields: { postcode: " " } });
  expect(answer.status).toBe(400);
  expect(errorsAt(answer.text, "postcode")).toBe("Enter your postal code.");
  expect((await visitor.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toEqual([]);
  const member = await site.services.accounts.findByEmail(visitor.email);
  expect(member).toMatchObject({ accountType: "corporate" });
  expect(await site.services.payments.listReceipts(member?.id ?? 0)).toMatchObject([
    { planLabel: "12 Month Subscription", amountInPence: 0, postcode: "EX1 1AA" },
  ]);
});

test("the address of a company's poster fills in its code, until the visitor's own answers do", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const fillIn = async (code: string) => {
    const { text } = await visitor.browser.get(`/signup?${new URLSearchParams({ step: "1", code }).toString()}`);
    return readValue(text, "code");
  };
  expect(await fillIn("dormouse-demo")).toBe("DORMOUSE-DEMO");
  for (const code of ["", "x", '"><script>alert(1)</script>', "A".repeat(41)])
    expect(await fillIn(code), code).toBe("");
  await visitor.enterDetails(corporate);
  expect(await fillIn("PILLOW-27")).toBe("DORMOUSE-DEMO");
});

test("a code as people type it pays for joining", async () => {
  await using site = await openSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  await visitor.enterDetails({ ...corporate, code: "  dormouse-demo " });
  await visitor.typeCode();
  expect(readHeading((await browser.get("/signup?step=2")).text)).toBe("Your plan");
  const { location } = await browser.post("/signup?step=2", { intent: "plan" });
  expect(readWords((await browser.get(location ?? "")).text)).toContain("Submit and join");

  expect((await visitor.pay()).location).toBe("/signup?step=4");
  expect(await site.services.codes.find("DORMOUSE-DEMO")).toMatchObject({ seatsTaken: 1 });
  const confirmation = await browser.get("/signup?step=4");
  expect(readHeading(confirmation.text)).toBe("Payment Complete");
  expect(readWords(confirmation.text)).toContain("Your company pays for your membership. You haven't been charged.");
  expect(linkNamed(confirmation.text, "Log In for Sleep Content")).toBe("/");
  expect((await browser.get("/?view=read&item=1001")).text).toContain("turn the brightness down");
  expect(await readCharges(site)).toEqual([]);
});

test("a visitor who finds the code full at the end may go back and pay, with the same address", async () => {
  await using site = await openQuietSite();
  const quick = createNewcomer(site, { email: "quick@example.org" });
  const late = createNewcomer(site, { browser: site.openBrowser({ address: "203.0.113.5" }) });
  for (const visitor of [quick, late]) await visitor.reachPayment({ ...corporate, code: "DORMOUSE-ONE" });
  await quick.pay();
  const refused = await late.pay();
  expect(refused.status).toBe(400);
  expect(readSummary(refused.text)).toEqual([[undefined, FULL]]);
  expect(readValue(refused.text, "postcode")).toBe("EX1 1AA");
  expect((await late.enterDetails({ accountType: "individual" })).location).toBe("/signup?step=2");
  expect(readHeading((await late.browser.get("/signup?step=2")).text)).toBe("Choose your plan");
  await late.choosePlan("1");
  expect((await late.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});
