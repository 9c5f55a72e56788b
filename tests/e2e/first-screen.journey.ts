import type { Page } from "@playwright/test";

import { circumstances } from "./circumstances.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

/** How many taps it takes from opening the site to a sound that ends by itself. */

const SEA = { key: "watch-4002", title: "A slow sea" };

function countTaps(page: Page) {
  let count = 0;
  return {
    read: () => count,
    tap: async (role: "link" | "button", name: string | RegExp, within = page.locator("body")) => {
      count += 1;
      await within
        .getByRole(role, { name, exact: typeof name === "string" })
        .first()
        .click();
    },
    /** The browser's own Play button is at the left end of its bar. */
    tapBrowsersPlay: async () => {
      count += 1;
      await page.locator("audio").click({ position: { x: 28, y: 27 } });
    },
  };
}

/** Adds a member who has listened to so many seconds of a recording. */
async function hasHeard(page: Page, site: Site, seconds: number): Promise<void> {
  const form = { keep: SEA.key, seconds: String(seconds), duration: "2700", age: "0" };
  const headers = { Origin: new URL(site.url("/")).origin };
  expect((await page.request.post(site.url("/positions"), { form, headers })).status()).toBe(200);
}

const expectSound = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => [...document.querySelectorAll("audio")].some((element) => !element.paused)))
    .toBe(true);

const findMain = (page: Page) => page.getByRole("main");

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("two taps from the site lead to one's usual sound", async ({ page, site }) => {
      await site.logIn({ email: use.app === "remote" ? "member@dormouse.example" : await addMember(site) });
      await hasHeard(page, site, 2700);
      await site.open("/");
      await site.letScriptArrive();
      const taps = countTaps(page);
      await taps.tap("link", new RegExp(`^Play: ${SEA.title}`), findMain(page));
      if (site.hasScript) {
        await taps.tap("button", "Timer: 30 minutes", findMain(page));
        await expect(page.getByText("Fades out in 30 minutes.")).toBeAttached();
        await expect(page.getByRole("region", { name: "Now playing" })).toContainText(`${SEA.title}45 minutes left`);
      } else {
        await expect(page.getByRole("heading", { level: 1, name: SEA.title })).toBeVisible();
        await taps.tapBrowsersPlay();
      }
      await expectSound(page);
      expect(taps.read()).toBe(2);
    });

    test("four taps lead to a first one", async ({ page, site }) => {
      await site.logIn();
      await site.letScriptArrive();
      const taps = countTaps(page);
      await taps.tap("link", "Listen", findMain(page));
      await expect(page.getByRole("heading", { level: 1, name: "Listen" })).toBeVisible();
      await taps.tap("link", SEA.title, findMain(page));
      await expect(page.getByRole("heading", { level: 1, name: SEA.title })).toBeVisible();
      if (site.hasScript) {
        await taps.tap("button", "Play", findMain(page));
        await taps.tap("button", "Timer: 30 minutes", findMain(page));
        await expect(page.getByText("Fades out in 30 minutes.")).toBeVisible();
      } else await taps.tapBrowsersPlay();
      await expectSound(page);
      expect(taps.read()).toBeLessThanOrEqual(4);
    });
  });
}
