import { expect, test } from "vitest";

import { createNewcomer, listCharges, nora, PASSWORD, reachPayment, listSteps } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, tagWith, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

const forms = {
  plan: { intent: "plan", planType: "3" },
  verify: { intent: "verify", oneTimeCode: "123456" },
  resend: { intent: "resend" },
  pay: { intent: "pay", plan: "3", postcode: "EX1 1AA" },
};

test("each step has to be earned before its address shows it", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  expect(await listSteps(browser)).toEqual([0, 1, "/signup?step=1", "/signup?step=1", 4]);
  const last = (await browser.get("/signup?step=4")).text;
  expect(readHeading(last)).toBe("Improve Your Sleep");
  expect(linkNamed(last, "Sign up for a subscription")).toBe("/signup");
  await visitor.enterDetails();
  expect(await listSteps(browser)).toEqual([0, 1, 2, "/signup?step=2", "/signup?step=2"]);
  await visitor.choosePlan();
  expect(await listSteps(browser)).toEqual([0, 1, 2, 3, "/signup?step=3"]);
  await visitor.typeCode();
  await visitor.pay({ card: "declined" });
  expect(await listSteps(browser)).toEqual([0, 1, 2, 3, "/signup?step=3"]);
  await visitor.pay({ card: "paid" });
  expect(await listSteps(browser)).toEqual(["/", "/", "/signup?step=4", "/signup?step=4", 4]);
});

test("redirects between steps keep the wanted page", async () => {
  await using site = await openQuietSite();
  const { location } = await site.openBrowser().get("/signup?step=3&to=%2F%3Fview%3Dlearn");
  expect(location).toBe("/signup?step=1&to=%2F%3Fview%3Dlearn");
});

test("a form without a sign-up leads to its beginning", async () => {
  await using site = await openQuietSite();
  for (const cookie of [undefined, "A".repeat(43), "'; drop table drafts; --"]) {
    const browser = site.openBrowser();
    if (cookie) browser.cookies.set("dormouse-signup", cookie);
    for (const form of Object.values(forms)) {
      for (const step of [0, 3, 4]) {
        const answer = await browser.post(`/signup?step=${step}`, form);
        expect(answer, form.intent).toMatchObject({ status: 303, location: "/signup?step=1&expired=1" });
      }
    }
  }
  const start = await site.openBrowser().get("/signup?step=1&expired=1");
  expect(readWords(start.text)).toContain(
    "You started signing up more than a day ago, so we've cleared it. You haven't been charged.",
  );
  expect(await listCharges(site)).toEqual([]);
});

test("paying before a plan is chosen leads to the plans, from the fourth step's address too", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  await visitor.typeCode();
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=2" });
  const early = await visitor.browser.post("/signup?step=4", { ...forms.pay, paid: "true" });
  expect(early).toMatchObject({ status: 303, location: "/signup?step=2" });
  expect(await listCharges(site)).toEqual([]);
  expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();
});

test("a sign-up left for a day is deleted, and the page says so", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  site.clock.advance(DAY_IN_MS);
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=1&expired=1" });
  expect(await listSteps(visitor.browser)).toEqual([0, 1, "/signup?step=1", "/signup?step=1", 4]);
  expect(await listCharges(site)).toEqual([]);
  await visitor.reachPayment();
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=4" });
});

test("a step reloaded is the same step, and going back finds what was typed and chosen", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const { browser } = visitor;
  for (const step of [1, 2, 3]) {
    const pages = [await browser.get(`/signup?step=${step}`), await browser.get(`/signup?step=${step}`)];
    expect(readWords(pages[0]?.text ?? "")).toBe(readWords(pages[1]?.text ?? ""));
  }
  expect(readValue((await browser.get("/signup?step=1")).text, "email")).toBe(visitor.email);
  expect(tagWith((await browser.get("/signup?step=2")).text, "input", 'value="3"', "checked")).toBeDefined();
  const payment = await browser.get("/signup?step=3");
  expect(linkNamed(payment.text, "Back")).toBe("/signup?step=2");

  // Other names change neither the plan nor the proof of the address.
  expect((await visitor.enterDetails({ firstName: "Norah" })).status).toBe(303);
  expect(readWords((await browser.get("/signup?step=3")).text)).toContain("Your email is verified.");
  await visitor.pay({ card: "paid" });
  expect(await site.services.accounts.findByEmail(visitor.email)).toMatchObject({ firstName: "Norah" });
});

test("a request by script gets every step and redirect as data, without a document", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  expect((await browser.get("/signup.data?step=3")).text).toContain('"redirect","/signup?step=1"');
  expect((await browser.post("/signup.data?step=1", { ...nora })).text).toContain('"redirect","/signup?step=2"');
  const { code } = await visitor.readEmail();
  const verified = await browser.post("/signup.data?step=2", { intent: "verify", oneTimeCode: code });
  expect(verified.status).toBe(200);
  expect(verified.text).toContain("isDone");
  const planned = await browser.post("/signup.data?step=2", { intent: "plan", planType: "3" });
  expect(planned.text).toContain('"redirect","/signup?step=3"');
  const step = await browser.get("/signup.data?step=3");
  expect(step.text).toContain("£60");
  expect(step.text).not.toContain(PASSWORD);
  const hosted = await browser.post("/signup.data?step=3", forms.pay);
  expect(hosted.status).toBe(204);
  expect(hosted.headers.get("X-Remix-Redirect")).toMatch(
    /^(?:http:\/\/dormouse\.test)?\/demo-gateway\/card\/pay_demo_/,
  );
  expect(hosted.headers.get("X-Remix-Reload-Document")).toBe("true");
});
