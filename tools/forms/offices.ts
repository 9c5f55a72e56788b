import { Secret, TOTP } from "otpauth";

import { codeIn, linkIn } from "../../tests/helpers/mailbox.ts";
import { otherThan, type Section } from "./tour.ts";

/* The forms of a company's contact and of operators. */

const CODE_SUBJECT = "Your code for the page";

/** Acme was made for its Direct Debit page. */
const companyPage: Section = async ({ fill, open, commands, readEmail }) => {
  const email = "hr@acme.example";
  const browser = open();
  const asked = await fill(
    browser,
    { path: "/company", intent: "company-log-in", title: "Ask for a code" },
    { "no address": { email: "x" }, "right, whether there is such a contact or not": { email } },
  );
  const mail = await readEmail(email, CODE_SUBJECT);
  const code = codeIn(mail);
  await fill(
    browser,
    { path: asked.address, intent: "company-code", title: "Type that code" },
    { "a wrong code": { code: otherThan(code) }, right: { code } },
  );
  const create = `company create --name Brook --email ${email} --accounts 5 --price 60.00 --reason Asked`;
  await commands.run(...create.split(" "));
  const path = "/company";
  await fill(browser, { path, intent: "company-switch", title: "Another company of the contact" }, { right: {} });
  await fill(browser, { path, intent: "company-log-out", title: "Log out" }, { right: {} });
  await commands.run("demo", "clock", "+2m");
  const other = open();
  await other.post("/company", { intent: "company-log-in", email });
  const link = linkIn(await readEmail(email, CODE_SUBJECT, mail));
  await fill(other, { path: link, intent: "company-link", title: "The link in the email" }, { right: {} });
};

const desk: Section = async ({ fill, open, commands }) => {
  const browser = open();
  const email = "olive@dormouse.example";
  const password = "lantern-moss-4711";
  const invited = JSON.stringify(await commands.ask("operator", "invite", email, "--reason", "Asked"));
  const path = `/desk?invitation=${/invitation=([\w-]+)/.exec(invited)?.[1] ?? ""}`;
  await fill(browser, { path, intent: "show-secret", title: "Show the key of the app" }, { right: {} });
  const shown = await browser.post(path, { intent: "show-secret" });
  const secret = /\b[A-Z2-7]{32}\b/.exec(shown.text.replaceAll(/<[^>]+>| /g, ""))?.[0] ?? "";
  async function makeCode(): Promise<string> {
    const { now } = await commands.ask<{ now: string }>("demo", "clock", "now");
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(now) });
  }
  await fill(
    browser,
    { path, intent: "accept-invitation", title: "Set up the account" },
    { "nothing typed": {}, right: { password, passwordConfirmation: password, code: await makeCode() } },
  );
  await fill(browser, { path: "/desk", intent: "log-out", title: "Log out" }, { right: {} });
  // A code works once.
  await commands.run("demo", "clock", "+1m");
  await fill(
    browser,
    { path: "/desk", intent: "log-in", title: "Log in" },
    { "nothing typed": {}, right: { email, password, code: await makeCode() } },
  );
  const finding = { path: "/desk/members", intent: "/desk/members", title: "Find a member" };
  await fill(browser, finding, { "a part of a name": { q: "marsh" } });
  await fill(browser, { path: "/desk/health", intent: "ask-parts", title: "Check everything now" }, { right: {} });
  const names = { firstName: "Ada", lastName: "Lovelace" };
  await fill(
    browser,
    { path: "/desk/members/1", intent: "member name", title: "An act: correct a name" },
    { "no reason": { ...names, reason: "" }, right: { ...names, reason: "They wrote" } },
  );
  const ending = { path: "/desk/members/1", intent: "member deactivate", title: "An act that asks once more" };
  await fill(browser, ending, { "right, the first time": { reason: "They wrote" } });
};

export const officeSections = { "A company's page": companyPage, "The desk": desk };
