import { expect, test } from "vitest";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import type { Plan } from "../../server/money/membership/plans.ts";
import { ada, lena, logIn } from "../helpers/account-page.ts";
import { createNewcomer, readCharges, reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readSummary, tagWith, readValue, readWords } from "../helpers/page.ts";
import { emailsTo, linkIn } from "../helpers/mailbox.ts";
import { type Answer, type Browser, openSite, withoutContent, type Site, openQuietSite } from "../helpers/site.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** From the email about an ending membership. */
async function makeLink(site: Site): Promise<string> {
  const member = await site.services.accounts.findByEmail("lapsed@dormouse.example");
  return `/signup?renew=${site.services.renewalLinks.make(member?.id ?? 0)}`;
}

test("a lapsed member renews from the email's link on a browser without a session", async () => {
  await using site = await openQuietSite();
  const link = await makeLink(site);
  const browser = site.openBrowser();
  const page = await browser.get(link);
  expect(readHeading(page.text)).toBe("Welcome back, Lena");
  expect(readWords(page.text)).toContain("Your membership has ended.");
  const opened = await browser.post("/signup", { intent: "renew", token: readValue(page.text, "token") ?? "" });
  expect(opened).toMatchObject({ status: 303, location: "/signup?step=2" });
  const plans = await browser.get("/signup?step=2");
  expect(readWords(plans.text)).toContain("You're renewing the membership of lapsed@dormouse.example.");
  expect(linkNamed(plans.text, "Cancel")).toBe("/signup");
  // A renewal has no details, and no address to prove.
  expect((await browser.get("/signup?step=1")).location).toBe("/signup?step=2");
  expect(tagWith(plans.text, "input", 'name="oneTimeCode"')).toBeUndefined();

  const renewer = createNewcomer(site, { email: "lapsed@dormouse.example", browser });
  await renewer.choosePlan("1");
  expect((await renewer.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  const { text } = await browser.get("/signup?step=4");
  expect(readHeading(text)).toBe("Payment Complete");
  // An old emailed link pays for an account; it does not open one.
  expect([...browser.cookies.keys()]).toEqual(["dormouse-signup"]);
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/login");
  await browser.logIn("lapsed@dormouse.example");
  expect(readHeading((await browser.get("/")).text)).toBe(landingTexts.heading);
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 1500 }]);
});

test("an early renewal loses no day", async () => {
  const startsAt = "2026-11-20T03:00:00.000Z";
  await using site = await openSite({ ORIGIN: "http://dormouse.test" }, { ...withoutContent, startsAt });
  const visitor = await reachPayment(site);
  await visitor.pay({ card: "paid" });
  site.clock.advance(360 * DAY_IN_MS);
  await site.services.jobs.run("send-ending-emails");
  await site.services.outbox.deliver();
  const mail = emailsTo(visitor.email, site.emails).at(-1);
  expect(mail?.subject).toBe("Your membership ends on 20 November 2027");
  const browser = site.openBrowser();
  const page = await browser.get(linkIn(mail));
  expect(readWords(page.text)).toContain("Your membership runs until 20 November 2027. The new one starts then.");
  await browser.post("/signup", { intent: "renew", token: readValue(page.text, "token") ?? "" });
  expect(readWords((await browser.get("/signup?step=2")).text)).toContain(
    "Ends 20 November 2028. We won't charge you again.",
  );
  const renewer = createNewcomer(site, { browser });
  await renewer.choosePlan();
  await renewer.pay({ card: "paid" });
  expect(readWords((await browser.get("/signup?step=4")).text)).toContain(
    "Membership starts 20/11/2027 Membership ends 20/11/2028",
  );
  expect(await readCharges(site)).toHaveLength(2);
});

