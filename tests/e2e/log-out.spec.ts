import type { Page } from "@playwright/test";

import { expect, fillLogIn, test } from "./fixtures.ts";

const MEMBERS_ONLY = /Waking at three|Ada Lovell/;

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account of Ada Lovell" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL(/\/login$/);
}

/** Back as a browser does it; a page that comes back as it was left tells nobody that it has loaded. */
async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: "commit" });
}

async function expectNothingOfAMember(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "A quiet place for bad nights" })).toBeVisible();
  expect(await page.content()).not.toMatch(MEMBERS_ONLY);
}

test("while one is logged in, Back shows the page as it was left", async ({ page, site }) => {
  await site.logIn({ path: "/?view=read&item=1003" });
  // Chromium lets a page go that something still arrives for.
  await site.letScriptArrive();
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await site.open("/healthz");
  await goBack(page);
  await expect(page.locator("body")).toHaveAttribute("data-same", "page");
});

for (const script of ["on", "off"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script === "on" });

    test("after logging out Back shows nothing of the member, step by step", async ({ page, site }) => {
      // Two pages to go back to.
      await site.logIn();
      await site.open("/?view=read&item=1003");
      await expect(page.getByRole("heading", { level: 1, name: /Waking at three/ })).toBeVisible();
      await logOut(page);
      await goBack(page);
      await expectNothingOfAMember(page);
      await goBack(page);
      await expectNothingOfAMember(page);
    });

    test("nor does it when one had left for elsewhere and logged out in another tab", async ({
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

  test("the menu ends the session as the account's does", async ({ page, site }) => {
    await site.logIn({ path: "/?view=read&item=1003" });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.locator("#side-menu").getByRole("button", { name: "Log Out" }).click();
    await page.waitForURL(/\/login$/);
    await goBack(page);
    await expectNothingOfAMember(page);
  });
});

test("the member who logs in next in the same browser sees nothing of the one before on Back", async ({
  page,
  site,
}) => {
  await site.logIn({ path: "/?view=read&item=1003" });
  await logOut(page);
  await fillLogIn(page, "lapsed@dormouse.example");
  await expect(page.getByRole("heading", { name: "No active subscription." })).toBeVisible();
  await goBack(page);
  await page.waitForLoadState("domcontentloaded");
  expect(await page.content()).not.toMatch(MEMBERS_ONLY);
});
