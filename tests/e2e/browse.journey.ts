import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test, LAST_TILE } from "./fixtures.ts";

/** By the tabs on a wide screen, by the side menu on a phone. */
async function chooseSection(page: Page, name: string, isPhone: boolean): Promise<void> {
  if (isPhone) await page.getByRole("button", { name: "Menu", exact: true }).click();
  const place = isPhone ? page.locator("#side-menu") : page.getByRole("navigation", { name: "Sections" });
  await place.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("from a topic of the landing to an article and back", async ({ page, site }) => {
      await site.logIn();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
      await page.getByRole("link", { name: LAST_TILE }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Search results for shift work" })).toBeVisible();
      await site.letScriptArrive();
      await page.getByRole("navigation", { name: "Kinds of result" }).getByRole("link", { name: /^Read/ }).click();
      await expect(page).toHaveURL(/type=reads/);
      await page.getByRole("main").getByRole("link", { name: "Shift work: how to sleep by day" }).first().click();
      await expect(page.getByRole("heading", { level: 1, name: "Shift work: how to sleep by day" })).toBeVisible();
      await page.goBack({ waitUntil: "domcontentloaded" });
      await expect(page.getByRole("heading", { level: 1, name: "Search results for shift work" })).toBeVisible();
      await page.getByRole("link", { name: "Back to Home" }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });

    test("a list, a video, its player, and a webinar under General sleep", async ({ page, site, isMobile }) => {
      await site.logIn();
      await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
      await expect(page).toHaveTitle("Videos – Dormouse");
      await page.getByRole("main").getByRole("link", { name: "Can't sleep? Leave the bed for a while" }).click();
      await expect(page.getByRole("heading", { name: "Transcript" })).toBeVisible();
      await site.letScriptArrive();

      await page.getByRole("link", { name: /^Play:/ }).click();
      const player = page.getByRole("dialog");
      await expect(player).toBeVisible();
      await expect(player.locator("video track")).toHaveAttribute("src", /\/media\/[\w-]+\.vtt$/);
      await expect(page.getByRole("link", { name: "Back to Videos" })).not.toBeFocused();
      if (site.hasScript) await page.keyboard.press("Escape");
      else await player.getByRole("link", { name: "Close video" }).click();
      await expect(player).toHaveCount(0);
      if (site.hasScript) await expect(page.getByRole("link", { name: /^Play:/ })).toBeFocused();

      await page.getByRole("link", { name: "Back to Videos" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
      await chooseSection(page, "Webinars", isMobile);
      const webinar = page.getByRole("main").getByRole("link", { name: /^Snoring and sleep apnoea: when to ask/ });
      await webinar.last().click();
      await expect(page.getByRole("heading", { name: "General sleep" })).toBeVisible();
      await expect(page.getByRole("region", { name: "Recommended For You" }).getByRole("article")).toHaveCount(6);
    });

    test("read: the featured slider, the list, an article, and the way up", async ({ page, site, isMobile }) => {
      await site.logIn({ path: "/?view=watch" });
      await chooseSection(page, "Read", isMobile);
      const featured = page.getByRole("region", { name: "Featured Articles" });
      await expect(featured.getByRole("listitem").first()).toBeVisible();
      await site.letScriptArrive();
      if (site.hasScript) {
        await featured.getByRole("button", { name: "Next: Featured Articles" }).click();
        await expect(featured.getByRole("button", { name: "Featured Articles, part 2" })).toHaveAttribute(
          "aria-current",
          "true",
        );
        await featured.getByRole("link", { name: /Waking at 3 am/ }).click();
      } else {
        await featured.getByRole("link", { name: /Waking at 3 am/ }).click();
      }
      await expect(page.getByText("By Dormouse Team")).toBeVisible();
      await expect(page.getByText("Category: Sleep")).toBeVisible();
      await page.getByRole("link", { name: "Back to top" }).click();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(200);
      await page.getByRole("link", { name: "Back to Read" }).click();
      await expect(page.getByRole("heading", { level: 2, name: "Articles", exact: true })).toBeVisible();
    });

    test("the scheme is switched at once, and kept where an address leads nowhere", async ({ page, site }) => {
      await page.emulateMedia({ colorScheme: "dark" });
      await site.logIn();
      await site.letScriptArrive();
      await page.getByRole("button", { name: /^Account of/ }).click();
      await page.getByRole("button", { name: "Switch to the light scheme" }).click();
      await expect(page.locator("html")).toHaveAttribute("data-scheme", "dawn");
      await expect(page.locator("body")).toHaveCSS("background-color", "rgb(250, 246, 238)");

      for (const path of ["/?view=read&item=4", "/nowhere"]) {
        await site.open(path);
        await expect(page.getByRole("heading", { level: 1, name: "We couldn't find that page" })).toBeVisible();
        await expect(page.locator("html")).toHaveAttribute("data-scheme", "dawn");
        await page.getByRole("link", { name: "Go to the dashboard" }).click();
        await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
      }
      await expect(page.locator("html")).toHaveAttribute("data-scheme", "dawn");
      await page.getByRole("button", { name: /^Account of/ }).click();
      await expect(page.getByRole("button", { name: "Switch to the dark scheme" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Switch to the light scheme" })).toBeHidden();
    });
  });
}
