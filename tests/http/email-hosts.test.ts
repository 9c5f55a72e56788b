import { expect, test } from "vitest";

import { ada, PASSWORD, save } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { codeIn, emailsTo } from "../helpers/mailbox.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { choose, NEW_PASSWORD, reachPassword } from "../helpers/reset-page.ts";
import { openQuietSite } from "../helpers/site.ts";

test("every email that a visit causes names the host at which the visitor met the site", async () => {
  // Without an address in the settings, as in a demo, the request's counts.
  await using site = await openQuietSite();
  const visit = () => site.openBrowser({ origin: "http://night.test:8080" });
  const newcomer = createNewcomer(site, { browser: visit() });
  await newcomer.reachPayment();
  await newcomer.pay({ card: "paid" });

  const browser = visit();
  await reachPassword(site, browser);
  await choose(browser);
  const passwords = { oldPassword: NEW_PASSWORD, password: PASSWORD, passwordConfirmation: PASSWORD };
  await browser.post("/?account=password", { intent: "password", ...passwords });
  await save(browser, { email: "ada.new@dormouse.example", currentPassword: PASSWORD });
  await site.services.outbox.deliver();
  const emailCode = codeIn(emailsTo("ada.new@dormouse.example", site.emails).at(-1));
  await browser.post("/?account=open", { intent: "email-code", emailCode });
  await browser.post("/?account=close", { intent: "close", closingPassword: PASSWORD });

  const desk = await openDesk({ ...site, openBrowser: visit });
  const company = { name: "Pillow Works", email: "hr@pillow.example", accounts: "5", price: "150.00" };
  await desk.act("/desk/companies", "company create", company);
  await site.services.outbox.deliver();

  const subjects = site.emails.map(({ subject }) => subject.replace(/^\d{6}: /, ""));
  for (const subject of [
    "Confirm your email address",
    "Choose a new password",
    "Your password was changed",
    "Confirm your new email address",
    "Your email address was changed",
    "Your account is closed",
    "Direct Debit for Pillow Works",
  ]) {
    expect(subjects).toContain(subject);
  }
  expect(emailsTo(ada, site.emails).filter(({ subject }) => subject === "Your password was changed")).toHaveLength(2);
  for (const { subject, text, html } of site.emails) {
    const hosts = [...`${text} ${html}`.matchAll(/https?:\/\/([^/\s"<]+)/g)].map(([, host]) => host);
    expect(new Set(hosts), subject).toEqual(new Set(hosts.length > 0 ? ["night.test:8080"] : []));
  }
});
