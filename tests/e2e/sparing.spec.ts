import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";

/** Nothing is fetched before it is needed, on anybody's line: so there is nothing that somebody who saves data would have to go without. */
test.use({ viewport: { width: 390, height: 844 }, extraHTTPHeaders: { "Save-Data": "on" } });

function watchRequests(page: Page): { type: string; path: string }[] {
  const asked: { type: string; path: string }[] = [];
  page.on("request", (request) => {
    asked.push({ type: request.resourceType(), path: new URL(request.url()).pathname });
  });
  return asked;
}

test("a list fetches no item, no film and no picture far below, and no finger on a link makes it", async ({
  page,
  site,
}) => {
  await site.logIn();
  const asked = watchRequests(page);
  await site.open("/?view=watch");
  await page.waitForLoadState("networkidle");
  expect(asked.filter(({ type }) => !["document", "stylesheet", "font", "script", "image"].includes(type))).toEqual([]);
  const pictures = await page
    .getByRole("main")
    .locator("img")
    .evaluateAll((images: HTMLImageElement[]) => images.map(({ src, y }) => ({ path: new URL(src).pathname, y })));
  // Chromium begins with a picture 1250 to 3000 px before it is in sight. Scenes stand on several cards.
  const near = new Set(pictures.filter(({ y }) => y < 844 + 3000).map(({ path }) => path));
  const far = pictures.map(({ path }) => path).filter((path) => !near.has(path));
  expect(far.length).toBeGreaterThan(0);
  expect(asked.map(({ path }) => path).filter((path) => far.includes(path))).toEqual([]);

  const before = asked.length;
  const card = page.getByRole("main").getByRole("article").getByRole("link").first();
  await card.hover();
  await card.focus();
  await card.dispatchEvent("touchstart");
  await page.waitForLoadState("networkidle");
  expect(asked.slice(before)).toEqual([]);
});

test("a film is fetched when it is to be played, and a player of another host as well", async ({ page, site }) => {
  await site.logIn();
  const asked = watchRequests(page);
  await site.open("/?view=watch&item=2004");
  await page.waitForLoadState("networkidle");
  expect(asked.filter(({ type, path }) => type === "media" || path.endsWith(".mp4"))).toEqual([]);
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect.poll(() => asked.some(({ path }) => path.startsWith("/media/") || path.endsWith(".mp4"))).toBe(true);
});
