import { landingTexts } from "../../app/routes/dashboard/landing-texts.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("one tap leads to Awake now, one to another piece, one back", async ({ page, site }) => {
      await site.logIn({ path: "/?view=read&item=1001" });
      await page.getByRole("link", { name: "Awake now" }).click();
      await expect(page).toHaveTitle(/^Awake now/);
      const heading = page.getByRole("heading", { level: 1 });
      const first = await heading.textContent();
      await page.getByRole("link", { name: "Another" }).click();
      await expect(heading).not.toHaveText(first ?? "");
      await page.goBack({ waitUntil: "domcontentloaded" });
      await expect(heading).toHaveText(first ?? "");
      await page.getByRole("link", { name: /^Back to / }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });
  });
}
