import type { Page } from "@playwright/test";

import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import { findAccount, openByAvatar, pngFile } from "./my-account.ts";
import { addMember } from "./new-member.ts";

/** By the avatar on a desktop, by the side menu on a phone. */
async function openAccount(page: Page, isMobile: boolean): Promise<void> {
  if (!isMobile) return openByAvatar(page);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.locator("#side-menu").getByRole("link", { name: "My Account" }).click();
  await expect(findAccount(page)).toBeVisible();
}

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("a member saves another name and a picture, looks at them, and logs out", async ({ page, site, isMobile }) => {
      const email = await addMember(site);
      await site.logIn({ email, path: "/?view=read" });
      await openAccount(page, isMobile);
      const account = findAccount(page);
      await expect(account.getByLabel("Email Address")).toHaveValue(email);
      await account.getByLabel("First Name").fill("");
      await account.getByRole("button", { name: "Save" }).click();
      await expect(account.getByRole("group", { name: "Error" })).toContainText("You need to enter a first name.");

      await account.getByLabel("First Name").fill("INÊS");
      await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
      await account.getByRole("button", { name: "Save" }).click();
      await expect(account.getByRole("status").filter({ hasText: "Your details are saved." })).toBeVisible();
      await expect(page.locator("#account-button img")).toHaveJSProperty("naturalWidth", 60);

      await account.getByRole("link", { name: "Close" }).click();
      await expect(account).toHaveCount(0);
      await expect(page).toHaveURL(site.url("/?view=read"));
      await page.getByRole("button", { name: "Account of Inês Marlow" }).click();
      await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
      await expect(page).toHaveURL(site.url("/login"));
      await page.goBack({ waitUntil: "domcontentloaded" });
      await expect(page.getByRole("heading", { level: 1, name: "A quiet place for bad nights" })).toBeVisible();
      await expect(page.getByRole("button", { name: /^Account of/ })).toHaveCount(0);
    });
  });
}
