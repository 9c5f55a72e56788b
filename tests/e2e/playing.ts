import { expect, type Page } from "@playwright/test";

/** A person's use of players: on an item's page, in the bar, in Awake now and on stored pages. */

export const playButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Play", exact: true });
export const findBar = (page: Page) => page.getByRole("region", { name: "Now playing" });
export const findTimer = (page: Page) => page.getByRole("group", { name: "Sleep timer" });
export const findDarkness = (page: Page) => page.getByRole("dialog", { name: "The screen is dark" });

/** Whether a recording sounds; `undefined` while one waits for its file, and does not count its time yet. */
export const isHeard = (page: Page) =>
  page.evaluate(() => {
    const playing = [...document.querySelectorAll("audio")].filter(({ paused }) => !paused);
    return playing.some(({ played }) => played.length > 0) || (playing.length > 0 ? undefined : false);
  });

/** Presses Play, and waits until the recording sounds. */
export async function playAndHear(page: Page): Promise<void> {
  await playButton(page).click();
  await expect.poll(() => isHeard(page)).toBe(true);
}

/** From here on only the test moves the page's clock, which would otherwise run on while the machine is busy. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

/** By keyboard: plays a recording of 45 minutes, moves its position, and mutes it. */
export async function playByKeys(page: Page): Promise<void> {
  await playButton(page).press("k");
  await expect.poll(() => isHeard(page)).toBe(true);
  const place = page.getByRole("slider", { name: "Place" });
  await place.focus();
  await page.keyboard.press("5");
  await expect(page.getByText("22 minutes left").or(page.getByText("23 minutes left"))).toBeVisible();
  await page.keyboard.press("Home");
  await expect(page.getByText("45 minutes left")).toBeVisible();
  await page.getByRole("button", { name: "Forward 15 seconds" }).focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("Enter");
  await expect(page.getByText("44 minutes left")).toBeVisible();
  await page.keyboard.press("m");
  await expect(page.locator("audio")).toHaveJSProperty("muted", true);
}

/** Makes the browser refuse storage to the site's pages, as some settings do. */
export async function blockStorage(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("blocked", "SecurityError");
      },
    }),
  );
}
