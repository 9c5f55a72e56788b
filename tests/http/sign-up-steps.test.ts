import { expect, test } from "vitest";

import { createNewcomer, listCharges, nora, PASSWORD } from "../helpers/newcomer.ts";
import { headingOf, linkNamed, tagWith, valueOf, wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";
import { placesOf } from "../helpers/step-places.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** The forms of all steps, as somebody sends them who was never shown them. */
const forms = {
  plan: { intent: "plan", planType: "3" },
  verify: { intent: "verify", oneTimeCode: "123456" },
  resend: { intent: "resend" },
  pay: { intent: "pay", plan: "3", postcode: "EX1 1AA" },
};

test("each step has to be earned, whoever asks for it by address", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  expect(await placesOf(browser)).toEqual([0, 1, "/signup?step=1", "/signup?step=1", 4]);
  await visitor.tellDetails();
  expect(await placesOf(browser)).toEqual([0, 1, 2, "/signup?step=2", "/signup?step=2"]);
  await visitor.choosePlan();
  expect(await placesOf(browser)).toEqual([0, 1, 2, 3, "/signup?step=3"]);
  await visitor.typeCode();
  await visitor.pay({ card: "declined" });
  expect(await placesOf(browser)).toEqual([0, 1, 2, 3, "/signup?step=3"]);
  await visitor.pay({ card: "paid" });
  expect(await placesOf(browser)).toEqual(["/", "/", "/signup?step=4", "/signup?step=4", 4]);
});

test("the way to a step keeps where the visitor wanted to go", async () => {
  await using site = await openSite({}, withoutContent);
  const { location } = await site.openBrowser().get("/signup?step=3&to=%2F%3Fview%3Dlearn");
  expect(location).toBe("/signup?step=1&to=%2F%3Fview%3Dlearn");
});

test.each(Object.entries(forms))("the form “%s” of nobody's sign-up leads to its beginning", async (_name, fields) => {
  await using site = await openSite({}, withoutContent);
  for (const cookie of [undefined, "x", "A".repeat(43), "'; drop table drafts; --"]) {
    const browser = site.openBrowser();
    if (cookie) browser.cookies.set("dormouse-signup", cookie);
    for (const step of [0, 1, 2, 3, 4]) {
      const answer = await browser.post(`/signup?step=${step}`, fields);
      expect(answer).toMatchObject({ status: 303, location: "/signup?step=1&expired=1" });
    }
  }
  const start = await site.openBrowser().get("/signup?step=1&expired=1");
  expect(wordsOf(start.text)).toContain(
    "Your sign-up was left for more than a day, so we have forgotten it. Nothing was taken.",
  );
  expect(await listCharges(site)).toEqual([]);
});

test("paying before a plan is chosen leads to the plans; the fourth step's address takes no form for granted", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  await visitor.typeCode();
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=2" });
  const early = await visitor.browser.post("/signup?step=4", { ...forms.pay, paid: "true" });
  expect(early).toMatchObject({ status: 303, location: "/signup?step=2" });
  expect(await listCharges(site)).toEqual([]);
  expect(await site.services.accounts.findByEmail(visitor.email)).toBeUndefined();
});

test("a sign-up left for a day is forgotten, and the page says so", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  site.clock.advance(DAY_IN_MS);
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=1&expired=1" });
  expect(await placesOf(visitor.browser)).toEqual([0, 1, "/signup?step=1", "/signup?step=1", 4]);
  expect(await listCharges(site)).toEqual([]);
  await visitor.reachPayment();
  expect(await visitor.pay({ card: "paid" })).toMatchObject({ status: 303, location: "/signup?step=4" });
});

test("a step reloaded is the same step, and going back finds what was told and chosen", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  const { browser } = visitor;
  await visitor.reachPayment();
  for (const step of [1, 2, 3]) {
    const pages = [await browser.get(`/signup?step=${step}`), await browser.get(`/signup?step=${step}`)];
    expect(wordsOf(pages[0]?.text ?? "")).toBe(wordsOf(pages[1]?.text ?? ""));
  }
  expect(valueOf((await browser.get("/signup?step=1")).text, "email")).toBe(visitor.email);
  expect(tagWith((await browser.get("/signup?step=2")).text, "input", 'value="3"', "checked")).toBeDefined();
  const payment = await browser.get("/signup?step=3");
  expect(linkNamed(payment.text, "Back")).toBe("/signup?step=2");

  // Other names leave the plan and the proof of the address as they are.
  expect((await visitor.tellDetails({ firstName: "Norah" })).status).toBe(303);
  expect(wordsOf((await browser.get("/signup?step=3")).text)).toContain("Your email is verified.");
  await visitor.pay({ card: "paid" });
  expect(await site.services.accounts.findByEmail(visitor.email)).toMatchObject({ firstName: "Norah" });
});

test("the address of a step that does not exist is the welcome", async () => {
  await using site = await openSite({}, withoutContent);
  for (const step of ["5", "-1", "1.0", "01", "", "two", "%00", "4%20", "1&step=4"]) {
    const { status, text } = await site.openBrowser().get(`/signup?step=${step}`);
    expect(status).toBe(200);
    if (step !== "1&step=4") expect(headingOf(text)).toBe("A quiet place for bad nights");
  }
});

test("who has bought nothing is told how, five steps back", async () => {
  await using site = await openSite({}, withoutContent);
  const { text } = await site.openBrowser().get("/signup?step=4");
  expect(headingOf(text)).toBe("Improve Your Sleep");
  expect(linkNamed(text, "Sign up for a subscription")).toBe("/signup");
});

test("script gets every step and its way on as data, without a document", async () => {
  await using site = await openSite({}, withoutContent);
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
