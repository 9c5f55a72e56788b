import { expect, test } from "vitest";

import { lena, logIn } from "../helpers/account-page.ts";
import { createNewcomer, readCharges, reachPayment } from "../helpers/newcomer.ts";
import { headingOf, linkNamed, tagWith, valueOf, wordsOf } from "../helpers/page.ts";
import { emailsTo, linkIn } from "../helpers/mailbox.ts";
import { openSite, withoutContent, type Site, openQuietSite } from "../helpers/site.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** The address that an email about an ending membership brings. */
async function makeLink(site: Site, email = "lapsed@dormouse.example"): Promise<string> {
  const member = await site.services.accounts.findByEmail(email);
  return `/signup?renew=${site.services.renewalLinks.make(member?.id ?? 0)}`;
}

test("a lapsed member renews from the email's link on a browser without a session", async () => {
  await using site = await openQuietSite();
  const link = await makeLink(site);
  const browser = site.openBrowser();
  const page = await browser.get(link);
  expect(headingOf(page.text)).toBe("Welcome back, Lena");
  expect(wordsOf(page.text)).toContain("Your membership has ended.");
  const opened = await browser.post("/signup", { intent: "renew", token: valueOf(page.text, "token") ?? "" });
  expect(opened).toMatchObject({ status: 303, location: "/signup?step=2" });
  const plans = await browser.get("/signup?step=2");
  expect(wordsOf(plans.text)).toContain("You are renewing the membership of lapsed@dormouse.example.");
  expect(linkNamed(plans.text, "Cancel")).toBe("/signup");
  // There are no details to tell, and no address to prove.
  expect((await browser.get("/signup?step=1")).location).toBe("/signup?step=2");
  expect(tagWith(plans.text, "input", 'name="oneTimeCode"')).toBeUndefined();

  const renewer = createNewcomer(site, { email: "lapsed@dormouse.example", browser });
  await renewer.choosePlan("1");
  expect((await renewer.pay({ card: "paid", fields: { plan: "1" } })).location).toBe("/signup?step=4");
  const { text } = await browser.get("/signup?step=4");
  expect(headingOf(text)).toBe("Payment Complete");
  // A link that came by mail months ago pays for an account; it does not open one.
  expect([...browser.cookies.keys()]).toEqual(["dormouse-signup"]);
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/login");
  await browser.logIn("lapsed@dormouse.example");
  expect((await browser.get("/")).text).toContain("Let&#x27;s Get Started");
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
  expect(mail?.subject).toBe("Your membership ends on 20/11/2027");
  const browser = site.openBrowser();
  const page = await browser.get(linkIn(mail));
  expect(wordsOf(page.text)).toContain("Your membership runs until 20/11/2027. A new term begins then.");
  await browser.post("/signup", { intent: "renew", token: valueOf(page.text, "token") ?? "" });
  expect(wordsOf((await browser.get("/signup?step=2")).text)).toContain("Ends on 20/11/2028, nothing more is taken");
  const renewer = createNewcomer(site, { browser });
  await renewer.choosePlan();
  await renewer.pay({ card: "paid" });
  expect(wordsOf((await browser.get("/signup?step=4")).text)).toContain(
    "Membership starts 20/11/2027 Membership ends 20/11/2028",
  );
  expect(await readCharges(site)).toHaveLength(2);
});

test("a logged-in member renews too, and stays logged in", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  const page = await browser.get(await makeLink(site));
  expect(headingOf(page.text)).toBe("Welcome back, Lena");
  await browser.post("/signup", { intent: "renew", token: valueOf(page.text, "token") ?? "" });
  const renewer = createNewcomer(site, { browser });
  await renewer.choosePlan("1");
  await renewer.pay({ card: "paid", fields: { plan: "1" } });
  const { text } = await browser.get("/signup?step=4");
  expect(linkNamed(text, "Log In for Sleep Content")).toBe("/");
  const receipt = linkNamed(text, "View receipt");
  expect(headingOf((await browser.get(receipt ?? "")).text)).toBe("Receipt");
  expect((await browser.get("/")).text).toContain("Let&#x27;s Get Started");
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
    expect(headingOf(text)).toBe("This link does not work");
    expect(wordsOf(text)).toContain("Write to hello@dormouse.example and we will send you a new one.");
    const pressed = await browser.post("/signup", { intent: "renew", token: bad });
    expect(pressed.status).toBe(303);
    expect(pressed.headers.getSetCookie()).toEqual([]);
  }
  site.clock.advance(70 * DAY_IN_MS);
  expect((await browser.get(link)).status).toBe(404);
});
