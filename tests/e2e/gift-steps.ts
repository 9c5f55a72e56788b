import type { Page } from "@playwright/test";

import { expect, type Site } from "./fixtures.ts";
import { expectNoSidewaysScroll } from "./looks.ts";
import { readSheetCode } from "./new-member.ts";
import { makeEmail, payBy, waitForEmail } from "./sign-up-steps.ts";

/** Fills in everything but how and when the gift arrives. */
export async function fillGift(page: Page, giver: string): Promise<void> {
  await page.getByRole("radio", { name: /^A year / }).check();
  await page.getByLabel("Your name").fill("Tom Hart");
  await page.getByLabel("Your email").fill(giver);
  await page.getByLabel("Their name").fill("Wren");
  await page.getByLabel("A line from you").fill("Sleep well, Wren.");
}

/** Fills in a gift as a sheet to print, until its payment; returns the giver's address. */
export async function reachGiftPayment(page: Page, site: Site): Promise<string> {
  const giver = makeEmail();
  await site.open("/give");
  await fillGift(page, giver);
  await page.getByRole("radio", { name: "A sheet to print" }).check();
  await expect(page.getByLabel("Their email")).toBeHidden();
  await page.getByRole("button", { name: "Review and pay" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await site.letScriptArrive();
  return giver;
}

/** Buys a gift as a sheet to print; returns its code. */
export async function giveSheet(page: Page, site: Site): Promise<string> {
  const giver = await reachGiftPayment(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Print your gift" })).toBeVisible();
  await expectNoSidewaysScroll(page, "the thanks");
  expect((await waitForEmail(site, giver, "Your receipt"))?.text).toContain(site.url("/given?gift="));
  return readSheetCode(page, site);
}
