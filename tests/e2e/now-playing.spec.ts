import type { Locator, Page } from "@playwright/test";

import { expect, loseSession, type Site, test } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { findAccount, openByAvatar } from "./my-account.ts";
import { addMember, endMembership } from "./new-member.ts";
import { findBar, isHeard, playAndHear, playButton, playByKeys, stopClock } from "./playing.ts";

const SEA = { item: "/?view=watch&item=4002", title: "A slow sea" };
const FAN = "/?view=watch&item=4004";

const readPosition = (page: Page) => page.locator("audio").evaluate((element: HTMLAudioElement) => element.currentTime);

/** Plays a recording on its own page, then leaves for a list. */
async function playAndLeave(page: Page, site: Site): Promise<string> {
  const email = await addMember(site);
  await site.logIn({ email, path: SEA.item });
  await playAndHear(page);
  await page.getByRole("link", { name: "Back to Listen" }).click();
  await expect(findBar(page)).toContainText(`${SEA.title}45 minutes left`);
  expect(await isHeard(page)).toBe(true);
  return email;
}

test("sound plays on through lists, search, forms, My Account, Back and an error @core", async ({ page, site }) => {
  await playAndLeave(page, site);
  const begunAt = await page.evaluate(() => performance.timeOrigin);
  await page.getByRole("button", { name: "Favourite: Brown noise" }).click();
  await expect(page.getByRole("button", { name: "Favourite: Brown noise" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("combobox", { name: "Search" }).fill("rain");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("rain");
  await openByAvatar(page);
  await findAccount(page).getByLabel("First Name").fill("Zoë");
  await findAccount(page).getByRole("button", { name: "Save" }).click();
  await expect(findAccount(page).getByText("Your details are saved.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(findAccount(page)).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Listen");
  await page.route("**/*.data*", (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Read" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong");
  await expect(findBar(page)).toContainText(SEA.title);
  expect(await isHeard(page)).toBe(true);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(begunAt);
});

test("its own page has its controls again, and the bar none beside them", async ({ page, site }) => {
  await playAndLeave(page, site);
  const before = await readPosition(page);
  await findBar(page).getByRole("link", { name: SEA.title }).click();
  await expect(page.getByRole("main").getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(findBar(page)).toBeHidden();
  await expect.poll(() => readPosition(page)).toBeGreaterThan(before);
  await expect(page.locator("audio")).toHaveCount(1);
  await page.getByRole("main").getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => isHeard(page)).toBe(false);
  await playAndHear(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(findBar(page)).toBeVisible();
  await findBar(page).getByRole("button", { name: "Stop and close" }).click();
  await expect(findBar(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await playAndHear(page);
});

test("one thing plays at a time: another recording, a film, another tab @core", async ({ page, context, site }) => {
  await playAndLeave(page, site);
  await page.getByRole("main").getByRole("link", { name: "A fan in the corner of the room" }).click();
  await playButton(page).click();
  await expect(page.locator("audio")).toHaveCount(1);
  await expect(page.locator("audio")).toHaveAttribute("aria-label", "A fan in the corner of the room");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Videos" }).click();
  await page.getByRole("main").getByRole("link", { name: "Breathe with the moon" }).last().click();
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(page.locator("video")).toHaveJSProperty("paused", false);
  await expect.poll(() => isHeard(page)).toBe(false);
  await page.getByRole("link", { name: "Close video" }).click();
  await findBar(page).getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isHeard(page)).toBe(true);

  const other = await context.newPage();
  await other.goto(site.url(FAN));
  await playAndHear(other);
  await expect.poll(() => isHeard(page)).toBe(false);
});

test("a reload offers to go on at the same second, and log-out ends that", async ({ page, site }) => {
  await playAndLeave(page, site);
  await page.locator("audio").evaluate((element: HTMLAudioElement) => element.pause());
  const shown = await findBar(page).getByRole("link").textContent();
  await page.reload();
  await expect(findBar(page)).toContainText(`Carry on with ${shown}`);
  expect(await isHeard(page)).toBe(false);
  await findBar(page).getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isHeard(page)).toBe(true);
  await expect(findBar(page).getByRole("link")).toHaveText(shown ?? "");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await expect(page.locator("audio")).toHaveCount(0);
  await site.logIn({ email: await addMember(site), path: "/?view=read" });
  await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeVisible();
  await expect(findBar(page)).toHaveCount(0);
});

test("another member in the same tab is not offered it", async ({ page, site }) => {
  await playAndLeave(page, site);
  await loseSession(page);
  await site.logIn({ email: await addMember(site), path: "/?view=read" });
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("playing"))).toBeNull();
  await expect(findBar(page)).toHaveCount(0);
});

test("the end of access stops it", async ({ page, site }) => {
  const email = await playAndLeave(page, site);
  await endMembership(site, email);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Read" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/subscription/);
  await expect(page.locator("audio")).toHaveCount(0);
});

test("a recording is played by keys, and its place moved by them @core", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await playByKeys(page);
  await page.keyboard.press(" ");
  await page.keyboard.press("k");
  await expect.poll(() => isHeard(page)).toBe(false);
  expect(page.url()).toBe(site.url(SEA.item));
});

test("a screen reader is given a new place when it is moved, not as it plays on", async ({ page, site }) => {
  await page.clock.install();
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await stopClock(page);
  await playAndHear(page);
  const place = page.getByRole("slider", { name: "Place" });
  await place.focus();
  const spoken = await place.getAttribute("aria-valuetext");
  await page.clock.fastForward("05:00");
  await expect(page.getByText("40 minutes left")).toBeVisible();
  await expect(place).toHaveAttribute("aria-valuetext", spoken ?? "");
  await page.keyboard.press("5");
  await expect(place).toHaveAttribute("aria-valuetext", /^22 minutes 30 seconds of 45 minutes$/);
});

test("a line that is lost is said, and Play tries again", async ({ page, site }) => {
  await page.route("**/media/a-slow-sea.*", (route) => route.abort());
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await playButton(page).click();
  await expect(page.getByText("We couldn't reach it. Press Play to try again.")).toBeVisible();
  await page.unroute("**/media/a-slow-sea.*");
  await playButton(page).click();
  await expect.poll(() => readPosition(page)).toBeGreaterThan(0);
  await expect(page.getByText("45 minutes left")).toBeVisible();
});

test("a tap during the fade gives the same time again @core", async ({ page, site }) => {
  await page.clock.install();
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await stopClock(page);
  await playAndHear(page);
  await page.getByText("Other times").click();
  await page.getByRole("button", { name: "10 minutes" }).click();
  await page.clock.fastForward("09:45");
  await page.clock.runFor(1000);
  const volume = () => page.locator("audio").evaluate((element: HTMLAudioElement) => element.volume);
  await expect.poll(volume).toBeLessThan(0.3);
  await page.mouse.click(5, 400);
  // The volume rises slowly.
  await page.clock.runFor(1000);
  expect(await volume()).toBeLessThan(0.7);
  await page.clock.runFor(5000);
  await expect.poll(volume).toBe(1);
  await page.clock.fastForward("09:00");
  expect(await isHeard(page)).toBe(true);
  await page.clock.fastForward("01:10");
  await expect(page.getByRole("dialog", { name: "The screen is dark" })).toBeVisible();
  expect(await isHeard(page)).toBe(false);
});

test("the timer starts by itself at night where this device wants that", async ({ page, site }) => {
  await page.clock.install({ time: new Date(2026, 10, 27, 23, 30) });
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await page.getByText("Other times").click();
  await page.getByLabel("Start the timer automatically between 10 pm and 6 am").check();
  await page.reload();
  await playAndHear(page);
  await expect(page.getByRole("button", { name: "Timer: 30 minutes" })).toHaveAttribute("aria-pressed", "true");
  const darkness = page.getByRole("dialog", { name: "The screen is dark" });
  await page.clock.fastForward("30:01");
  await expect(darkness).toBeVisible();
  // The member wakes again in the same night.
  await page.keyboard.press("Enter");
  await playAndHear(page);
  await expect(page.getByRole("button", { name: "Timer: 30 minutes" })).toHaveAttribute("aria-pressed", "true");
  await page.clock.fastForward("30:01");
  await expect(darkness).toBeVisible();
});

for (const { name, width, height, zoom } of [
  { name: "a small phone", width: 320, height: 640, zoom: "100%" },
  { name: "letters twice as large", width: 390, height: 844, zoom: "200%" },
]) {
  test(`the bar lies over nothing that has the focus, on ${name}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await playAndLeave(page, site);
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), zoom);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const readTop = async (bar: Locator) => (await bar.boundingBox())?.y ?? 0;
    const readFoot = (link: Locator) => link.evaluate((element) => element.getBoundingClientRect().bottom);
    for (const link of await page
      .getByRole("main")
      .getByRole("button", { name: /^Favourite/ })
      .all()) {
      await link.focus();
      // The page learns of the bar's height, and scrolls, a moment later.
      await expect(async () => {
        expect(await readFoot(link)).toBeLessThanOrEqual((await readTop(findBar(page))) + 1);
      }).toPass();
    }
  });
}

test("the player and its bar pass every check of looks and access", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site), path: SEA.item });
  await page.getByRole("button", { name: "Timer: 30 minutes" }).click();
  await playButton(page).click();
  await expectGoodLooks(page, "a recording that plays");
  await page.getByRole("link", { name: "Back to Listen" }).click();
  await expect(findBar(page)).toBeVisible();
  await expectGoodLooks(page, "a list while something plays");
});

test("the other address of the dashboard is a member's page, too", async ({ page, site }) => {
  await playAndLeave(page, site);
  await page.goto(site.url("/dashboard"));
  await expect(findBar(page)).toContainText(`Carry on with ${SEA.title}`);
  await findBar(page).getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isHeard(page)).toBe(true);
});
