import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import {
  paymentCards,
  createNewcomer,
  makeMethod,
  type Newcomer,
  nora,
  payOnPage,
  listSteps,
  reachPayment,
  readCharges,
} from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readValue } from "../helpers/page.ts";
import { type Answer, type Browser, openQuietSite, type Site } from "../helpers/site.ts";

test("after success Back leads to the confirmation, and earlier forms charge nothing again", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  for (const step of [2, 3]) {
    expect((await visitor.browser.get(`/signup?step=${step}`)).location).toBe("/signup?step=4");
  }
  for (let count = 0; count < 2; count += 1) {
    const { text } = await visitor.browser.get("/signup?step=4");
    expect(readHeading(text)).toBe("Payment Complete");
  }
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  expect((await visitor.pay()).location).toBe("/signup?step=4");
  expect((await visitor.choosePlan("1")).location).toBe("/signup?step=3");
  expect((await visitor.enterDetails({ firstName: "Mallory" })).location).toBe("/");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 6000 }]);
  expect((await visitor.listSubjects()).filter((subject) => subject.startsWith("Your receipt"))).toHaveLength(1);
  expect(await site.services.accounts.findByEmail(visitor.email)).toMatchObject({ firstName: "Nora" });
});

/** The browser gets no answer: it shows an error page and has its earlier cookies. */
async function loseAnswer(browser: Browser, send: () => Promise<Answer>): Promise<void> {
  const before = [...browser.cookies];
  await send();
  browser.cookies.clear();
  for (const [name, value] of before) browser.cookies.set(name, value);
}

const isIn = async (browser: Browser) => (await browser.get("/")).status === 200;

const SUCCESS = /Payment Complete/;

/** Up to the answer that reports success. */
const waysToPay: Record<string, (site: Site, visitor: Newcomer) => Promise<void>> = {
  "in the card fields": (_, visitor) => loseAnswer(visitor.browser, () => visitor.pay({ card: "paid" })),
  "in the card fields, with script": async (_, { browser }) => {
    const methodId = await makeMethod(browser, paymentCards.paid);
    const form = { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId };
    await loseAnswer(browser, () => browser.post("/signup.data?step=3", form));
  },
  "and presses again": async (_, visitor) => {
    for (const _time of [1, 2]) await loseAnswer(visitor.browser, () => visitor.pay({ card: "paid" }));
  },
  "on the gateway's own page": async (_, { browser, pay }) => {
    await payOnPage(browser, (await pay()).location);
    await loseAnswer(browser, () => browser.get("/signup?step=4"));
  },
  "after the bank's page": async (_, { browser, pay }) => {
    const { location } = await pay({ card: "authentication" });
    await browser.post(location ?? "", { intent: "complete" });
    await loseAnswer(browser, () => browser.get("/signup?step=4"));
  },
  "and only the webhook event tells": async (site, { browser, pay }) => {
    const { location } = await pay({ card: "authentication" });
    await loseAnswer(browser, () => browser.post(location ?? "", { intent: "complete" }));
    await site.pass(60_000);
    await loseAnswer(browser, () => browser.get("/signup.data?step=4"));
  },
};

test.each(Object.entries(waysToPay))(
  "someone who pays %s and loses the answer is logged in by the next, and by no other browser",
  async (_, payAndLose) => {
    await using site = await openQuietSite();
    const visitor = await reachPayment(site);
    await payAndLose(site, visitor);
    const { browser } = visitor;
    expect(await isIn(browser)).toBe(false);
    await loseAnswer(browser, () => browser.get("/signup?step=4"));
    const { text } = await browser.get("/signup?step=4");
    expect(readHeading(text)).toMatch(SUCCESS);
    expect(linkNamed(text, "Log In for Sleep Content")).toBe("/");
    expect(await isIn(browser)).toBe(true);
    expect((await browser.get("/signup?step=4")).headers.getSetCookie()).toEqual([]);
    expect(await readCharges(site)).toHaveLength(1);
    const { id = 0 } = (await site.services.accounts.findByEmail(visitor.email)) ?? {};
    expect(await site.services.sessions.list(id)).toHaveLength(1);

    const stranger = site.openBrowser({ address: "203.0.113.5" });
    expect((await stranger.get("/signup?step=4")).headers.getSetCookie()).toEqual([]);
    expect(await isIn(stranger)).toBe(false);
  },
);

test("someone who joins by a code and loses the answer is logged in by the next", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site, { accountType: "corporate", code: "DORMOUSE-DEMO" });
  await loseAnswer(visitor.browser, () => visitor.pay());
  expect(readHeading((await visitor.browser.get("/signup?step=4")).text)).toMatch(SUCCESS);
  expect(await isIn(visitor.browser)).toBe(true);
});

test("after logging out, and after a quarter of an hour, the confirmation logs no one in", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  await visitor.browser.post("/", { intent: "log-out" });
  const { text } = await visitor.browser.get("/signup?step=4");
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/login");
  expect(await isIn(visitor.browser)).toBe(false);

  const late = await reachPayment(site, {}, { email: "late@example.org" });
  await loseAnswer(late.browser, () => late.pay({ card: "paid" }));
  site.clock.advance(15 * 60_000);
  await late.browser.get("/signup?step=4");
  expect(await isIn(late.browser)).toBe(false);
});

test("a second tab that is still at paying arrives at the confirmation, on one charge", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const draftOnly = new Map(visitor.browser.cookies);
  await visitor.pay({ card: "paid" });
  const otherTab = site.openBrowser();
  for (const [name, value] of draftOnly) otherTab.cookies.set(name, value);
  const late = createNewcomer(site, { browser: otherTab });
  expect((await late.pay({ card: "paid" })).location).toBe("/signup?step=4");
  const { text } = await otherTab.get("/signup?step=4");
  expect(readHeading(text)).toBe("Payment Complete");
  // One session for both tabs: a late answer does not replace it.
  expect(otherTab.cookies).toEqual(visitor.browser.cookies);
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/");
  expect(await readCharges(site)).toHaveLength(1);
});

test("after logging out the same browser may sign another person up", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  await visitor.browser.post("/", { intent: "log-out" });
  const { text } = await visitor.browser.get("/signup?step=1");
  for (const name of ["firstName", "lastName", "email"]) expect(readValue(text, name)).toBe("");
  expect(text).not.toContain(visitor.email);
  const friend = createNewcomer(site, { email: "friend@example.org", browser: visitor.browser });
  await friend.reachPayment();
  await friend.pay({ card: "paid", fields: {} });
  expect(await readCharges(site)).toHaveLength(2);
});

test("a logged-in member is sent home from every step and form", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(await listSteps(browser)).toEqual(["/", "/", "/", "/", "/"]);
  expect(await browser.get("/signmeup")).toMatchObject({ status: 302, location: "/signup?step=1" });
  expect(await browser.post("/signup?step=1", nora)).toMatchObject({ status: 302, location: "/" });
  await site.services.outbox.deliver();
  expect(site.emails).toEqual([]);
});
