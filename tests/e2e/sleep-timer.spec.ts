import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";

import { startFilm } from "./film.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { blockStorage, findDarkness, findTimer, stopClock } from "./playing.ts";

const SEA = "/?view=watch&item=4002";
const RAIN = { item: "/?view=watch&item=4001", title: "Rain on a window pane" };

const findSound = (page: Page) => page.locator("audio");
const isPaused = (page: Page) =>
  page.locator("audio, video").evaluate((element) => element instanceof HTMLMediaElement && element.paused);
const readVolume = (page: Page) =>
  page.locator("audio, video").evaluate((element) => (element instanceof HTMLMediaElement ? element.volume : 1));

/** Its own member, because a loop continues where it was left. */
async function logInAsNewMember(site: Site, path = "/"): Promise<void> {
  await site.logIn({ email: await addMember(site), path });
}

async function playSound(page: Page): Promise<void> {
  await findSound(page).evaluate((element: HTMLMediaElement) => element.play());
  expect(await isPaused(page)).toBe(false);
}

/** Sets a timer of ten minutes, which is not the first offer. */
async function setTenMinutes(page: Page): Promise<void> {
  await findTimer(page).getByText("Other times").click();
  await findTimer(page).getByRole("button", { name: "10 minutes" }).click();
}

test("a new member falls asleep to a recording in four taps after log-in", async ({ page, site }) => {
  await page.clock.install();
  await page.setViewportSize({ width: 390, height: 844 });
  await logInAsNewMember(site);
  let taps = 0;
  const tap = async (what: Locator) => {
    taps += 1;
    await what.click();
  };
  await tap(page.getByRole("main").getByRole("link", { name: "Listen" }));
  await tap(page.getByRole("main").getByRole("link", { name: RAIN.title }));
  const play = page.getByRole("button", { name: "Play", exact: true });
  await expect(play).toBeInViewport({ ratio: 1 });
  await tap(play);
  await expect.poll(() => isPaused(page)).toBe(false);
  await tap(findTimer(page).getByRole("button", { name: "Timer: 30 minutes" }));
  expect(taps).toBe(4);
  await expect(findTimer(page).getByRole("status")).toHaveText("Fades out in 30 minutes.");
  await page.clock.fastForward("30:00");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
});

test("sound and light fade over the last half minute; a tap brings the page back, and one sets the timer again @core", async ({
  page,
  site,
}) => {
  await page.clock.install();
  await logInAsNewMember(site, SEA);
  await stopClock(page);
  await setTenMinutes(page);
  await playSound(page);
  await page.clock.fastForward("09:20");
  await page.clock.runFor(1000);
  expect(await readVolume(page)).toBe(1);
  await page.clock.fastForward("00:24");
  await page.clock.runFor(1000);
  await expect.poll(() => readVolume(page)).toBeLessThan(0.5);
  expect(await isPaused(page)).toBe(false);
  await page.clock.fastForward("00:20");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
  await page.clock.fastForward("10:00");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);

  await page.mouse.click(100, 100);
  await expect(findDarkness(page)).toHaveCount(0);
  await expect(findTimer(page).getByRole("status")).toHaveText("");
  await findTimer(page).getByRole("button", { name: "Timer: 10 minutes" }).click();
  await expect.poll(() => isPaused(page)).toBe(false);
  await expect.poll(() => readVolume(page)).toBe(1);
  await page.clock.resume();
  await page.reload();
  await expect(findTimer(page).getByRole("button", { name: "Timer: 10 minutes" })).toBeVisible();
});

test("the way into the dark has no bright frame, and ends black", async ({ page, site }) => {
  await page.clock.install();
  await page.emulateMedia({ colorScheme: "dark" });
  await logInAsNewMember(site, SEA);
  await stopClock(page);
  await setTenMinutes(page);
  await playSound(page);
  await page.clock.fastForward("09:28");
  // It darkens slowly, and never begins black.
  await page.clock.runFor(3000);
  const darkness = await page
    .locator("[popover]:popover-open")
    .evaluate((veil) => Number(getComputedStyle(veil).opacity));
  expect(darkness).toBeLessThan(0.2);
  const film = await startFilm(page);
  for (let step = 0; step < 16; step += 1) {
    await page.clock.runFor(2000);
    // A screenshot draws a frame of each step on a busy machine, too.
    await page.screenshot();
  }
  await expect(findDarkness(page)).toBeVisible();
  const frames = await film.stop();
  expect(frames.length).toBeGreaterThan(3);
  for (const { brightShare } of frames) expect(brightShare).toBeLessThan(0.02);
  const picture = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer();
  expect(Math.max(...new Set(picture))).toBe(0);
});

test("a timer waits while its recording is paused, and nothing darkens the page that is read meanwhile @core", async ({
  page,
  site,
}) => {
  await page.clock.install();
  await logInAsNewMember(site, SEA);
  await stopClock(page);
  await playSound(page);
  await setTenMinutes(page);
  await page.clock.fastForward("05:00");
  await page.getByRole("main").getByRole("button", { name: "Pause" }).click();
  await page.clock.fastForward("30:00");
  await page.clock.runFor(1000);
  await expect(findDarkness(page)).toHaveCount(0);
  await playSound(page);
  await page.clock.fastForward("04:00");
  await page.clock.runFor(1000);
  expect(await isPaused(page)).toBe(false);
  await page.clock.fastForward("01:10");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
});

