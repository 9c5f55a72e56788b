import type { Page } from "@playwright/test";

import { expect, test, type Site } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { isHeard, playAndHear, playButton, playByKeys, stopClock } from "./playing.ts";

/** The player of Awake now and of stored pages, which is part of the page. */

const SEA = "/awake?piece=watch-4002";

const readVolume = (page: Page) => page.locator("audio").evaluate((element: HTMLAudioElement) => element.volume);

/** Opens a page with a stopped clock. */
async function openStill(page: Page, site: Site, path = SEA): Promise<void> {
  await page.clock.install();
  await site.logIn({ email: await addMember(site), path });
  await expect(playButton(page)).toBeVisible();
  await stopClock(page);
}

for (const [name, path] of [
  ["Awake now", SEA],
  ["a kept page", "/kept/watch-4002"],
] as const) {
  test(`${name} plays by buttons and by the keys of a player, and passes every check of looks and access`, async ({
    page,
    site,
  }) => {
    await site.logIn({ email: await addMember(site), path });
    await expectGoodLooks(page, `${name}, its player`);
    await playByKeys(page);
    await page.getByRole("button", { name: "Pause" }).press(" ");
    await expect.poll(() => isHeard(page)).toBe(false);
    await page.getByText("Other times").click();
    await expectGoodLooks(page, `${name}, its times`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "45 minutes" })).toBeHidden();
  });
}

test("it fades and ends when its promised minutes are over, and the next press starts it again @core", async ({
  page,
  site,
}) => {
  await openStill(page, site);
  await playAndHear(page);
  await page.clock.fastForward("44:45");
  await expect.poll(() => readVolume(page)).toBeLessThan(0.5);
  await page.clock.fastForward("00:16");
  await expect.poll(() => isHeard(page)).toBe(false);
  await playButton(page).click();
  await expect(page.getByText("45 minutes left")).toBeVisible();
  await expect.poll(() => readVolume(page)).toBe(1);
});

test("its timer ends the sound, a tap in its last half minute gives the time again, and the last choice comes first", async ({
  page,
  site,
}) => {
  await openStill(page, site);
  await playAndHear(page);
  await page.getByText("Other times").click();
  await page.getByRole("button", { name: "10 minutes" }).click();
  await expect(page.getByRole("status")).toHaveText("Fades out in 10 minutes.");
  await page.clock.fastForward("09:45");
  await page.clock.runFor(1000);
  await expect.poll(() => readVolume(page)).toBeLessThan(0.5);
  await page.mouse.click(5, 5);
  await page.clock.runFor(5000);
  await expect.poll(() => readVolume(page)).toBe(1);
  const pauseButton = page.getByRole("button", { name: "Pause" });
  await pauseButton.click();
  await expect(playButton(page)).toBeVisible();
  await page.clock.fastForward("30:00");
  await playAndHear(page);
  await expect(pauseButton).toBeVisible();
  await page.clock.fastForward("09:00");
  expect(await isHeard(page)).toBe(true);
  await page.clock.fastForward("01:01");
  await expect.poll(() => isHeard(page)).toBe(false);
  await page.reload();
  await expect(page.getByRole("button", { name: "Timer: 10 minutes" })).toBeVisible();
  await page.getByText("Other times").click();
  await expect(page.getByRole("button", { name: "30 minutes" })).toBeVisible();
});

test("at night its timer starts where this device wants that; another choice plays on, and no timer is one of them", async ({
  page,
  site,
}) => {
  await page.clock.install({ time: new Date(2026, 10, 27, 23, 30) });
  await site.logIn({ email: await addMember(site), path: SEA });
  await page.evaluate(() => localStorage.setItem("sleep-timer-at-night", "on"));
  await page.reload();
  await playAndHear(page);
  await expect(page.getByRole("button", { name: "Timer: 30 minutes" })).toHaveAttribute("aria-pressed", "true");
  await page.clock.fastForward("30:01");
  await expect.poll(() => isHeard(page)).toBe(false);
  await page.getByText("Other times").click();
  await page.getByRole("button", { name: "10 minutes" }).click();
  await expect.poll(() => isHeard(page)).toBe(true);
  await expect(page.getByRole("button", { name: "Timer: 10 minutes" })).toHaveAttribute("aria-pressed", "true");
  await page.getByText("Other times").click();
  await page.getByRole("button", { name: "No timer" }).click();
  await expect(page.getByRole("status")).toHaveText("The timer is off.");
  await page.clock.fastForward("10:01");
  expect(await isHeard(page)).toBe(true);
});

test("one thing plays at a time, over all tabs", async ({ page, context, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA });
  await playAndHear(page);
  const other = await context.newPage();
  await other.goto(site.url("/kept/watch-4004"));
  await playAndHear(other);
  await expect.poll(() => isHeard(page)).toBe(false);
});

test("a line that is lost is said, and Play tries again", async ({ page, site }) => {
  await page.route("**/media/a-slow-sea.*", (route) => route.abort());
  await site.logIn({ email: await addMember(site), path: SEA });
  await playButton(page).click();
  await expect(page.getByText("We couldn't reach it. Press Play to try again.")).toBeVisible();
  await page.unroute("**/media/a-slow-sea.*");
  await playAndHear(page);
  await expect(page.getByText("45 minutes left")).toBeVisible();
});

test("after a line that was lost it goes on where it was, also at the second try", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA });
  // Its length is known by then: where that comes after the error below, the line is there again.
  await playAndHear(page);
  const sound = page.locator("audio");
  await page.route("**/media/a-slow-sea.*", (route) => route.abort());
  await sound.evaluate((element: HTMLAudioElement) => {
    element.currentTime = 40;
    Object.defineProperty(element, "networkState", { value: HTMLMediaElement.NETWORK_NO_SOURCE, configurable: true });
    element.dispatchEvent(new Event("error"));
    Reflect.deleteProperty(element, "networkState");
  });
  await playButton(page).click();
  // Not the next failing request, which may be the one for second 40.
  await expect
    .poll(() => sound.evaluate((element: HTMLAudioElement) => element.networkState))
    .toBe(await page.evaluate(() => HTMLMediaElement.NETWORK_NO_SOURCE));
  await expect(page.getByText("We couldn't reach it. Press Play to try again.")).toBeVisible();
  await page.unroute("**/media/a-slow-sea.*");
  await playButton(page).click();
  await expect.poll(() => sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(39);
});

test("while its place has the focus, words change when it is moved and not as it plays on", async ({ page, site }) => {
  await openStill(page, site);
  await playAndHear(page);
  const place = page.getByRole("slider", { name: "Place" });
  await place.focus();
  await page.clock.fastForward("05:00");
  await expect(page.getByText("40 minutes left")).toBeVisible();
  await expect(place).toHaveAttribute("aria-valuetext", "0 seconds of 45 minutes");
  await page.keyboard.press("j");
  await expect(place).toHaveAttribute("aria-valuetext", "4 minutes 45 seconds of 45 minutes");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false, script: "off" });

  test("the browser's own player is there", async ({ page, site }) => {
    await site.logIn({ email: await addMember(site), path: SEA });
    await expect(page.locator("audio")).toBeVisible();
    await expect(playButton(page)).toBeHidden();
  });
});
