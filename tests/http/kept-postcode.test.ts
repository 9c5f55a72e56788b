import { expect, test } from "vitest";

import { otherThan } from "../helpers/mailbox.ts";
import { createNewcomer, readCharges, type Newcomer } from "../helpers/newcomer.ts";
import { errorsAt, tagWith, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent, type Site } from "../helpers/site.ts";

const MINUTE_IN_MS = 60_000;
const POSTCODE = "EX1 1AA";

/** Somebody at the payment step who has not typed the email's code yet. */
async function reachUnverified(site: Site, fields?: Record<string, string>): Promise<Newcomer> {
  const visitor = createNewcomer(site);
  await visitor.tellDetails(fields);
  if (fields?.accountType !== "corporate") await visitor.choosePlan();
  return visitor;
}

/** What a button of the payment step sends: all that stands in its form. */
const send = ({ browser }: Newcomer, intent: string, oneTimeCode = "") =>
  browser.post("/signup?step=3", { intent, oneTimeCode, plan: "3", postcode: POSTCODE });

const postcodeOf = (html: string) => valueOf(html, "postcode");

test("the code is sent with all that stands on the payment step, by buttons that say what they are for", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = await reachUnverified(site);
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(tagWith(text, "form", 'id="pay"')).toBeDefined();
  expect(tagWith(text, "input", 'name="oneTimeCode"', 'form="pay"')).toBeDefined();
  for (const intent of ["verify", "resend"]) {
    expect(tagWith(text, "button", 'form="pay"', 'name="intent"', `value="${intent}"`)).toBeDefined();
  }
  expect(tagWith(text, "button", 'name="intent"', 'value="pay"')).toBeDefined();
  // One that every button sends would be heard before theirs.
  expect(tagWith(text, "input", 'name="intent"', 'value="pay"')).toBeUndefined();
});

test.each([["individual"], ["corporate"]])(
  "the postal code of an %s sign-up is there still when the code was right, once, and pays",
  async (accountType) => {
    await using site = await openSite({}, withoutContent);
    const isCorporate = accountType === "corporate";
    const visitor = await reachUnverified(site, isCorporate ? { accountType, code: "DORMOUSE-DEMO" } : {});
    const { code } = await visitor.readEmail();
    const sent = await send(visitor, "verify", code);
    expect(sent).toMatchObject({ status: 303, location: "/signup?step=3" });
    expect([...visitor.browser.cookies.values()].join()).not.toContain("EX1");
    const page = await visitor.browser.get("/signup?step=3");
    expect(wordsOf(page.text)).toContain("Your email is verified.");
    expect(postcodeOf(page.text)).toBe(POSTCODE);
    expect(postcodeOf((await visitor.browser.get("/signup?step=3")).text)).toBe("");
    expect(await visitor.pay(isCorporate ? {} : { card: "paid" })).toMatchObject({ status: 303 });
    expect((await readCharges(site)).length).toBe(isCorporate ? 0 : 1);
  },
);

test("the postal code is there still when the code was wrong, or missing", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = await reachUnverified(site);
  const { code } = await visitor.readEmail();
  for (const typed of [otherThan(code), ""]) {
    const refused = await send(visitor, "verify", typed);
    expect(refused.status).toBe(400);
    expect(errorsAt(refused.text, "oneTimeCode")).not.toBeUndefined();
    expect(valueOf(refused.text, "oneTimeCode")).toBe(typed);
    expect(postcodeOf(refused.text)).toBe(POSTCODE);
  }
});

test("the postal code is there still when another code was asked for, too soon or not", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = await reachUnverified(site);
  const early = await send(visitor, "resend");
  expect(early.status).toBe(429);
  expect(postcodeOf(early.text)).toBe(POSTCODE);
  site.clock.advance(MINUTE_IN_MS);
  const sent = await send(visitor, "resend");
  expect(sent).toMatchObject({ status: 303, location: "/signup?step=3&sent=1" });
  expect(postcodeOf((await visitor.browser.get(sent.location ?? "")).text)).toBe(POSTCODE);
});

test("a postal code that no browser would keep is no reason to refuse the code", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = await reachUnverified(site);
  const { code } = await visitor.readEmail();
  const fields = { intent: "verify", oneTimeCode: code, postcode: "x".repeat(5000) };
  expect(await visitor.browser.post("/signup?step=3", fields)).toMatchObject({ status: 303 });
  const page = await visitor.browser.get("/signup?step=3");
  expect(wordsOf(page.text)).toContain("Your email is verified.");
  expect(postcodeOf(page.text)).toBe("");
});
