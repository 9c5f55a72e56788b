import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { ada, logIn } from "../helpers/account-page.ts";
import { createNewcomer, nora } from "../helpers/newcomer.ts";
import { openSite, type Browser, openQuietSite } from "../helpers/site.ts";

/** A screen reader's speech, as far as the HTML decides. */

async function open(browser: Browser, path: string): Promise<Document> {
  return parseHTML((await browser.get(path)).text).document;
}

test("an empty required field is not marked invalid before it is sent", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  for (const path of ["/login", "/login?reset=1", "/signup?step=1"]) {
    const fields = [...(await open(browser, path)).querySelectorAll("input[required]")];
    expect(fields.length, path).toBeGreaterThan(0);
    for (const field of fields) {
      expect(field.getAttribute("aria-invalid"), `${path}: ${field.id}`).toBe("false");
      // With an ARIA attribute a browser would announce the form all the same.
      const { attributes } = field.closest("form") ?? field;
      const spoken = [...attributes].filter(({ name }) => name === "role" || name.startsWith("aria-"));
      expect(
        spoken.map(({ name, value }) => `${name}=${value}`),
        path,
      ).toEqual(["role=none"]);
    }
  }
  const refused = parseHTML(
    (await browser.post("/login?reset=1", { intent: "reset-request", email: "" })).text,
  ).document;
  expect(refused.querySelector("[name=email]")?.getAttribute("aria-invalid")).toBe("true");
});

test("a group of fields and a field for a file have one name, which is read once", async () => {
  await using site = await openQuietSite();
  const newcomer = createNewcomer(site);
  const step = await open(newcomer.browser, "/signup?step=1");
  const member = await logIn(site, ada);
  const account = await open(member, "/?account=open");
  const groups = [...step.querySelectorAll("fieldset")];
  expect(groups.map((group) => group.getAttribute("aria-label"))).toEqual(["Account type"]);
  const titles = [
    ...groups.map((group) => group.querySelector("legend")),
    account.querySelector('label[for$="picture"]'),
  ];
  expect(titles.map((title) => title?.textContent)).toEqual(["Account type", "Profile Picture"]);
  for (const title of titles) expect(title?.getAttribute("aria-hidden")).toBe("true");
  expect(account.querySelector("[name=picture]")?.getAttribute("aria-label")).toBe("Profile Picture");
});

test("the New panel is named by its heading alone, and comes after the heading of the page", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const kind of ["watch", "read", "learn"]) {
    const page = await open(browser, `/?view=${kind}`);
    expect([...page.querySelectorAll("h1, h2, h3")][0]?.tagName).toBe("H1");
    const panel = page.querySelector("aside");
    expect(panel?.querySelector("h2")?.textContent).toBe("New");
    expect(panel?.hasAttribute("aria-labelledby")).toBe(false);
  }
});

test("an empty status region has no role", async () => {
  await using site = await openSite();
  const browser = await logIn(site, ada);
  for (const path of ["/", "/?view=watch", "/?q=snoring", "/?account=open", "/?view=read&item=1001"]) {
    const page = await open(browser, path);
    const empty = [...page.querySelectorAll('[role="status"], [role="alert"]')].filter(
      (place) => !place.textContent.trim(),
    );
    expect(
      empty.map((place) => place.outerHTML),
      path,
    ).toEqual([]);
    expect([...page.querySelectorAll('[aria-live="polite"]')].length, path).toBeGreaterThan(0);
  }
});

test("a form's errors are announced by the focus alone: a named group with its text", async () => {
  await using site = await openQuietSite();
  const browser = site.openBrowser();
  const refused = await browser.post("/login?reset=1", { intent: "reset-request", email: "" });
  const { document } = parseHTML(refused.text);
  expect(document.querySelector('[role="alert"], [aria-live="assertive"]')).toBeNull();
  const summary = document.querySelector('main [role="group"][tabindex="-1"]');
  const wordsBehind = (attribute: string) =>
    document.getElementById(summary?.getAttribute(attribute) ?? "")?.textContent.trim();
  expect(wordsBehind("aria-labelledby")).toBe("Error");
  expect(wordsBehind("aria-describedby")).toBe("Please enter a valid email address.");
});

test("several errors are list items, each announced as its own sentence", async () => {
  await using site = await openQuietSite();
  const fields = { ...nora, email: "nobody", password: "short", firstName: "" };
  const { document } = parseHTML((await site.openBrowser().post("/signup?step=1", fields)).text);
  const summary = document.querySelector('main [role="group"][tabindex="-1"]');
  const items = [...(summary?.querySelectorAll("li") ?? [])].map((item) => item.textContent);
  expect(items).toEqual([
    "You need to enter a first name.",
    "You must use a valid email address.",
    "Password must be 8 characters or more.",
    "Password and password confirmation do not match.",
  ]);
  // The page shows the sentence without the stop.
  expect(summary?.querySelector('a[href$="email"]')?.textContent).toBe("You must use a valid email address");
});
