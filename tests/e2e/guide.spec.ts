import type { Page } from "@playwright/test";

import { tiles } from "../../app/routes/member/dashboard/landing-texts.ts";
import { expect, test, waitForLooks } from "./fixtures.ts";
import { expectNoShift } from "./looks.ts";
import { findBar, isHeard } from "./playing.ts";

const SLEEP = "/?q=can%27t+sleep";
const phones = [
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];

const findSound = (page: Page, title: string) => page.getByRole("main").getByRole("link", { name: `: ${title}` });

test.describe("on a phone", () => {
  test("of every guide the first sound is above the fold, and the first result near it @core", async ({
    page,
    site,
  }) => {
    await site.logIn();
    for (const { term } of tiles) {
      await site.open(`/?q=${encodeURIComponent(term)}`);
      for (const phone of phones) {
        await page.setViewportSize(phone);
        const sound = await page.locator(".guide-sounds li").first().boundingBox();
        expect((sound?.y ?? Infinity) + (sound?.height ?? 0), `${term}, ${phone.width}`).toBeLessThan(
          phone.height - 60,
        );
        const result = await page.getByRole("main").locator("article[id]").first().boundingBox();
        expect(result?.y, `${term}, ${phone.width}`).toBeLessThan(phone.width === 390 ? 900 : 930);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
      }
    }
  });

  test("a result has three lines of its text until one asks for more", async ({ page, site }) => {
    await page.setViewportSize(phones[0] ?? { width: 390, height: 844 });
    await site.logIn({ path: "/?q=snoring+pillow" });
    const card = page.getByRole("main").getByRole("article").first();
    const text = card.locator("p").nth(1);
    const readLines = () =>
      text.evaluate((element) => Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight)));
    expect(await readLines()).toBe(3);
    await card.locator("summary").press("Enter");
    await expect.poll(readLines).toBeGreaterThan(5);
    await card.locator("summary").click();
    await expect.poll(readLines).toBe(3);
  });
});

test("of four to eight further items none is alone in its row", async ({ page, site }) => {
  await site.logIn({ path: SLEEP });
  const list = page.locator(".guide-others");
  await list.evaluate((all) => all.append(...[...all.children].slice(0, 1).map((first) => first.cloneNode(true))));
  const items = list.locator("li");
  await expect(items).toHaveCount(8);
  for (let count = 8; count >= 4; count -= 1) {
    for (const width of [768, 1000, 1024, 1280, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const tops = await items.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
      const rows = Map.groupBy(tops, (top) => Math.round(top));
      const lengths = [...rows.values()].map(({ length }) => length);
      expect(Math.min(...lengths), `${count} items at ${width} px: ${lengths.join(" + ")}`).toBeGreaterThan(1);
    }
    await items.last().evaluate((item) => item.remove());
  }
});

test("one tap plays a sound, the timer comes beside it without a shift, and another tap pauses it @core", async ({
  page,
  site,
}) => {
  await site.logIn({ path: SLEEP });
  await findSound(page, "A slow sea").click();
  await expect.poll(() => isHeard(page)).toBe(true);
  await expect(findBar(page)).toContainText("A slow sea");
  const timer = page.getByRole("main").getByRole("button", { name: "Timer: 30 minutes" });
  await timer.click();
  await expect(timer).toHaveAttribute("aria-pressed", "true");
  await expectNoShift(page, "a guide whose sound plays");
  await page.getByRole("link", { name: "Pause: A slow sea" }).press("Enter");
  await expect.poll(() => isHeard(page)).toBe(false);
  await findSound(page, "Brown noise").press("Enter");
  await expect.poll(() => isHeard(page)).toBe(true);
  await expect(findBar(page)).toContainText("Brown noise");
  await expect(page.locator("audio")).toHaveCount(1);
});

for (const script of ["off", "blocked"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("a sound leads to its page, and the title home", async ({ page, site }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await site.logIn({ path: SLEEP });
      await findSound(page, "A slow sea").click();
      await expect(page.getByRole("heading", { level: 1, name: "A slow sea" })).toBeVisible();
      await waitForLooks(page);
      const title = page.getByRole("link", { name: "Dashboard", exact: true });
      const [from, to] = [await title.boundingBox(), await page.getByRole("link", { name: "Back to" }).boundingBox()];
      expect(Math.abs((from?.y ?? 0) - (to?.y ?? 99))).toBeLessThan(10);
      await title.click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let's Get Started");
    });
  });
}
