import { expect, type Page } from "@playwright/test";

import type { Site } from "../fixtures.ts";

/**
 * A walk through states that a person can meet. It yields the name of each, and continues once the caller has checked
 * it. Only tours know how a state is reached.
 */
export type Tour = (visit: Visit) => AsyncGenerator<string>;

export type Visit = { page: Page; site: Site };

export async function pressAndBeRefused(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
}
