import type { Locator, Page } from "@playwright/test";

import { area } from "../helpers/pictures.ts";
import { expect, type Site } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

export const findAccount = (page: Page): Locator => page.getByRole("dialog", { name: "My Account" });
export const saveButton = (page: Page): Locator => findAccount(page).getByRole("button", { name: "Save" });
/** A row: a link while it is folded, a group once it was opened. */
export const part = (page: Page, title: string): Locator =>
  findAccount(page).locator(`h3:has(> a:text-is("${title}")), details:has(> summary > h3:text-is("${title}"))`);

/** Adds a member and opens My Account. */
export async function enter(page: Page, site: Site, path = "/?view=watch"): Promise<string> {
  const email = await addMember(site);
  await site.logIn({ email, path });
  await openByAvatar(page);
  return email;
}

export async function openByAvatar(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await expect(findAccount(page).getByLabel("First Name")).toBeVisible();
}

export const pngFile = async (name = "me.png") => ({
  name,
  mimeType: "image/png",
  buffer: await area(60, 40).png().toBuffer(),
});
