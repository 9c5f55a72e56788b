import { expect, test } from "vitest";

import { cards, createNewcomer, listCharges, anyCard, makeMethod, nora } from "../helpers/newcomer.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

test.each([
  ["another site, by Sec-Fetch-Site", { "Sec-Fetch-Site": "cross-site" }],
  ["a sibling host", { "Sec-Fetch-Site": "same-site", Origin: "http://dormouse.test" }],
  ["nowhere", { "Sec-Fetch-Site": "none" }],
  ["another origin", { Origin: "https://evil.example" }],
  ["an origin on another port", { Origin: "http://dormouse.test:8080" }],
  ["a null origin", { Origin: "null" }],
  ["a client that does not say", {}],
])("a form from %s is refused on every route", async (_name, headers) => {
  await using site = await openSite();
  const browser = site.openBrowser();
  await browser.logIn("member@dormouse.example");
  for (const path of [
    "/",
    "/dashboard",
    "/login",
    "/signup",
    "/_.data",
    "/login.data",
    "/readyz",
    "/media/x.webp",
    "/nowhere",
  ]) {
    const answer = await browser.post(path, { intent: "log-out", scheme: "dawn" }, headers);
    expect([400, 403]).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect((await browser.get("/")).status).toBe(200);
});

test.each([
  ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ["another origin", { Origin: "https://evil.example" }],
  ["a client that does not say", {}],
])("no form of a sign-up is taken from %s, nor any of the gateway's", async (_name, headers) => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  const methodId = await makeMethod(browser, cards.paid);
  await visitor.tellDetails();
  const { code } = await visitor.readLetter();
  const pay = { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId };
  const refuse = async (path: string, fields: Record<string, string>) => {
    const answer = await browser.post(path, fields, headers);
    expect([400, 403], `${path} ${fields.intent}`).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual([]);
  };
  for (const path of ["/signup", "/signup.data"]) {
    await refuse(`${path}?step=1`, { ...nora, firstName: "Mallory" });
    await refuse(`${path}?step=2`, { intent: "verify", oneTimeCode: code });
    await refuse(`${path}?step=2`, { intent: "resend" });
    await refuse(`${path}?step=2`, { intent: "plan", planType: "1" });
    await refuse(path, { intent: "verify-link", token: "x" });
    await refuse(path, { intent: "renew", token: "x" });
  }
  await visitor.typeCode(code);
  await visitor.choosePlan();
  await refuse("/signup?step=3", pay);
  const bank = (await visitor.pay({ card: "authentication" })).location ?? "";
  await refuse(bank, { intent: "complete" });
  const page = (await visitor.pay()).location ?? "";
  await refuse(page, { number: cards.paid, ...anyCard });
  await refuse("/demo-gateway/methods", { number: cards.paid, ...anyCard });
  await refuse("/demo-gateway/debit/x", { intent: "agree" });
  expect(await listCharges(site)).toEqual([]);
});

test("a form from our own page is taken, by either sign", async () => {
  await using site = await openSite();
  const fields = { intent: "scheme", scheme: "dawn" };
  expect((await site.openBrowser().post("/login", fields, { "Sec-Fetch-Site": "same-origin" })).status).toBe(303);
  expect((await site.openBrowser().post("/login", fields, { Origin: "http://dormouse.test" })).status).toBe(303);
});
