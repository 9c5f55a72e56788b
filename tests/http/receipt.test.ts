import { expect, test } from "vitest";

import { reachPayment } from "../helpers/newcomer.ts";
import { readHeading, linkNamed, readTitle, readWords } from "../helpers/page.ts";
import { emailsTo, linkIn } from "../helpers/mailbox.ts";
import { openSite, withoutContent, type Site, openQuietSite } from "../helpers/site.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** Logged in, with the path of their receipt. */
async function joinAndPay(site: Site, { fields = {}, email = "nora@example.org", address = "203.0.113.5" } = {}) {
  const visitor = await reachPayment(site, fields, { email, browser: site.openBrowser({ address }) });
  await visitor.pay({ card: "paid" });
  const path = linkNamed((await visitor.browser.get("/signup?step=4")).text, "View receipt") ?? "";
  return { ...visitor, path };
}

test("a receipt has on one page what was paid, by whom, for what and when", async () => {
  await using site = await openSite({}, { ...withoutContent, startsAt: "2026-11-20T03:00:00.000Z" });
  const { browser, path } = await joinAndPay(site, { fields: { lastName: "Penn & <Son>" } });
  expect(path).toBe("/?receipt=D-2026-000001");
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  expect(readTitle(text)).toBe("Receipt D-2026-000001 – Dormouse");
  expect(readHeading(text)).toBe("Receipt");
  expect(readWords(text).replaceAll("&amp;", "&")).toContain(
    "Dormouse Sleep Ltd 1 Burrow Lane Exeter EX1 1AA Company number 01234567 VAT number GB 123 4567 82 Receipt Paid Number D-2026-000001 Date 20/11/2026 Name Nora Penn & <Son> Email nora@example.org Postal code EX1 1AA Plan Yearly Membership starts 20/11/2026 Membership ends 20/11/2027 Including VAT at 20% £10.00 Total £60.00",
  );
});

test("a seller without a VAT number has a name at the head, and no line about VAT", async () => {
  await using site = await openSite({ INVOICE_SENDER: "Nest & Son" }, withoutContent);
  const { browser, path } = await joinAndPay(site);
  const words = readWords((await browser.get(path)).text);
  expect(words).toContain("Nest & Son Receipt Paid Number D-");
  expect(words).not.toContain("VAT");
});

test("the email's link leads to the same page, and stays the same for years", async () => {
  await using site = await openQuietSite();
  const { browser, email, path } = await joinAndPay(site);
  await site.services.outbox.deliver();
  const [mail, ...others] = emailsTo(email, site.emails).filter(({ subject }) => subject.startsWith("Your receipt"));
  expect(others).toEqual([]);
  expect(linkIn(mail)).toBe(`http://dormouse.test${path}`);
  const before = readWords((await browser.get(path)).text);
  site.clock.advance(800 * DAY_IN_MS);
  const later = site.openBrowser({ address: "203.0.113.6" });
  await later.post("/login", { intent: "log-in", email, password: "moss-lantern-42" });
  const after = readWords((await later.get(path)).text);
  const receipt = (words: string) => /Receipt Paid Number.*Total £[\d.]+/.exec(words)?.[0];
  expect(receipt(after)).toBe(receipt(before));
  expect(receipt(after)).toBeDefined();
});

test("a company's member has a receipt too, which says who paid", async () => {
  await using site = await openQuietSite();
  const { browser, path } = await joinAndPay(site, { fields: { accountType: "corporate", code: "DORMOUSE-DEMO" } });
  const words = readWords((await browser.get(path)).text);
  expect(words).toContain("Plan 12 Month Subscription");
  expect(words).toContain("Total Paid by your company");
  expect(words).not.toContain("£");
});

test("after a refund in part, receipt and My Account name what was paid, what is refunded and what is left", async () => {
  await using site = await openQuietSite();
  const { browser, path } = await joinAndPay(site);
  const by = { operator: "olive@dormouse.example" };
  const part = await site.services.payments.makePartRefund({ orderId: 1, amountInPence: 1000, by });
  expect(part.ok).toBe(true);
  expect(readWords((await browser.get(path)).text)).toContain("Refunded £10.00 Including VAT");
  const account = readWords((await browser.get("/?account=cancel")).text);
  expect(account).toMatch(/You paid £60 on .* without giving a reason, and we'll refund the £50 that is left\./);
});

test("another member's receipt reads like one that does not exist", async () => {
  await using site = await openQuietSite();
  const { path } = await joinAndPay(site);
  const other = await joinAndPay(site, { email: "tom@example.org", address: "203.0.113.6" });
  const answer = await other.browser.get(path);
  const none = await other.browser.get("/?receipt=D-2026-009999");
  for (const { status, text } of [answer, none]) {
    expect(status).toBe(404);
    expect(readWords(text)).not.toContain("nora@example.org");
  }
  expect(readWords(answer.text)).toBe(readWords(none.text));
  expect((await other.browser.get(path.replace("/", "/_.data"))).text).not.toMatch(/nora@|EX1 1AA/);
  expect((await other.browser.get(other.path)).status).toBe(200);
});

test("a lapsed member may still read and print what they paid, and nothing else", async () => {
  await using site = await openSite();
  const { email, path } = await joinAndPay(site);
  site.clock.advance(400 * DAY_IN_MS);
  const browser = site.openBrowser({ address: "203.0.113.8" });
  await browser.post("/login", { intent: "log-in", email, password: "moss-lantern-42" });
  expect(readWords((await browser.get("/")).text)).toContain("No active subscription.");
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  expect(readWords(text)).toContain("Total £60.00");
  expect(text).not.toContain('aria-label="Sections"');
  const none = await browser.get("/?receipt=D-2026-009999");
  expect(readWords(none.text)).toContain("No active subscription.");
});

test("an unknown receipt number is answered with a sentence", async () => {
  await using site = await openQuietSite();
  const { browser } = await joinAndPay(site);
  for (const number of ["", " ", "x".repeat(41), "D/1", "D-1'--", "\u0000", "<script>", "D-2026-000001 "]) {
    const { status, text } = await browser.get(`/?receipt=${encodeURIComponent(number)}`);
    expect(status, number).toBe(400);
    expect(text).toContain("This address has no number of a receipt.");
  }
});
