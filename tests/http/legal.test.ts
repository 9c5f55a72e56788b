import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { cancelling } from "../../server/refusals.ts";
import { ada, logIn } from "../helpers/account-page.ts";
import { openFolder } from "../helpers/folder.ts";
import { reachPayment } from "../helpers/newcomer.ts";
import { readSummary, readTitle, readValue, readWords } from "../helpers/page.ts";
import { openQuietSite, openSite } from "../helpers/site.ts";

const pages = { "/privacy": "Privacy notice", "/terms": "Terms of membership" };

test("visitors and members read both documents, and every frame with a footer leads to them", async () => {
  await using site = await openSite();
  for (const browser of [site.openBrowser(), await logIn(site, ada)]) {
    for (const [path, title] of Object.entries(pages)) {
      const { status, text } = await browser.get(path);
      expect(status).toBe(200);
      expect(readTitle(text)).toBe(`${title} – Dormouse`);
      expect(readWords(text)).toContain("This is a sample.");
      expect(readWords(text)).toContain("Last changed on 28 November 2026.");
    }
  }
  const member = await logIn(site, ada);
  for (const [browser, screens] of [
    [site.openBrowser(), ["/login", "/signup", "/signup?step=1", "/login?reset=1", "/privacy", "/company"]],
    [member, ["/", "/?view=watch", "/?q=noise", "/?account=open", "/?view=bad", "/terms"]],
  ] as const) {
    for (const screen of screens) {
      const { text } = await browser.get(screen);
      for (const path of Object.keys(pages)) expect(text, screen).toContain(`href="${path}"`);
    }
  }
});

test("an operator's own address is led to, and an operator's own file is shown", async () => {
  await using place = await openFolder();
  writeFileSync(join(place.folder, "terms.md"), "---\ntitle: The rules\nupdated: 2026-03-04\n---\n\nBe kind.");
  await using site = await openSite({ PRIVACY_URL: "https://nest.example/privacy", LEGAL_DIR: place.folder });
  const visitor = site.openBrowser();
  const { status, location } = await visitor.get("/privacy");
  expect([status, location]).toEqual([302, "https://nest.example/privacy"]);
  const { text } = await visitor.get("/terms");
  expect(readTitle(text)).toBe("The rules – Dormouse");
  expect(readWords(text)).toContain("Be kind.");
  expect(readWords(text)).not.toContain("This is a sample.");
});

test("who pays reads what is bought, that it doesn't renew and how to cancel, and the receipt says it again", async () => {
  await using site = await openQuietSite();
  const visitor = await reachPayment(site);
  const words = readWords((await visitor.browser.get("/signup?step=3")).text);
  expect(words).toContain("You pay £60 once. It doesn't renew.");
  expect(words).toContain("Change your mind within 14 days and we'll refund all of it.");
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
  await site.services.outbox.deliver();
  const receipt = site.emails.findLast(({ to, subject }) => to === visitor.email && /receipt/.test(subject));
  expect(receipt?.text).toMatch(/Cancel in My Account by \d+ \w+ \d{4} and/);
  expect(receipt?.text).toMatch(/\/terms\n[^]*\/privacy\n/);
});

test("where members start at once, nothing is charged before the box is ticked, and the receipt says what it means", async () => {
  await using site = await openSite({ START_AT_ONCE: "true" });
  const visitor = await reachPayment(site);
  const { text } = await visitor.browser.get("/signup?step=3");
  expect(text).toMatch(/<input(?=[^>]*type="checkbox")(?=[^>]*name="startsAtOnce")(?![^>]*checked)/);
  expect(readWords(text)).toContain("Start my membership now. I understand that I lose my right to cancel.");
  expect(readWords(text)).not.toContain("within 14 days");
  const refused = await visitor.pay({ card: "paid" });
  expect(refused.status).toBe(400);
  expect(readSummary(refused.text)).toEqual([["startsAtOnce", "Please tick the box to start your membership now."]]);
  expect((await visitor.pay({ card: "paid", fields: { startsAtOnce: "on" } })).location).toBe("/signup?step=4");
  await site.services.outbox.deliver();
  const receipt = site.emails.findLast(({ to, subject }) => to === visitor.email && /receipt/.test(subject));
  expect(receipt?.text.replaceAll("\n", " ")).toContain("You asked to start at once, so you've lost");
  const member = await site.services.accounts.findByEmail(visitor.email);
  expect(await site.services.payments.listReceipts(member?.id ?? 0)).toMatchObject([
    { isWaived: true, cancelUntil: undefined },
  ]);
});

test("a member cancels by one button in My Account, once, and is told what happened", async () => {
  await using site = await openQuietSite();
  const { browser, email, pay } = await reachPayment(site);
  await pay({ card: "paid" });
  const open = await browser.get("/?account=cancel");
  expect(open.text).toMatch(
    /<details[^>]*><summary[^>]*>Cancel my membership<[^]*Cancel and refund £60<[^]*<\/details>/,
  );
  expect(readWords(open.text)).toContain("You lose the rest of your membership now. We'll refund £60 to your card");
  expect(readWords(open.text)).toMatch(/You paid £60 on \d+ \w+ \d{4}\. You can cancel until \d+ \w+ \d{4}/);
  const receipt = /name="receipt" value="([^"]+)"/.exec(open.text)?.[1] ?? "";
  const slip = await browser.post("/?account=cancel", { intent: "cancel", receipt });
  expect([slip.status, readSummary(slip.text)]).toEqual([400, [[undefined, cancelling["not-sure"]]]]);
  const sure = { intent: "cancel", receipt, isSure: readValue(open.text, "isSure") ?? "" };
  const answer = await browser.post("/?account=cancel", sure);
  expect([answer.status, answer.location]).toEqual([303, "/?account=cancel&flash=cancelled#account-cancel"]);
  const after = await browser.get("/?account=cancel&flash=cancelled");
  const words = readWords(after.text);
  expect(words).toContain("Cancelled. Your refund is on its way.");
  expect(words).toMatch(/Your membership ended on \d+ \w+ \d{4}\. (Your refund|We refunded)/);
  expect(words).not.toContain("It was paid for until");
  const sheet = readWords((await browser.get(`/?receipt=${receipt}`)).text);
  expect(sheet).toMatch(/Receipt Refund(ed| on its way) Number/);
  expect(sheet).toContain("Membership ends Ended with the refund");
  expect(after.text).not.toContain('name="receipt"');
  const again = await browser.post("/?account=cancel", sure);
  expect(again.status).toBe(400);
  expect(readWords(again.text)).toContain(cancelling["not-cancellable"]);
  const member = await site.services.accounts.findByEmail(email);
  expect((await site.services.membership.findAccess(member?.id ?? 0)).isActive).toBe(false);
});
