import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { ada, findMember, logIn } from "../helpers/account-page.ts";
import { openDesk } from "../helpers/desk.ts";
import { codeIn, emailsTo } from "../helpers/mailbox.ts";
import { createNewcomer } from "../helpers/newcomer.ts";
import { openQuietSite, openSite } from "../helpers/site.ts";
import { walkSite } from "../safety/crawl.ts";

/** Typed text, without numbers, days and buttons. */
const typed = new Set(["text", "email", "password", "tel", "search"]);

/** The typed fields of a page by name, each with its autocomplete token; the account's email has no name. */
function readTokens(html: string): Record<string, string | undefined> {
  // React writes `autoComplete`, which is the same to a browser.
  const inputs = [...parseHTML(html.replaceAll("autoComplete=", "autocomplete=")).document.querySelectorAll("input")];
  const found = inputs.filter((input) => typed.has(input.getAttribute("type") ?? "text"));
  return Object.fromEntries(
    found.map((each) => [each.getAttribute("name") ?? "", each.getAttribute("autocomplete") ?? ""]),
  );
}

const newPassword = { password: "new-password", passwordConfirmation: "new-password" };

test("a browser fills in names, addresses, the postal code, cards and codes in every form of a visitor", async () => {
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  const at = async (path: string) => readTokens((await visitor.browser.get(path)).text);
  const names = { firstName: "given-name", lastName: "family-name", email: "email" };
  expect(await at("/signup?step=1")).toEqual({ code: "off", ...names, ...newPassword });
  await visitor.enterDetails();
  expect(await at("/signup?step=2")).toEqual({ oneTimeCode: "one-time-code" });
  await visitor.choosePlan();
  expect(await at("/signup?step=3")).toEqual({ oneTimeCode: "one-time-code", postcode: "postal-code" });
  await visitor.typeCode();
  const cardPage = (await visitor.pay()).location ?? "";
  expect(await at(cardPage)).toEqual({ number: "cc-number", expiry: "cc-exp", cvc: "cc-csc" });

  expect(await at("/login")).toEqual({ email: "username", password: "current-password" });
  expect(await at("/login?reset=1")).toEqual({ email: "username" });
  await visitor.browser.post("/login?reset=1", { intent: "reset-request", email: ada });
  expect(await at("/login?reset=2")).toEqual({ code: "one-time-code" });
  await site.services.outbox.deliver();
  const code = codeIn(emailsTo(ada, site.emails).at(-1));
  await visitor.browser.post("/login?reset=2", { intent: "reset-code", code });
  expect(await at("/login?reset=3")).toEqual({ "": "username", ...newPassword });
  expect(await at("/company")).toEqual({ email: "username" });
  const asked = await visitor.browser.post("/company", { intent: "company-log-in", email: "pat@example.org" });
  expect(await at(asked.location ?? "")).toEqual({ code: "one-time-code" });
});

test("no screen of a member has a typed field that leaves a browser to guess", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const { pages } = await walkSite(browser, ["/?account=open"]);
  const all = [...pages.values()].map(({ text }) => readTokens(text));
  expect(all.flatMap((tokens) => Object.values(tokens))).not.toContain("");
  const account = readTokens((await browser.get("/?account=open")).text);
  expect(account).toMatchObject({ firstName: "given-name", lastName: "family-name", email: "email" });
});

test("each form that asks for an account's password says whose it is", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  const desk = await openDesk(site, "owner");
  const { id } = await findMember(site, ada);
  const pages: [path: string, email: string, html: string][] = [];
  for (const path of ["/?account=password", "/?account=close"]) pages.push([path, ada, (await browser.get(path)).text]);
  for (const path of [`/desk/members/${id}`, "/desk/access"])
    pages.push([path, "owner@desk.example", (await desk.get(path)).text]);
  for (const [path, email, html] of pages) {
    const { document } = parseHTML(html.replaceAll("autoComplete=", "autocomplete="));
    const forms = [...document.querySelectorAll("form")].filter((form) => form.querySelector('[type="password"]'));
    expect(forms.length, path).toBeGreaterThan(0);
    for (const form of forms)
      expect(form.querySelector('[autocomplete="username"]')?.getAttribute("value"), path).toBe(email);
  }
});

test("an operator's browser fills in none of another person's details", async () => {
  await using site = await openQuietSite();
  const desk = await openDesk(site, "owner");
  const { id } = await findMember(site, ada);
  for (const path of [`/desk/members/${id}`, "/desk/companies", "/desk/codes"]) {
    const tokens = Object.values(readTokens((await desk.get(path)).text));
    expect(tokens.length, path).toBeGreaterThan(0);
    expect(
      tokens.filter((token) => !["off", "username", "current-password"].includes(token ?? "")),
      path,
    ).toEqual([]);
  }
});
