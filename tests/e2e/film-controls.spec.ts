import type { Page } from "@playwright/test";

import { startFilm } from "./film.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { blockStorage, stopClock } from "./playing.ts";

/** The controls of our own film, which is 90 seconds long, silent, and has captions. */

const FILM = "/?view=watch&item=2002&play=1";
const PORTRAIT = "/?view=watch&item=2009&play=1";
const phone = { width: 390, height: 844 };

const findFilm = (page: Page) => page.getByRole("dialog").locator("video");
const button = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const slider = (page: Page, name: string) => page.getByRole("dialog").getByRole("slider", { name });
const findSpeed = (page: Page) => page.getByRole("combobox", { name: "Speed" });
/** Within the dialog, because the transcript below has the same words. */
const findCaption = (page: Page, text: string) => page.getByRole("dialog").getByText(text);
const read = (page: Page, name: "paused" | "muted" | "volume" | "currentTime" | "playbackRate") =>
  findFilm(page).evaluate((film: HTMLVideoElement, property) => film[property], name);

/** Opens a film as a member who has not seen it, and pauses it at a position. */
async function openFilm(page: Page, site: Site, { path = FILM, at = 12 } = {}): Promise<void> {
  await site.logIn({ email: await addMember(site), path });
  await expect(slider(page, "Place")).toBeEnabled();
  await findFilm(page).evaluate((film: HTMLVideoElement, seconds) => {
    film.pause();
    film.currentTime = seconds;
  }, at);
  await expect(button(page, "Play")).toBeVisible();
}

/** Plays a paused film in a loop, so that it does not end. */
async function playOn(page: Page): Promise<void> {
  await findFilm(page).evaluate(async (film: HTMLVideoElement) => {
    film.loop = true;
    await film.play();
  });
}

test("a film is played, moved and made louder by controls with names and values @core", async ({ page, site }) => {
  await openFilm(page, site);
  await expect(findFilm(page)).toHaveJSProperty("controls", false);
  const place = slider(page, "Place");
  await expect(place).toHaveAttribute("aria-valuetext", "12 seconds of 1 minute 30 seconds");
  await expect(page.getByText("1 minute left")).toBeVisible();
  await button(page, "Forward 10 seconds").click();
  await expect(place).toHaveAttribute("aria-valuetext", "22 seconds of 1 minute 30 seconds");
  await button(page, "Back 10 seconds").click();
  await expect(place).toHaveValue("12");
  await place.fill("80");
  await expect.poll(() => read(page, "currentTime")).toBe(80);
  await expect(page.getByText("less than a minute left")).toBeVisible();
  await place.press("Home");
  await expect.poll(() => read(page, "currentTime")).toBe(0);

  await button(page, "Play").click();
  await expect.poll(() => read(page, "paused")).toBe(false);
  await button(page, "Pause").click();
  await expect.poll(() => read(page, "paused")).toBe(true);
  // On the picture, beside its buttons.
  await findFilm(page).click({ position: { x: 100, y: 200 } });
  await expect.poll(() => read(page, "paused")).toBe(false);

  const volume = slider(page, "Volume");
  await volume.fill("40");
  expect(await read(page, "volume")).toBe(0.4);
  await expect(volume).toHaveAttribute("aria-valuetext", "40 %");
  await button(page, "Mute").click();
  expect(await read(page, "muted")).toBe(true);
  await expect(button(page, "Mute")).toHaveAttribute("aria-pressed", "true");
  await expect(volume).toHaveAttribute("aria-valuetext", "muted");
  await button(page, "Mute").click();
  expect(await read(page, "volume")).toBe(0.4);
});

test("its speed is remembered on this device, and the time left is that at its speed", async ({ page, site }) => {
  await openFilm(page, site, { at: 0 });
  await expect(findSpeed(page)).toHaveValue("1");
  await expect(page.getByText("2 minutes left")).toBeVisible();
  await findSpeed(page).selectOption("1.5×");
  await expect(page.getByText("1 minute left")).toBeVisible();
  await site.open(PORTRAIT);
  await expect(findSpeed(page)).toHaveValue("1.5");
  await expect.poll(() => read(page, "playbackRate")).toBe(1.5);
});

