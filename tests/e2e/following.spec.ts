import type { Page } from "@playwright/test";

import { expect, test, type Site } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { findBar, findDarkness, findTimer, isHeard, playAndHear, playButton, stopClock } from "./playing.ts";

/** A favourite follows a recording while the timer has time left. */

const SEA = { key: "watch-4002", path: "/?view=watch&item=4002", title: "A slow sea" };
const FAN = { key: "watch-4004", title: "A fan in the corner of the room" };

const THEN = "Play my other favourites until the timer ends";

type Setting = { favourites: string[]; minutes?: string; isFollowed?: boolean };

/** Plays the sea with a stopped clock to 30 seconds before its end, and reads what will follow. */
async function playToNearEnd(page: Page, site: Site, { favourites, minutes, isFollowed = true }: Setting) {
  await page.clock.install();
  await site.logIn({ email: await addMember(site), path: SEA.path });
  const headers = { Origin: new URL(site.url("/")).origin };
  for (const save of favourites)
    await page.request.post(site.url("/favourites"), { form: { save, from: "/" }, headers });
  await stopClock(page);
  await playAndHear(page);
  await page.getByText("Other times").click();
  if (isFollowed) await page.getByLabel(THEN).check();
  if (minutes) await page.getByRole("button", { name: minutes }).click();
  const looked = isFollowed && minutes ? page.waitForResponse(/[?]after=/) : undefined;
  await page.clock.fastForward("44:30");
  await looked;
}

test("the next favourite follows at the end, louder by and by, and the timer ends that", async ({ page, site }) => {
  await playToNearEnd(page, site, { favourites: [FAN.key, SEA.key], minutes: "60 minutes" });
  await page.clock.fastForward("00:31");
  await expect(page.locator("audio")).toHaveAttribute("aria-label", FAN.title);
  await expect(findBar(page)).toContainText(FAN.title);
  await expect.poll(() => isHeard(page)).toBe(true);
  const volume = () => page.locator("audio").evaluate((element: HTMLAudioElement) => element.volume);
  expect(await volume()).toBeLessThan(0.5);
  await page.clock.runFor(6000);
  await expect.poll(volume).toBe(1);
  // The page of the sea is still there, and can play it again.
  await expect(playButton(page)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(SEA.title);

  await page.clock.fastForward("15:00");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isHeard(page)).toBe(false);
});

test("the sea is played to its end, whatever follows", async ({ page, site }) => {
  const told: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/positions")) told.push(request.postData() ?? "");
  });
  await playToNearEnd(page, site, { favourites: [FAN.key], minutes: "60 minutes" });
  await page.clock.fastForward("00:31");
  await expect(findBar(page)).toContainText(FAN.title);
  await expect.poll(() => told.some((body) => body.includes(`${SEA.key}&seconds=2700`))).toBe(true);
});

for (const { name, setting } of [
  { name: "without a timer", setting: { favourites: [FAN.key] } },
  { name: "where it was not chosen", setting: { favourites: [FAN.key], minutes: "60 minutes", isFollowed: false } },
  { name: "without another favourite", setting: { favourites: [SEA.key], minutes: "60 minutes" } },
]) {
  test(`nothing follows ${name}`, async ({ page, site }) => {
    await playToNearEnd(page, site, setting);
    await page.clock.fastForward("00:31");
    await expect.poll(() => isHeard(page)).toBe(false);
    await page.clock.runFor(3000);
    expect(await isHeard(page)).toBe(false);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(SEA.title);
    await expect(findBar(page)).toHaveCount(0);
  });
}

test("the choice stays on this device", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA.path });
  await page.getByText("Other times").click();
  await expect(page.getByLabel(THEN)).not.toBeChecked();
  await page.getByLabel(THEN).check();
  await page.reload();
  await page.getByText("Other times").click();
  await expect(page.getByLabel(THEN)).toBeChecked();
});

test("the menu of times closes by a tap beside it, by Escape and as the focus leaves it", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA.path });
  const times = findTimer(page).locator("summary");
  const offer = page.getByRole("button", { name: "45 minutes" });
  await times.click();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(offer).toBeHidden();
  await times.click();
  await offer.focus();
  await page.keyboard.press("Escape");
  await expect(offer).toBeHidden();
  await expect(times).toBeFocused();
  await times.press("Enter");
  await expect(offer).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await expect(offer).toBeHidden();

  await playButton(page).click();
  // The menu must cover no link of this page: what remains of the link would be smaller than a finger needs.
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Favourites" }).click();
  await findBar(page).locator("summary").click();
  await expect(offer).toBeVisible();
  await expectGoodLooks(page, "the times of the bar");
  await page.getByRole("heading", { level: 1 }).click();
  await expect(offer).toBeHidden();
});
