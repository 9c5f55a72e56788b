import type { Page } from "@playwright/test";

import { area } from "../helpers/pictures.ts";
import { expect, fillLogIn, test } from "./fixtures.ts";

/** What a browser keeps of a member besides pages, which `log-out.spec.ts` is about. */

test("the browser forgets the member's picture and storage, and keeps the scheme", async ({ page, site }) => {
  await site.open("/login");
  await page.getByRole("button", { name: /Switch to the/ }).click();
  const scheme = page.locator("html");
  await expect(scheme).toHaveAttribute("data-scheme", /night|dawn/);
  const chosen = (await scheme.getAttribute("data-scheme")) ?? "";
  await fillLogIn(page, "team@dormouse.example");
  await expect(page).toHaveURL(site.url("/"));

  await site.open("/?account=open");
  const buffer = await area(60, 40).png().toBuffer();
  await page.getByLabel("Profile Picture").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByRole("button", { name: /^Save/ }).first().click();
  const picture = page.locator("#account-button img");
  await expect(picture).toHaveJSProperty("naturalWidth", 60);
  const address = (await picture.getAttribute("src")) ?? "";
  expect(await isKept(page, address)).toBe(true);
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

/** Whether the browser has a file without asking for it. */
function isKept(page: Page, address: string): Promise<boolean> {
  return page.evaluate(async (path) => {
    const answer = await fetch(path, { cache: "only-if-cached", mode: "same-origin" }).catch(() => undefined);
    return answer?.status === 200;
  }, address);
}