test("a page that slept through the end goes dark as soon as it is asked again", async ({ page, site }) => {
  await page.clock.install();
  await logInAsNewMember(site, SEA);
  await setTenMinutes(page);
  await playSound(page);
  // The clock advances without the page's timers.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
});

test("a recording plays round and round for 45 minutes, which is its end", async ({ page, site }) => {
  await page.clock.install();
  await logInAsNewMember(site, SEA);
  await expect(findTimer(page)).toBeVisible();
  await stopClock(page);
  await playSound(page);
  await page.clock.fastForward("44:00");
  await expect.poll(() => isPaused(page)).toBe(false);
  await page.clock.fastForward("01:10");
  await expect.poll(() => isPaused(page)).toBe(true);
  await expect(findDarkness(page)).toHaveCount(0);

  await findTimer(page).getByText("Other times").click();
  await findTimer(page).getByRole("button", { name: "End of this item" }).click();
  await expect.poll(() => isPaused(page)).toBe(false);
  await page.clock.fastForward("45:10");
  await expect(findDarkness(page)).toBeVisible();
});

test("a timer can be turned off, by keyboard alone", async ({ page, site }) => {
  await page.clock.install();
  await logInAsNewMember(site, SEA);
  await findTimer(page).getByRole("button", { name: "Timer: 30 minutes" }).press("Enter");
  await expect(findTimer(page).getByRole("button", { name: "Timer: 30 minutes" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await findTimer(page).getByText("Other times").press("Enter");
  await findTimer(page).getByRole("button", { name: "No timer" }).press("Enter");
  await expect(findTimer(page).getByRole("status")).toHaveText("The timer is off.");
  await page.clock.fastForward("31:00");
  await expect(findDarkness(page)).toHaveCount(0);
});

test("a browser that keeps nothing has the timer all the same", async ({ page, site }) => {
  await blockStorage(page);
  await logInAsNewMember(site, SEA);
  await setTenMinutes(page);
  await expect(findTimer(page).getByRole("status")).toHaveText("Fades out in 10 minutes.");
});

test("a film stops under the dark, and is where it was", async ({ page, site }) => {
  await page.clock.install();
  await logInAsNewMember(site, "/?view=watch&item=2004");
  await page.getByRole("link", { name: /^Play:/ }).click();
  // The timer waits until it plays.
  await expect.poll(() => isPaused(page)).toBe(false);
  await setTenMinutes(page);
  await expect(findTimer(page).getByRole("status")).toHaveText("Fades out in 10 minutes.");
  await page.clock.fastForward("10:01");
  await expect(findDarkness(page)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Close video" })).toBeVisible();
});

for (const item of [2017, 2018]) {
  test(`the player of another host closes under the dark (item ${item})`, async ({ page, site }) => {
    await page.clock.install();
    await page.route(/youtube-nocookie|vimeo/, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<script>onmessage = ({ data }) => parent.postMessage(data, '*')</script>",
      }),
    );
    await logInAsNewMember(site, `/?view=watch&item=${item}`);
    await page.getByRole("link", { name: /^Play:/ }).click();
    await setTenMinutes(page);
    await expect(findTimer(page).getByRole("status")).toHaveText("Closes in 10 minutes.");
    await page.clock.fastForward("10:01");
    await expect(findDarkness(page)).toBeVisible();
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.mouse.click(100, 100);
    await expect(page.getByRole("link", { name: /^Play:/ })).toBeVisible();
  });
}

const youtube = {
  item: 2017,
  playing: { event: "infoDelivery", info: { currentTime: 90, duration: 160, playerState: 1 } },
  over: { event: "infoDelivery", info: { playerState: 0 } },
};
const vimeo = {
  item: 2018,
  playing: { event: "timeupdate", data: { seconds: 90, duration: 160 } },
  over: { event: "ended", data: { seconds: 160, duration: 160 } },
};

for (const { item, playing, over } of [youtube, vimeo]) {
  test(`the end of another host's film is the end of its item (item ${item})`, async ({ page, site }) => {
    await page.clock.install();
    await page.route(/youtube-nocookie|vimeo/, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<script>
          const tell = (message) => parent.postMessage(JSON.stringify(message), "*");
          onmessage = () => tell(${JSON.stringify(playing)});
          onclick = () => tell(${JSON.stringify(over)});
        </script><p>The player</p>`,
      }),
    );
    await logInAsNewMember(site, `/?view=watch&item=${item}&play=1`);
    await findTimer(page).getByText("Other times").click();
    await findTimer(page).getByRole("button", { name: "End of this item" }).click();
    await page.clock.runFor(2000);
    await expect(findDarkness(page)).toHaveCount(0);
    await page.frameLocator("iframe").getByText("The player").click();
    await page.clock.runFor(1000);
    await expect(findDarkness(page)).toBeVisible();
  });
}
