import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { findAccount, openByAvatar, saveButton } from "./my-account.ts";
import { openDesk } from "./operators.ts";
import { findBar, playButton } from "./playing.ts";
import { payBy, walkToPayment } from "./sign-up-steps.ts";

/**
 * Browsers' translators put each text into `<font>` elements, later texts too. React still refers to the texts that it
 * made, which are no longer in the page: removing one throws, and changing one is never seen.
 */
function translate(): void {
  const unseen = new MutationObserver((changes) => {
    for (const { oldValue, target } of changes)
      console.error(`A translated page goes on showing "${oldValue}" in place of "${target.nodeValue}".`);
  });
  const wrap = (text: Text) => {
    if (text.data.trim() === "" || text.parentElement?.closest("font, script, style, option, svg")) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    outer.append(inner);
    inner.append(text.data);
    text.replaceWith(outer);
    unseen.observe(text, { characterData: true, characterDataOldValue: true });
  };
  const wrapAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = root instanceof Text ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(wrap);
  };
  wrapAll(document.body);
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node.isConnected) wrapAll(node);
  }).observe(document.body, { childList: true, subtree: true });
}

/** Translates this page and later ones, each once it is hydrated. */
async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(`addEventListener("DOMContentLoaded", () => {
    const begin = () => { if ("enhanced" in document.documentElement.dataset) { waiting.disconnect(); (${translate.toString()})(); } };
    const waiting = new MutationObserver(begin);
    waiting.observe(document.documentElement, { attributes: true });
    begin();
  })`);
}

async function search(page: Page, term: string): Promise<void> {
  const box = page.getByRole("banner").getByLabel("Search", { exact: true }).first();
  await box.fill(term);
  await box.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: `Search results for ${term}` })).toBeVisible();
}

test("a translated page searches twice, turns pages and takes favourites @core", async ({ page, site }) => {
  await translatePages(page);
  await site.logIn({ email: await addMember(site) });
  for (const term of ["snoring", "apnoea", "snoring and sleep", "slep"]) await search(page, term);
  const reads = page.getByRole("navigation", { name: "Kinds of result" }).getByRole("link", { name: /^Read/ });
  await reads.click();
  await expect(reads).toHaveAttribute("aria-current", "page");
  const favourite = page
    .getByRole("main")
    .getByRole("button", { name: /^Favourite: / })
    .first();
  await favourite.click();
  await expect(favourite).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "Favourites" }).first().click();
  const row = page.getByRole("region", { name: "Read" });
  await row.getByRole("button", { name: /^Favourite: / }).click();
  await row.getByRole("button", { name: /^Undo/ }).click();
  await expect(row.getByRole("link", { name: /^View all \(1\)/ })).toBeVisible();
});

test("in a translated page recordings and films play", async ({ page, site }) => {
  await translatePages(page);
  await site.logIn({ email: await addMember(site), path: "/?view=watch&item=4002" });
  await playButton(page).click();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Timer: / })
    .click();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Videos" }).click();
  await findBar(page).getByRole("button", { name: "Pause" }).click();
  await page.locator("#watch-2001").getByRole("link").click();
  await page.getByRole("link", { name: "Play: Breathe with the moon" }).click();
  const film = page.getByRole("dialog");
  await film.getByRole("slider", { name: "Place" }).fill("30");
  await expect(film.getByText("less than a minute left")).toBeVisible();
  await film.getByRole("link", { name: /^Close/ }).click();
  await expect(film).toBeHidden();
});

test("in a translated page My Account saves, refuses and ends", async ({ page, site }) => {
  await translatePages(page);
  await site.logIn({ email: await addMember(site) });
  await openByAvatar(page);
  const account = findAccount(page);
  for (const name of ["", "Ines Maria"]) {
    await account.getByLabel("First Name").fill(name);
    await saveButton(page).click();
    await expect(
      account.getByText(name ? "Your details are saved." : "You need to enter a first name.").first(),
    ).toBeVisible();
  }
  await account.getByRole("link", { name: "Change password" }).click();
  await account.getByLabel("Current password").fill("not mine");
  await account.getByRole("button", { name: "Show password" }).first().click();
  await account.getByRole("button", { name: "Change password" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL(/\/login$/);
});

test("in a translated page a sign-up is refused, put right and paid", async ({ page, site }) => {
  await translatePages(page);
  await site.open("/signup?step=1");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  await walkToPayment(page, site);
  await payBy(page, site, "declined");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
});

test.describe("late script", () => {
  // React reports that it renders such a page again.
  test.use({ script: "late", isRenderedAgain: true });

  test("a page that was translated before its script came goes on as well", async ({ page, site }) => {
    await site.logIn({ email: await addMember(site), path: "/?q=sleep" });
    await page.evaluate(translate);
    await site.letScriptArrive();
    await search(page, "snoring");
    await search(page, "apnoea");
  });
});

test("in a translated desk an operator finds a member and acts", async ({ page, site }) => {
  await translatePages(page);
  await openDesk(page, site, "/desk/members");
  const box = page.getByRole("searchbox");
  for (const term of ["Lovell", "nothing at all"]) {
    await box.fill(term);
    await page.keyboard.press("Enter");
    await expect(box).toHaveAttribute("value", term);
  }
  // A receipt's number leads to its member.
  await box.fill("D-2026-000001");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/members\/\d+$/);
  for (const name of ["Today", "Codes", "Health", "Members"]) {
    await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
});
