import { expect, type Page } from "@playwright/test";

/** Presses a button of a form that is not ready for it. */
export async function pressAndBeRefused(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
}
