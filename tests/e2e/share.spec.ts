import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";

const path = "/?view=read&item=1002";

/** Replaces the browser's share sheet by one that records its calls, or removes it. */
async function giveSheet(page: Page, answer: "done" | "closed" | "none"): Promise<void> {
  await page.addInitScript((wanted) => {
    if (wanted === "none") return void Reflect.deleteProperty(Navigator.prototype, "share");
    const share = async (given: ShareData) => {
      document.body.dataset.shared = JSON.stringify(given);
      if (wanted === "closed") throw new DOMException("It was closed.", "AbortError");
    };
    Object.defineProperty(Navigator.prototype, "share", { value: share, configurable: true });
  }, answer);
}

const reach = (page: Page) => page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();

for (const answer of ["done", "closed"] as const) {
  test(`an item is shared by the sheet of the device, which is ${answer}`, async ({ page, site }) => {
    await giveSheet(page, answer);
    await site.logIn({ path });
    await reach(page);
    await page.getByRole("button", { name: "Share" }).click();
    await expect
      .poll(async () => JSON.parse((await page.locator("body").getAttribute("data-shared")) ?? "{}"))
      .toEqual({ title: "A worry list by the bed", url: site.url(path) });
    await expect(page.getByText("Link copied.")).toHaveCount(0);
  });
}

test("without a sheet the address is copied; a stranger who opens it sees the welcome, and the item after logging in", async ({
  page,
  context,
  browser,
  site,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await giveSheet(page, "none");
  await site.logIn({ path });
  await reach(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied.")).toBeVisible();
  const copied = await page.evaluate(async () => navigator.clipboard.readText());
  expect(copied).toBe(site.url(path));

  await using strange = await browser.newContext();
  const stranger = await strange.newPage();
  await stranger.goto(copied);
  await expect(stranger.getByRole("link", { name: "Next" })).toHaveAttribute(
    "href",
    /to=%2F%3Fview%3Dread%26item%3D1002/,
  );
  await stranger.getByRole("main").getByRole("link", { name: "Log in", exact: true }).click();
  await stranger.getByLabel("Email").fill("member@dormouse.example");
  await stranger.getByLabel("Password", { exact: true }).fill("sleep-well-tonight");
  await stranger.getByRole("button", { name: "Log In" }).click();
  await expect(stranger.getByRole("heading", { level: 1, name: "A worry list by the bed" })).toBeVisible();
});

test("where nothing may be copied the address is shown", async ({ page, site }) => {
  await giveSheet(page, "none");
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined, configurable: true });
  });
  await site.logIn({ path });
  await reach(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("status").filter({ hasText: site.url(path) })).toBeVisible();
});