test("captions that were switched on stay on for the next film, until they are switched off @core", async ({
  page,
  site,
}) => {
  await openFilm(page, site);
  const caption = findCaption(page, "would get if you dropped off now.");
  await expect(button(page, "Captions")).toHaveAttribute("aria-pressed", "false");
  await expect(caption).toHaveCount(0);
  await button(page, "Captions").click();
  await expect(caption).toBeVisible();
  // Above the controls.
  const box = await caption.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((await slider(page, "Place").boundingBox())?.y ?? 0);
  await slider(page, "Place").fill("6");
  await expect(findCaption(page, "You lie in bed and sleep doesn't come.")).toBeVisible();
  await site.open(PORTRAIT);
  await expect(button(page, "Captions")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("c");
  await page.reload();
  await expect(button(page, "Captions")).toHaveAttribute("aria-pressed", "false");
});

test("a browser that keeps nothing has speed and captions for its page", async ({ page, site }) => {
  await blockStorage(page);
  await openFilm(page, site);
  await findSpeed(page).selectOption("0.75×");
  expect(await read(page, "playbackRate")).toBe(0.75);
  await button(page, "Captions").click();
  await expect(findCaption(page, "would get if you dropped off now.")).toBeVisible();
});

test("on the full screen its controls, the timer and the X are with it", async ({ page, site }) => {
  await openFilm(page, site);
  await button(page, "Full screen").click();
  await expect(button(page, "Full screen")).toHaveAttribute("aria-pressed", "true");
  const full = page.locator(":fullscreen");
  await expect(full.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await expect(full.getByRole("group", { name: "Sleep timer" })).toBeVisible();
  await expect(full.getByRole("link", { name: "Close video" })).toBeVisible();
  await button(page, "Full screen").click();
  await expect(full).toHaveCount(0);
});

test("unused controls go while a film plays, and come back for a mouse and for keys @core", async ({ page, site }) => {
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openFilm(page, site);
  await stopClock(page);
  const place = slider(page, "Place");
  const panel = place.locator("xpath=..");
  const timer = page.getByRole("group", { name: "Sleep timer" });
  await page.clock.fastForward(10_000);
  await expect(panel).toHaveCSS("opacity", "1");
  await playOn(page);
  await page.clock.fastForward(3500);
  await expect(panel).toHaveCSS("opacity", "0");
  await expect(timer).toHaveCSS("opacity", "0");
  await page.mouse.move(300, 300);
  await expect(panel).toHaveCSS("opacity", "1");
  await expect(timer).toHaveCSS("opacity", "1");
  await place.press("ArrowRight");
  await page.clock.fastForward(3500);
  await expect(timer).toHaveCSS("opacity", "0");
  await expect(panel).toHaveCSS("opacity", "1");
  await page.keyboard.press("k");
  await expect(timer).toHaveCSS("opacity", "1");
});

for (const size of [{ width: 1280, height: 800 }, { width: 844, height: 390 }, phone, { width: 320, height: 568 }]) {
  test(`at ${size.width} × ${size.height} all controls are in view, none over a caption or words in the middle of the film`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize(size);
    await openFilm(page, site);
    await button(page, "Captions").click();
    const caption = await findCaption(page, "would get if you dropped off now.").boundingBox();
    const film = await findFilm(page).boundingBox();
    if (!caption || !film) throw new Error("Neither the caption nor the film may be out of sight.");
    const words = { ...film, y: film.y + film.height / 3, height: film.height / 3 };
    const controls = page.getByRole("dialog").locator(":is(button, a, input, select):visible");
    await expect(controls).toHaveCount(12);
    for (const control of await controls.all()) {
      const box = await control.boundingBox();
      const name = await control.evaluate((element) => element.ariaLabel ?? element.textContent);
      expect(box && meet(box, caption), `${name} over the caption`).toBe(false);
      expect(box && meet(box, words), `${name} over the words of the film`).toBe(false);
      await expect(control, `${name} in view`).toBeInViewport({ ratio: 1 });
    }
  });
}

type Box = { x: number; y: number; width: number; height: number };

function meet(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}

test.describe("under a thumb", () => {
  test.use({ viewport: phone, hasTouch: true });

  test("the first tap brings the controls back, and a tap on the picture lets them go", async ({ page, site }) => {
    await page.clock.install();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openFilm(page, site, { path: PORTRAIT });
    await stopClock(page);
    await playOn(page);
    const panel = slider(page, "Place").locator("xpath=..");
    await page.clock.fastForward(3500);
    await expect(panel).toHaveCSS("opacity", "0");
    await button(page, "Pause").tap();
    await expect(panel).toHaveCSS("opacity", "1");
    expect(await read(page, "paused")).toBe(false);
    await page.touchscreen.tap(195, 250);
    await expect(panel).toHaveCSS("opacity", "0");
    expect(await read(page, "paused")).toBe(false);
    await page.touchscreen.tap(195, 250);
    await button(page, "Pause").tap();
    await expect.poll(() => read(page, "paused")).toBe(true);
  });

  test("a film in landscape has its controls below it, in the lower half, and its picture behind", async ({
    page,
    site,
  }) => {
    await openFilm(page, site);
    const film = await findFilm(page).boundingBox();
    expect(film).toMatchObject({ x: 0, width: phone.width });
    const foot = (film?.y ?? 0) + (film?.height ?? 0);
    for (const name of ["Play", "Mute", "Captions", "Full screen"]) {
      expect((await button(page, name).boundingBox())?.y).toBeGreaterThan(foot);
      await expect(button(page, name)).toBeInViewport({ ratio: 1 });
    }
    expect((await slider(page, "Place").boundingBox())?.y).toBeGreaterThan(foot);
    const behind = page.getByRole("dialog").locator("img");
    await expect(behind).toHaveCSS("filter", /blur/);
    expect((await behind.boundingBox())?.height).toBeGreaterThanOrEqual(phone.height);
    // Captions do not move anything.
    await button(page, "Captions").click();
    await expect(findCaption(page, "would get if you dropped off now.")).toBeInViewport({ ratio: 1 });
    expect(await findFilm(page).boundingBox()).toEqual(film);
  });

  test("a film in portrait fills the height", async ({ page, site }) => {
    await openFilm(page, site, { path: PORTRAIT });
    const box = await findFilm(page).boundingBox();
    expect(box?.width).toBe(phone.width);
    expect(box?.height).toBeGreaterThan(phone.height * 0.97);
    for (const name of ["Play", "Mute", "Full screen"]) await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  });
});

test("a picture in picture is left again where it was entered", async ({ page, site }) => {
  await openFilm(page, site);
  await button(page, "Captions").click();
  const small = button(page, "Picture in picture");
  await small.click();
  await expect(small).toHaveAttribute("aria-pressed", "true");
  // In a small window the browser shows its own captions, or none.
  await expect(findCaption(page, "would get if you dropped off now.")).toBeHidden();
  await small.click();
  await expect(small).toHaveAttribute("aria-pressed", "false");
  await expect(findCaption(page, "would get if you dropped off now.")).toBeVisible();
});

test("a tap beside an open menu closes it, and the film plays on", async ({ page, site }) => {
  await openFilm(page, site);
  await playOn(page);
  await page.getByText("Other times").click();
  await expect(button(page, "10 minutes")).toBeVisible();
  await findFilm(page).click({ position: { x: 900, y: 300 } });
  await expect(button(page, "10 minutes")).toBeHidden();
  expect(await read(page, "paused")).toBe(false);
});

test("a click on the picture during the fade gives the same time again, and the film plays on", async ({
  page,
  site,
}) => {
  await page.clock.install();
  await openFilm(page, site);
  await stopClock(page);
  await page.getByText("Other times").click();
  await button(page, "10 minutes").click();
  await playOn(page);
  await page.clock.fastForward("09:44");
  await page.clock.runFor(1000);
  await expect.poll(() => read(page, "volume")).toBeLessThan(0.5);
  await findFilm(page).click({ position: { x: 900, y: 300 } });
  await page.clock.runFor(6000);
  expect(await read(page, "paused")).toBe(false);
  await expect.poll(() => read(page, "volume")).toBe(1);
});

test("a film that waits for the network says so after a second", async ({ page, site }) => {
  await page.clock.install();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(/\/media\/.*\.(?:mp4|webm)/, async (route) => {
    await held;
    await route.continue();
  });
  await site.logIn({ email: await addMember(site), path: FILM.replace("&play=1", "") });
  await stopClock(page);
  await page.getByRole("link", { name: /^Play:/ }).click();
  const waiting = page.getByRole("dialog").getByText("Waiting for the connection");
  await expect(button(page, "Play")).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await page.clock.fastForward(1500);
  await expect(waiting).toBeVisible();
  letGo();
  await expect.poll(() => read(page, "currentTime")).toBeGreaterThan(0);
  await expect(waiting).toHaveCount(0);
});

test("a line that is lost is said, and Play tries again", async ({ page, site }) => {
  await page.route(/\/media\/.*\.(?:mp4|webm)/, (route) => route.abort());
  await site.logIn({ email: await addMember(site), path: FILM });
  await expect(page.getByText("We couldn't reach it. Press Play to try again.")).toBeVisible();
  await expect(slider(page, "Place")).toBeDisabled();
  await page.unroute(/\/media\/.*\.(?:mp4|webm)/);
  await button(page, "Play").click();
  await expect.poll(() => read(page, "currentTime")).toBeGreaterThan(0);
});

test("the way into a film has no bright frame @core", async ({ page, site }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await site.logIn({ email: await addMember(site), path: "/?view=watch&item=2002" });
  await page.getByRole("link", { name: /^Play:/ }).waitFor();
  const film = await startFilm(page);
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(slider(page, "Place")).toBeEnabled();
  await page.screenshot();
  const frames = await film.stop();
  expect(frames.length).toBeGreaterThan(0);
  for (const { brightShare } of frames) expect(brightShare).toBeLessThan(0.02);
});

for (const [name, path] of Object.entries({ landscape: FILM, portrait: PORTRAIT })) {
  test(`a film in ${name} with captions passes every check of looks and access`, async ({ page, site }) => {
    test.slow();
    await openFilm(page, site, { path });
    await button(page, "Captions").click();
    await button(page, "Mute").click();
    await expectGoodLooks(page, `film in ${name}`);
  });
}

test.describe("with script that comes late", () => {
  test.use({ script: "late" });

  test("the browser's own controls are there until ours are", async ({ page, site }) => {
    await site.logIn({ email: await addMember(site), path: FILM });
    await expect(findFilm(page)).toHaveJSProperty("controls", true);
    await expect(page.getByRole("dialog").getByRole("button")).toHaveCount(0);
    await site.letScriptArrive();
    await expect(button(page, "Full screen")).toBeVisible();
    await expect(findFilm(page)).toHaveJSProperty("controls", false);
  });
});