test("a logged-in member renews too, and stays logged in", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  const page = await browser.get(await makeLink(site));
  expect(readHeading(page.text)).toBe("Welcome back, Lena");
  await browser.post("/signup", { intent: "renew", token: readValue(page.text, "token") ?? "" });
  const renewer = createNewcomer(site, { browser });
  await renewer.choosePlan("1");
  await renewer.pay({ card: "paid", fields: { plan: "1" } });
  const { text } = await browser.get("/signup?step=4");
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/");
  const receipt = linkNamed(text, "View receipt");
  expect(readHeading((await browser.get(receipt ?? "")).text)).toBe("Receipt");
  expect(readHeading((await browser.get("/")).text)).toBe(landingTexts.heading);
});

async function readPlans(browser: Browser, { status, location }: Answer): Promise<string> {
  expect([status, location]).toEqual([303, "/signup?step=2"]);
  return readWords((await browser.get("/signup?step=2")).text);
}

test("a lapsed member renews from the locked tile, before its two buttons, or from My Account", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  const locked = (await browser.get("/")).text;
  const tile = /<section[^>]*>(?:(?!<\/section>).)*No active subscription\..*?<\/section>/s.exec(locked)?.[0] ?? "";
  expect([...tile.matchAll(/<(?:a|button)[^>]*>([^<]+)/g)].map(([, label]) => label)).toEqual([
    "Renew",
    "Contact us",
    "Log Out",
  ]);
  expect(readHeading((await browser.get(linkNamed(locked, "Renew") ?? "")).text)).toBe("Welcome back, Lena");
  const { text } = await browser.get("/?account=membership");
  expect(tagWith(text, "form", 'action="/signup"')).toBeDefined();
  expect(readWords(text)).toMatch(/It was paid for until \d+ \w+ \d{4}\. Renew/);
  const renewing = await browser.post("/signup", { intent: "renew", token: "own" });
  expect(await readPlans(browser, renewing)).toContain(`You're renewing the membership of ${lena}.`);
  const renewer = createNewcomer(site, { browser });
  await renewer.choosePlan("1");
  expect((await renewer.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  expect(readHeading((await browser.get("/")).text)).toBe(landingTexts.heading);
  // A month's term ends within a month.
  expect(readWords((await browser.get("/?account=membership")).text)).toContain("Renew");
});

test("a member who has paid far ahead is not offered to, and a visitor logs in first", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  await site.services.transact((trx) =>
    site.services.membership.extend({ memberId: 1, plan: site.services.plans[2] as Plan }, trx),
  );
  expect(readWords((await browser.get("/?account=membership")).text)).not.toContain("Renew");
  expect(await browser.post("/signup", { intent: "renew", token: "own" })).toMatchObject({
    location: "/signup?renew=own",
  });
  expect(await browser.get("/signup?renew=own&to=%2F%3Fview%3Dread")).toMatchObject({ location: "/?view=read" });
  const visitor = site.openBrowser();
  expect(await visitor.get("/signup?renew=own")).toMatchObject({ location: "/login?to=%2Fsignup%3Frenew%3Down" });
  expect(await visitor.post("/signup", { intent: "renew", token: "own" })).toMatchObject({
    location: "/login?to=%2Fsignup%3Frenew%3Down",
  });
});

test("an address that is registered leads to the log-in, and its lapsed member on to the plans", async () => {
  await using site = await openQuietSite();
  for (const [email, place] of [
    [lena, "/signup?step=2&to=%2F%3Fview%3Dread"],
    [ada, "/?view=read"],
  ] as const) {
    const browser = site.openBrowser();
    const refused = await createNewcomer(site, { email, browser, to: "/?view=read" }).enterDetails();
    expect(refused.status).toBe(400);
    const logInPath = linkNamed(refused.text, "Log in instead") ?? "";
    expect((await browser.get(logInPath)).status).toBe(200);
    expect((await browser.post(logInPath, { intent: "log-in", email, password: "nonsense" })).status).toBe(400);
    let { location } = await browser.logIn(email, logInPath);
    if (location?.startsWith("/signup?renew=own")) ({ location } = await browser.get(location));
    expect(location).toBe(place);
  }
});

