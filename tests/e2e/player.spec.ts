import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { stopClock } from "./playing.ts";

const films = [
  { name: "YouTube", item: 2017, address: "https://www.youtube.com/watch?v=M7lc1UVf-VE" },
  { name: "Vimeo", item: 2018, address: "https://vimeo.com/76979871" },
];

/** Answers requests for a player once `held` settles: with an error, a silent page, or a page that answers. */
async function letPlayers(page: Page, give: "nothing" | "silence" | "an answer", held?: Promise<void>): Promise<void> {
  const script = give === "an answer" ? "<script>onmessage = ({ data }) => parent.postMessage(data, '*')</script>" : "";
  await page.unroute(/youtube-nocookie|vimeo/);
  await page.route(/youtube-nocookie|vimeo/, async (route) => {
    await held;
    await (give === "nothing"
      ? route.abort("namenotresolved")
      : route.fulfill({ contentType: "text/html", body: `<p>The player</p>${script}` }));
  });
}

const findFrame = (page: Page) => page.getByRole("dialog").locator("iframe");
/** The frame's status; the dialog's second status is the timer's. */
const findWatch = (page: Page) => page.getByRole("dialog").getByRole("status").first();
const readOpacity = (page: Page) => findFrame(page).evaluate((frame) => Number(getComputedStyle(frame).opacity));

for (const { name, item, address } of films) {
  test(`a player of ${name} that answers is shown as soon as it does`, async ({ page, site }) => {
    await letPlayers(page, "an answer");
    await site.logIn({ path: `/?view=watch&item=${item}` });
    await page.getByRole("link", { name: /^Play:/ }).click();
    await expect.poll(() => readOpacity(page)).toBe(1);
    await expect(findWatch(page)).toHaveText("");
    await expect(findFrame(page).contentFrame().getByText("The player")).toBeVisible();
  });

  test(`${name} that cannot be reached leaves no white frame, but a way to the film`, async ({ page, site }) => {
    await page.clock.install();
    await letPlayers(page, "nothing");
    await site.logIn({ path: `/?view=watch&item=${item}` });
    await stopClock(page);
    await page.getByRole("link", { name: /^Play:/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(`Waiting for ${name}`)).toBeVisible();
    expect(await readOpacity(page)).toBe(0);

    await page.clock.runFor(10_000);
    await expect(findWatch(page)).toHaveText(`${name} isn't answering, so this film may not play here.`);
    await expect(dialog.getByRole("link", { name: `Watch it on ${name}` })).toHaveAttribute("href", address);
    expect(await readOpacity(page)).toBeLessThan(0.5);

    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await letPlayers(page, "an answer", held);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog.getByText(`Waiting for ${name}`)).toBeVisible();
    letGo();
    await expect(findFrame(page).contentFrame().getByText("The player")).toBeAttached();
    await page.clock.runFor(1000);
    await expect.poll(() => readOpacity(page)).toBe(1);
    await expect(findWatch(page)).toHaveText("");
    await expect(dialog.getByRole("button", { name: "Try again" })).toHaveCount(0);
  });
}

test("a silent player is shown after a while, with the sentence below it", async ({ page, site }) => {
  await page.clock.install();
  // The player is dark in both schemes. A late sheet once gave its X the text colour of dawn.
  await page.emulateMedia({ colorScheme: "light" });
  await letPlayers(page, "silence");
  await site.logIn({ path: "/?view=watch&item=2017&play=1" });
  await page.clock.runFor(10_000);
  const sentence = page.getByText("YouTube isn't answering");
  await expect(sentence).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("link", { name: "Close video" })).toHaveCSS("color", "rgb(236, 230, 216)");
  await expect.poll(() => readOpacity(page)).toBeGreaterThan(0.2);
  await findFrame(page).click();
  await expect.poll(() => readOpacity(page)).toBe(1);
  const frame = await findFrame(page).boundingBox();
  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual((await sentence.boundingBox())?.y ?? 0);
});

test("a film is played by keys as soon as it is open, and a button that has the focus is still pressed @core", async ({
  page,
  site,
}) => {
  await site.logIn({ path: "/?view=watch&item=2002" });
  await page.getByRole("link", { name: /^Play:/ }).click();
  const timer = page.getByRole("button", { name: /^Timer: / });
  await expect(timer).toBeVisible();
  const film = page.getByRole("dialog").locator("video");
  const read = async (name: "paused" | "muted" | "volume" | "currentTime") =>
    film.evaluate((element: HTMLVideoElement, property) => element[property], name);
  await expect.poll(() => film.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(0);
  await film.evaluate((element: HTMLVideoElement) => element.pause());

  await page.keyboard.press("Space");
  await expect.poll(() => read("paused")).toBe(false);
  await page.keyboard.press("k");
  await expect.poll(() => read("paused")).toBe(true);
  const before = (await read("currentTime")) as number;
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => read("currentTime")).toBeCloseTo(before + 5, 2);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => read("currentTime")).toBeCloseTo(before, 2);
  await page.keyboard.press("l");
  await expect.poll(() => read("currentTime")).toBeCloseTo(before + 10, 2);
  await page.keyboard.press("j");
  await expect.poll(() => read("currentTime")).toBeCloseTo(before, 2);
  await page.keyboard.press("5");
  const half = await film.evaluate((element: HTMLVideoElement) => element.duration / 2);
  await expect.poll(() => read("currentTime")).toBeCloseTo(half, 2);
  const captions = page.getByRole("button", { name: "Captions" });
  await page.keyboard.press("c");
  await expect(captions).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("c");
  await expect(captions).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("ArrowDown");
  expect(await read("volume")).toBe(0.9);
  await page.keyboard.press("m");
  expect(await read("muted")).toBe(true);
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe("player-stage");
  await page.keyboard.press("f");
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  await page.keyboard.press("Control+m");
  expect(await read("muted")).toBe(true);
  await timer.press("Space");
  await expect(timer).toHaveAttribute("aria-pressed", "true");
  await timer.press("Shift+K");
  expect(await read("paused")).toBe(true);
  await timer.press("k");
  await expect.poll(() => read("paused")).toBe(false);
});

for (const script of ["off", "blocked"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("a film fills the screen as it does with script", async ({ page, site }) => {
      await site.logIn({ path: "/?view=watch&item=2002&play=1" });
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      expect(await page.getByRole("dialog").boundingBox()).toEqual({ x: 0, y: 0, width, height });
      await expect(page.locator("video")).toHaveJSProperty("controls", true);
    });

    test("the frame of a player appears without a press", async ({ page, site }) => {
      await letPlayers(page, "silence");
      await site.logIn({ path: "/?view=watch&item=2017&play=1" });
      if (script === "blocked") {
        await page.evaluate(() => {
          for (const animation of document.getAnimations()) animation.finish();
        });
      }
      expect(await readOpacity(page)).toBe(1);
      await expect(findFrame(page).contentFrame().getByText("The player")).toBeVisible();
    });
  });
}
