import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { reachPayment } from "./sign-up-steps.ts";

type Visit = PerformanceEntry & { notRestoredReasons?: { reasons?: { reason: string }[] } | null };

/**
 * Leaves for a page of another site and comes back; returns `["kept"]`, or Chromium's reasons for loading the page
 * again.
 */
async function leaveAndComeBack(page: Page, elsewhere: string): Promise<string[]> {
  await page.evaluate(() => (document.body.dataset.kept = ""));
  await page.goto(elsewhere);
  await page.goBack({ waitUntil: "commit" });
  await page.locator("h1").first().waitFor();
  return page.evaluate(() => {
    if ("kept" in document.body.dataset) return ["kept"];
    const [visit] = performance.getEntriesByType("navigation") as Visit[];
    return (visit?.notRestoredReasons?.reasons ?? []).map(({ reason }) => reason);
  });
}

test("Back finds the pages of a visitor and of a member as they were left", async ({ page, site }) => {
  const elsewhere = site.url("/healthz");
  for (const path of ["/login", "/signup?step=1"]) {
    await site.open(path);
    await site.letScriptArrive();
    expect(await leaveAndComeBack(page, elsewhere), path).toEqual(["kept"]);
  }
  await site.logIn();
  for (const path of ["/", "/?view=read", "/?account=open"]) {
    await site.open(path);
    await site.letScriptArrive();
    expect(await leaveAndComeBack(page, elsewhere), path).toEqual(["kept"]);
  }
});

test("the back-forward cache never keeps the payment step, nor log-in after a fetch", async ({ page, site }) => {
  const elsewhere = site.url("/healthz");
  await reachPayment(page, site);
  await expect(page.getByLabel("Card number")).toBeVisible();
  expect(await leaveAndComeBack(page, elsewhere)).not.toEqual(["kept"]);
  await site.open("/login");
  await site.letScriptArrive();
  await page.getByRole("link", { name: "Reset password" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Forgot your password..?" })).toBeVisible();
  expect(await leaveAndComeBack(page, elsewhere)).toContain("response-cache-control-no-store-with-js-network-request");
});
