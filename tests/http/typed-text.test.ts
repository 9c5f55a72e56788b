import { expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { ada, changePassword, logIn, PASSWORD } from "../helpers/account-page.ts";
import { codeAt, openDesk, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { createNewcomer, nora } from "../helpers/newcomer.ts";
import { readSummary, readWords } from "../helpers/page.ts";
import { openRemoteSite } from "../helpers/provider.ts";
import { openQuietSite, openSite, type Site } from "../helpers/site.ts";

/** The same to the eye, as another device, a copied page or a password manager writes it. */
const other = (text: string) =>
  `\u200b${text.normalize("NFD").replaceAll(" ", "\u00a0").replaceAll("-", "-\u00ad")}\ufeff`;

const password = "schläfer-in-der-nacht";

async function join(site: Site, fields: Record<string, string>) {
  const visitor = createNewcomer(site);
  await visitor.reachPayment({ password, passwordConfirmation: other(password), ...fields });
  expect((await visitor.pay({ card: "paid" })).location).toBe("/signup?step=4");
}

test.each([
  ["here", openQuietSite],
  ["at a provider", openRemoteSite],
])("a member %s logs in by the same password and address from a device that writes them otherwise", async (_, open) => {
  await using site: Site = await open();
  await join(site, { email: other(nora.email), firstName: other("Zoë") });
  for (const typed of [password, other(password)]) {
    const form = { intent: "log-in", email: other(nora.email), password: typed };
    expect(await site.openBrowser().post("/login", form)).toMatchObject({ status: 303, location: "/" });
    expect((await site.openBrowser().post("/login", { ...form, password: `${typed}!` })).status).toBe(400);
  }
  const member = await site.services.accounts.findByEmail(nora.email);
  expect(member).toMatchObject({ firstName: "Zoë".normalize("NFC"), email: nora.email });
});

test("the old password is right in either form, and a new one and its repetition are compared as they look", async () => {
  await using site = await openQuietSite();
  const browser = await logIn(site, ada);
  const answer = await changePassword(browser, {
    oldPassword: other(PASSWORD),
    password,
    passwordConfirmation: other(password),
  });
  expect(answer.status).toBe(303);
  const form = { intent: "log-in", email: ada, password: other(password) };
  expect((await site.openBrowser().post("/login", form)).status).toBe(303);
});

test("a field that shows nothing is empty", async () => {
  await using site = await openQuietSite();
  const { text } = await createNewcomer(site).enterDetails({
    firstName: "\u200b\u00ad",
    lastName: "\u3164",
    email: "\u2060",
  });
  expect(readSummary(text).map(([field]) => field)).toEqual(["firstName", "lastName", "email"]);
});

test("an operator's address, password and code are compared as they look, and so is what they search for", async () => {
  await using site = await openQuietSite();
  const { browser, operator, secret } = await openDesk(site);
  site.clock.advance(MINUTE_IN_MS);
  const code = codeAt(secret, site.clock());
  const form = {
    intent: "log-in",
    email: other(operator.email),
    password: other(OPERATOR_PASSWORD),
    code: other(code),
  };
  expect((await site.openBrowser().post("/desk", form)).status).toBe(303);
  const found = await browser.get(`/desk/members?q=${encodeURIComponent(other(ada))}`);
  expect(readWords(found.text)).toContain(ada);
});

test("a search finds the same, whatever invisible characters are in the term", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const readCount = async (term: string) =>
    /of (\d+) in all/.exec((await browser.get(`/?q=${encodeURIComponent(term)}`)).text)?.[1];
  expect(await readCount("men\u00ado\u200bpau\u200dse")).toBe(await readCount("menopause"));
  expect(readWords((await browser.get("/?q=%E2%80%8B%C2%AD")).text)).toContain("choose a topic");
});
