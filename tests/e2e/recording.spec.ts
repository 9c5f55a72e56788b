import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";

const SEA = "/?view=watch&item=4002";
const TITLE = "A slow sea";

const findSound = (page: Page) => page.locator("audio");
const isPaused = (page: Page) => findSound(page).evaluate((element: HTMLMediaElement) => element.paused);

test("a recording is in Listen, its line says how long it is, and it invites to listen where it was found", async ({
  page,
  site,
}) => {
  await site.logIn({ path: "/?view=listen" });
  const card = page.getByRole("main").getByRole("article").filter({ hasText: TITLE }).last();
  await expect(card.getByText("Recording · 45 min", { exact: true })).toBeVisible();
  await site.open("/?q=sea&type=listens");
  await page.getByRole("link", { name: `Listen now: ${TITLE}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await page.getByRole("link", { name: "Back to Listen" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Listen" })).toBeVisible();
});

test("a recording plays from the host's own files alone, in the first format that the browser knows @core", async ({
  page,
  site,
}) => {
  await site.logIn({ path: SEA });
  await expect(findSound(page)).toHaveJSProperty("networkState", 1);
  await findSound(page).evaluate((element: HTMLMediaElement) => element.play());
  await expect(findSound(page)).toHaveJSProperty("currentSrc", site.url("/media/a-slow-sea.mp3"));
  await expect
    .poll(() => findSound(page).evaluate((element: HTMLMediaElement) => Math.round(element.duration)))
    .toBe(252);
});

test("the lock screen has title, picture and controls of what plays @core", async ({ page, site }) => {
  await page.addInitScript(() => {
    const handled = new Set<string>();
    Object.assign(window, { handled });
    navigator.mediaSession.setActionHandler = (action, handler) => void (handler && handled.add(action));
  });
  await site.logIn({ path: SEA });
  await page.waitForLoadState("networkidle");
  await findSound(page).evaluate((element: HTMLMediaElement) => element.play());
  const shown = () =>
    page.evaluate(() => {
      const { title, artwork } = navigator.mediaSession.metadata ?? { title: "", artwork: [] };
      return { title, pictures: artwork.length };
    });
  await expect.poll(shown).toEqual({ title: TITLE, pictures: 1 });
  const listHandled = () =>
    page.evaluate(() => [...(window as unknown as { handled: Set<string> }).handled].toSorted());
  await expect.poll(listHandled).toEqual(["pause", "play", "seekbackward", "seekforward", "seekto"]);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  expect(await isPaused(page)).toBe(false);
});

for (const script of ["off", "blocked"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("a recording has the browser's own controls and plays round and round", async ({ page, site }) => {
      await site.logIn({ path: SEA });
      await expect(findSound(page)).toBeVisible();
      const picture = page.getByRole("article").first().locator("img").first();
      // Without its style sheet a page has sizes, though it is not shown.
      await expect(async () => {
        const { x, width } = (await picture.boundingBox()) ?? {};
        expect(await findSound(page).boundingBox()).toMatchObject({ x, width });
      }).toPass();
      expect(await findSound(page).getAttribute("loop")).not.toBeNull();
      expect(await findSound(page).getAttribute("controls")).not.toBeNull();
      expect(await findSound(page).getAttribute("preload")).toBe("none");
      expect(await findSound(page).getAttribute("autoplay")).toBeNull();
      await expect(page.getByRole("group", { name: "Sleep timer" })).toHaveCount(0);
    });
  });
}
