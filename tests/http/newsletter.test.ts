import { expect, test } from "vitest";

import { ada, lena, logIn } from "../helpers/account-page.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { readHeading, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite, type Site } from "../helpers/site.ts";

const account = "/?account=newsletter";

async function findState(site: Site, email: string) {
  const member = await site.services.accounts.findByEmail(email);
  return site.services.newsletter.find(member?.id ?? 0);
}

const choose = (wanted: string) => ({ intent: "newsletter", wanted });

/** The address in the sent email about November, which Ada requested in her browser. */
async function readLink(site: Site): Promise<string> {
  const browser = await logIn(site, ada);
  await browser.post(account, choose("on"));
  site.clock.advance(Date.parse("2026-12-01T10:00:00.000Z") - site.clock().getTime());
  await site.services.jobs.run("send-newsletter");
  await site.services.outbox.deliver();
  const mail = site.emails.find(({ to, subject }) => to === ada && subject === "New in November");
  return mail?.unsubscribe ?? "";
}

const openNovember = () => openSite({}, { startsAt: "2026-11-20T03:00:00.000Z" });

test("it is off until a member switches it on in My Account, and off again there", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  expect(await findState(site, ada)).toBe("off");
  expect(readWords((await browser.get(account)).text)).toContain("Email me once a month");

  const on = await browser.post(account, choose("on"));
  expect(on).toMatchObject({ status: 303, location: `${account}&flash=newsletter-on#account-newsletter` });
  expect(await findState(site, ada)).toBe("on");
  const { text } = await browser.get(on.location ?? "");
  expect(readWords(text)).toContain("New this month is on.");
  expect(readWords(text)).toContain(`We email ${ada} early each month`);

  expect((await browser.post(account, choose("off"))).location).toContain("flash=newsletter-off");
  expect(await findState(site, ada)).toBe("off");
  expect((await browser.post(account, choose("perhaps"))).status).toBe(400);
});

test("a member whose membership has ended switches it off, too", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, lena);
  await browser.post(account, choose("on"));
  expect(await findState(site, lena)).toBe("on");
  await browser.post(account, choose("off"));
  expect(await findState(site, lena)).toBe("off");
});

test("the end of sign-up offers it, switched off, and goes on where it was", async () => {
  await using site = await openQuietSite();
  const newcomer = createNewcomer(site);
  await newcomer.reachPayment();
  const { location } = await newcomer.pay({ card: "paid" });
  const end = location ?? "";
  expect(readWords((await newcomer.browser.get(end)).text)).toContain("Email me once a month");
  expect(await findState(site, newcomer.email)).toBe("off");
  expect(await newcomer.browser.post(end, choose("on"))).toMatchObject({ status: 303, location: end });
  expect(await findState(site, newcomer.email)).toBe("on");
  const { text } = await newcomer.browser.get(end);
  expect(readHeading(text)).toBe("Payment Complete");
  expect(readWords(text)).toContain("Stop these emails");
});

test("its link opens a page with one button, on any browser, and opening it changes nothing", async () => {
  await using site = await openNovember();
  const link = await readLink(site);
  const stranger = site.openBrowser({ origin: new URL(link).origin });
  const page = await stranger.get(link);
  expect(page.status).toBe(200);
  expect(page.text.match(/<button/g)).toHaveLength(1);
  // The page names no member.
  for (const word of ["Ada", "Lovell", ada]) expect(page.text).not.toContain(word);
  await stranger.request(link, { method: "HEAD" });
  expect(await findState(site, ada)).toBe("on");

  const ended = await stranger.post(link, {});
  expect([ended.status, readHeading(ended.text)]).toEqual([200, "You're unsubscribed"]);
  expect(await findState(site, ada)).toBe("off");
  expect((await stranger.post(link, {})).status).toBe(200);
});

test.each([
  ["a mail program's server", {}],
  ["a mail program in a browser", { Origin: "https://mail.example", "Sec-Fetch-Site": "cross-site" }],
])("one POST of %s ends it, without a session and without a redirect", async (_, headers) => {
  await using site = await openNovember();
  const link = await readLink(site);
  const program = site.openBrowser({ origin: new URL(link).origin });
  const ended = await program.post(link, { "List-Unsubscribe": "One-Click" }, headers);
  expect([ended.status, ended.location]).toEqual([200, null]);
  expect(await findState(site, ada)).toBe("off");
});

test("the body of the POST may have parts, as RFC 8058 allows", async () => {
  await using site = await openNovember();
  const link = await readLink(site);
  const body = new FormData();
  body.set("List-Unsubscribe", "One-Click");
  const ended = await site.openBrowser({ origin: new URL(link).origin }).request(link, { method: "POST", body });
  expect(ended.status).toBe(200);
  expect(await findState(site, ada)).toBe("off");
});

test("a link that was cut short ends nothing, and says where to end it", async () => {
  await using site = await openNovember();
  const link = (await readLink(site)).slice(0, -1);
  const browser = site.openBrowser({ origin: new URL(link).origin });
  for (const answer of [await browser.get(link), await browser.post(link, {}), await browser.get("/newsletter")]) {
    expect(answer.status).toBe(404);
    expect(readWords(answer.text)).toContain("You can stop these emails in My Account");
  }
  expect(await findState(site, ada)).toBe("on");
});

test("a member downloads that they asked for it, and since when", async () => {
  await using site = await openNovember();
  const browser = await logIn(site, ada);
  await browser.post(account, choose("on"));
  const { newsletter } = JSON.parse((await browser.get("/account-data")).text) as Record<string, unknown>;
  expect(newsletter).toEqual({ startedAt: expect.stringMatching(/^2026-11-20T/), lastMonth: "2026-11" });
});