test("a renewal that was paid on another device is told on this one, with the new dates, before it is paid again", async () => {
  const startsAt = "2026-11-20T21:00:00.000Z";
  await using site = await openSite({}, { ...withoutContent, startsAt });
  const link = await makeLink(site);
  const token = new URL(link, "http://dormouse.test").searchParams.get("renew") ?? "";
  const [phone, laptop] = [site.openBrowser(), site.openBrowser()].map((browser) => createNewcomer(site, { browser }));
  if (!phone || !laptop) throw new Error("There are two devices");
  for (const { browser, choosePlan } of [phone, laptop]) {
    await browser.post("/signup", { intent: "renew", token });
    await choosePlan("1");
  }
  site.clock.advance(4 * 60 * 1000);
  expect((await phone.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");

  const note = "You renewed at 21:04, so your membership now ends on 20 December 2026. Pay for another term?";
  expect(readWords((await laptop.browser.get("/signup?step=2")).text)).toContain(note);
  const refused = await laptop.pay({ card: "paid", fields: { plan: "1" } });
  expect(refused.status).toBe(400);
  expect(readSummary(refused.text)).toEqual([[undefined, note]]);
  expect(readWords(refused.text)).toContain("Membership starts 20/12/2026 Membership ends 20/01/2027");
  expect(await readCharges(site)).toHaveLength(1);
  const page = await laptop.browser.get("/signup?step=3");
  expect(readWords(page.text)).toContain(note);
  const knownReceipt = readValue(page.text, "knownReceipt") ?? "";
  site.clock.advance(DAY_IN_MS / 2);
  expect(readWords((await laptop.browser.get("/signup?step=3")).text)).toContain("You renewed on 20/11/2026 at 21:04");
  const paid = await laptop.pay({ card: "paid", fields: { plan: "1", knownReceipt } });
  expect(paid.location).toBe("/signup?step=4");
  expect(await readCharges(site)).toHaveLength(2);
});

test("a cut, altered, made-up or expired link leads to a page that says so", async () => {
  await using site = await openQuietSite();
  const link = await makeLink(site);
  const token = new URL(link, "http://dormouse.test").searchParams.get("renew") ?? "";
  const [member = "", end = "", signature = ""] = token.split(".");
  const browser = site.openBrowser();
  for (const bad of ["", token.slice(0, -1), `${Number(member) + 1}.${end}.${signature}`, "a".repeat(20_000)]) {
    const { status, text } = await browser.get(`/signup?renew=${encodeURIComponent(bad)}`);
    expect(status).toBe(404);
    expect(readHeading(text)).toBe("This link doesn't work");
    expect(readWords(text)).toContain("Write to hello@dormouse.example and we'll send you a new one.");
    const pressed = await browser.post("/signup", { intent: "renew", token: bad });
    expect(pressed.status).toBe(303);
    expect(pressed.headers.getSetCookie()).toEqual([]);
  }
  site.clock.advance(70 * DAY_IN_MS);
  expect((await browser.get(link)).status).toBe(404);
});

test("a link to renew says who pays: a company's member reads from when, then that nothing is to pay", async () => {
  await using site = await openQuietSite();
  const { codes, renewalLinks } = site.services;
  await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
  const visitor = createNewcomer(site);
  await visitor.reachPayment({ accountType: "corporate", code: "NIGHT-SHIFT" });
  await visitor.pay();
  const member = await site.services.accounts.findByEmail(visitor.email);
  const read = async () => {
    const { text } = await site.openBrowser().get(`/signup?renew=${renewalLinks.make(member?.id ?? 0)}`);
    return { words: readWords(text), token: readValue(text, "token") };
  };
  const early = await read();
  expect(early.words).toMatch(
    /Your company pays for your membership until \d+ \w+ \d+\. You can renew from \d+ \w+ \d+\./,
  );
  expect(early.token).toBeUndefined();
  site.clock.advance(360 * DAY_IN_MS);
  const late = await read();
  expect(late.words).toContain("Your company pays for the next year. You won't be charged.");
  expect(late.token).toBeDefined();
});
