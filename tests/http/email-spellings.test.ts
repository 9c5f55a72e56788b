import { expect, test } from "vitest";

import { lastEmail, logIn, save } from "../helpers/account-page.ts";
import { API_KEY, createApiClient } from "../helpers/api-client.ts";
import { openDesk } from "../helpers/desk.ts";
import { codeIn } from "../helpers/mailbox.ts";
import { createNewcomer, nora, PASSWORD } from "../helpers/newcomer.ts";
import { errorsAt, readValue, readWords } from "../helpers/page.ts";
import { askFor, choose, NEW_PASSWORD, readEmail, typeCode } from "../helpers/reset-page.ts";
import { openSite, type Site, withoutContent } from "../helpers/site.ts";

/** As people read it and Firefox sends it, and as Chromium does. */
const letters = "otto@müller.example";
const ascii = "otto@xn--mller-kva.example";

const enter = (site: Site, email: string, password: string) =>
  site.openBrowser().post("/login", { intent: "log-in", email, password });

const openSpelt = () => openSite({ API_KEY }, withoutContent);

test.each([
  ["letters", letters, ascii],
  ["ASCII", ascii, letters],
])("a member who signs up in %s has one account in both spellings, shown in letters", async (_, first, second) => {
  await using site = await openSpelt();
  const otto = createNewcomer(site, { email: letters });
  await otto.enterDetails({ email: first });
  expect(readWords((await otto.browser.get("/signup?step=2")).text)).not.toContain("xn--");
  await otto.choosePlan();
  await otto.typeCode();
  expect((await otto.pay({ card: "paid" })).status).toBe(303);

  for (const email of [first, second]) {
    const again = await createNewcomer(site).enterDetails({ email });
    expect(errorsAt(again.text, "email")).toBe("This email is already registered.");
    expect((await enter(site, email, PASSWORD)).status).toBe(303);
  }
  const desk = await openDesk(site, "support");
  for (const part of [letters, ascii, "müller", "@MÜLLER.exam", "xn--mller-kva.example"]) {
    const found = readWords((await desk.get(`/desk/members?q=${encodeURIComponent(part)}`)).text);
    expect(found, part).toContain(letters);
    expect(found, part).toContain("Nora Penn");
  }

  const browser = site.openBrowser();
  await askFor(browser, second);
  const code = (await readEmail(site, letters))?.code ?? "";
  expect(await typeCode(browser, code)).toMatchObject({ status: 303, location: "/login?reset=3" });
  await choose(browser);
  expect((await enter(site, first, NEW_PASSWORD)).status).toBe(303);
});

test("a sign-up under way keeps its proof in the other spelling, and the desk finds it in both", async () => {
  await using site = await openSpelt();
  const otto = createNewcomer(site, { email: letters });
  await otto.enterDetails({ email: ascii });
  await otto.choosePlan();
  await otto.typeCode();
  await otto.enterDetails({ email: letters });
  expect((await otto.browser.get("/signup?step=3")).text).not.toContain('name="oneTimeCode"');
  const desk = await openDesk(site, "support");
  for (const email of [letters, ascii]) {
    const found = await desk.get(`/desk/members?q=${encodeURIComponent(email)}`);
    expect(readWords(found.text)).toContain("Unfinished sign-up");
  }
});

test("an address changes to one with letters, and its other spelling is no change", async () => {
  await using site = await openSpelt();
  const browser = await logIn(site, "member@dormouse.example");
  await save(browser, { email: ascii, currentPassword: "sleep-well-tonight" });
  const pending = await browser.get("/?account=open");
  expect(readWords(pending.text)).toContain(`Check your inbox at ${letters} to finish.`);
  const emailCode = codeIn(await lastEmail(site, letters));
  expect(await browser.post("/?account=open", { intent: "email-code", emailCode })).toMatchObject({ status: 303 });
  expect(readValue((await browser.get("/?account=open")).text, "email")).toBe(letters);

  // Chromium returns in ASCII what the form showed in letters.
  const saved = await save(browser, { firstName: "Otto", email: ascii, shownEmail: letters });
  expect(saved).toMatchObject({ status: 303, location: "/?account=open&flash=saved" });
  expect(readValue((await browser.get("/?account=open")).text, "email")).toBe(letters);
});

test("the API knows a member in both spellings", async () => {
  await using site = await openSpelt();
  const client = createApiClient(site);
  const person = { first_name: "Otto", last_name: "Penn", password: PASSWORD };
  const made = await client.call("usersignup", { ...person, email: ascii });
  expect(made.json.email).toBe(letters);
  expect((await client.call("usersignup", { ...person, email: letters })).status).toBe(409);
  for (const email of [letters, ascii]) {
    expect((await client.call("grabuserid", { email })).json).toEqual({ id: made.json.id });
    const token = await client.grabToken(email, PASSWORD);
    const entered = await client.call("login", { email: letters, password: PASSWORD }, { token });
    expect(entered.json.email).toBe(letters);
  }
});

test("an operator and a company's contact log in in both spellings", async () => {
  await using site = await openSpelt();
  const { companies, companyPage, operators, transact } = site.services;
  await openDesk(site, "owner", ascii);
  expect((await operators.find(letters))?.email).toBe(letters);
  const terms = { contactEmail: ascii, accounts: 5, priceInPence: 100_000 };
  const links = { returnUrl: "http://x.example/a", exitUrl: "http://x.example/b" };
  const made = await companies.create({ name: "Müller", ...terms }, links);
  const companyId = (made.ok && (await companies.find("Müller"))?.id) || 0;
  const invite = (email: string) =>
    transact((trx) => companyPage.invite({ companyId, email, site: "http://dormouse.test/" }, trx));
  expect(await invite(letters)).toMatchObject({ ok: true });
  expect(await invite(ascii)).toMatchObject({ ok: false, reason: "contact-known" });
  await companyPage.requestLogIn({ email: ascii, address: "203.0.113.5", site: "http://dormouse.test/" });
  expect(codeIn(await lastEmail(site, letters))).toMatch(/^\d{6}$/);
});

test("a domain that names no host is refused with the sentence of any other address", async () => {
  await using site = await openSpelt();
  for (const email of ["otto@müller", "otto@xn--zzzzzzzz.example", "ötto@müller.example", "otto@mü ller.example"]) {
    const answer = await site.openBrowser().post("/signup?step=1", { ...nora, email });
    expect(errorsAt(answer.text, "email"), email).toBe("You must use a valid email address");
  }
});
