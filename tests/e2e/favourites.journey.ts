import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";

const titles = [
  "Fitting a CPAP mask",
  "A body scan, lying down",
  "Cooling down before bed",
  "Snoring and the way you lie",
  "Menopause and broken sleep",
  "A cool-down for hot flushes",
  "Shift work: a darker bedroom by day",
  "Rain on a window: something quiet to look at",
];

for (const [index, { name, use }] of circumstances.entries()) {
  test.describe(name, () => {
    test.use(use);

    test("a favourite is added in a list, found again, and removed in the open item", async ({
      page,
      site,
      isMobile,
    }) => {
      await site.logIn({ path: "/?view=watch" });
      // Eight journeys share the embedded app's member, so each has its own item. The other apps have other members.
      const title = titles[index % titles.length] ?? "";
      const inList = page.getByRole("main").getByRole("button", { name: `Favourite: ${title}`, exact: true });
      await site.letScriptArrive();
      if ((await inList.getAttribute("aria-pressed")) === "true") {
        await inList.click();
        await expect(inList).toHaveAttribute("aria-pressed", "false");
      }
      await inList.click();
      await expect(inList).toHaveAttribute("aria-pressed", "true");
      if (site.hasScript)
        await expect(
          page.locator('[aria-live="polite"]').filter({ hasText: "Saved to your favourites." }),
        ).toBeAttached();

      if (isMobile) await page.locator("header a:has(svg)", { hasText: "Favourites" }).click();
      else await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Favourites" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Favourites" })).toBeVisible();
      await page.getByRole("region", { name: "Watch" }).getByRole("link", { name: title, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();

      const inItem = page.getByRole("button", { name: `Favourite: ${title}`, exact: true }).first();
      await inItem.click();
      await expect(inItem).toHaveAttribute("aria-pressed", "false");
      await page.getByRole("link", { name: "Back to Favourites" }).click();
      await expect(page.getByRole("link", { name: title, exact: true })).toHaveCount(0);
    });
  });
}
