import type { Page } from "@playwright/test";

import { expect, fillLogIn, test } from "./fixtures.ts";
import { pngFile } from "./my-account.ts";

const MEMBERS_ONLY = /Waking at 3 am|Ada Lovell/;

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account of Ada Lovell" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL(/\/login$/);
}

/** As a browser goes back: a page from the back/forward cache fires no load event. */
async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: "commit" });
}

async function expectNothingOfAMember(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "A quiet place for bad nights" })).toBeVisible();
  expect(await page.content()).not.toMatch(MEMBERS_ONLY);
}

for (const script of ["on", "off"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script === "on" });

    test("after logging out Back shows nothing of the member, step by step", async ({ page, site }) => {
      // For two entries in the history.
      await site.logIn();
      await site.open("/?view=read&item=1003");
      await expect(page.getByRole("heading", { level: 1, name: /Waking at 3 am/ })).toBeVisible();
      await logOut(page);
      await goBack(page);
      await expectNothingOfAMember(page);
      await goBack(page);
      await expectNothingOfAMember(page);
    });

    test("after a visit elsewhere and a log-out in another tab Back shows nothing either", async ({
      page,
      context,
      site,
    }) => {
      await site.logIn({ path: "/?view=read&item=1003" });
      await site.open("/healthz");
      const other = await context.newPage();
      await other.goto(site.url("/"));
      await logOut(other);
      await goBack(page);
      await expectNothingOfAMember(page);
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("Log Out in the menu ends the session too", async ({ page, site }) => {
    await site.logIn({ path: "/?view=read&item=1003" });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.locator("#side-menu").getByRole("button", { name: "Log Out" }).click();
    await page.waitForURL(/\/login$/);
    await goBack(page);
    await expectNothingOfAMember(page);
  });
});

test("Back shows the next member in the same browser nothing of the last one", async ({ page, site }) => {
  await site.logIn({ path: "/?view=read&item=1003" });
  await logOut(page);
  await fillLogIn(page, "lapsed@dormouse.example");
  await expect(page.getByRole("heading", { name: "No active subscription." })).toBeVisible();
  await goBack(page);
  await page.waitForLoadState("domcontentloaded");
  expect(await page.content()).not.toMatch(MEMBERS_ONLY);
});

test("the browser forgets the member's picture and storage, and keeps the scheme @core", async ({ page, site }) => {
  await site.open("/login");
  await page.getByRole("button", { name: /Switch to the/ }).click();
  const scheme = page.locator("html");
  await expect(scheme).toHaveAttribute("data-scheme", /night|dawn/);
  const chosen = (await scheme.getAttribute("data-scheme")) ?? "";
  await fillLogIn(page, "team@dormouse.example");
  await expect(page).toHaveURL(site.url("/"));

  await site.open("/?account=open");
  await page.getByLabel("Profile Picture").setInputFiles(await pngFile());
  await page.getByRole("button", { name: /^Save/ }).first().click();
  const picture = page.locator("#account-button img");
  await expect(picture).toHaveJSProperty("naturalWidth", 60);
  const address = (await picture.getAttribute("src")) ?? "";
  expect(await isKept(page, address)).toBe(true);
  const stored = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
  expect(stored).toMatch(/^\[\[\],"[^"@]*"\]$/);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toMatch(/ada|member|@/i);
  await page.evaluate(() => localStorage.setItem("something", "of a member"));

  await site.open("/");
  await page.locator("#account-button").click();
  await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL(/\/login$/);
  expect(await isKept(page, address)).toBe(false);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await expect(scheme).toHaveAttribute("data-scheme", chosen);
  await page.reload();
  await expect(scheme).toHaveAttribute("data-scheme", chosen);
});

/** Whether the browser has a file without a request. */
function isKept(page: Page, address: string): Promise<boolean> {
  return page.evaluate(async (path) => {
    const answer = await fetch(path, { cache: "only-if-cached", mode: "same-origin" }).catch(() => undefined);
    return answer?.status === 200;
  }, address);
}
