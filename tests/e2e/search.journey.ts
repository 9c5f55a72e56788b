import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("type, find, narrow, open, and back", async ({ page, site }) => {
      await site.logIn();
      const box = page.getByRole("banner").getByLabel("Search", { exact: true }).first();
      await box.fill("snorring");
      await site.letScriptArrive();
      await expect(box).toHaveValue("snorring");
      await box.press("Enter");
      await expect(page.getByRole("heading", { level: 1, name: "Search results for snorring" })).toBeVisible();
      const reads = page.getByRole("navigation", { name: "Kinds of result" }).getByRole("link", { name: /^Read/ });
      await reads.click();
      await expect(reads).toHaveAttribute("aria-current", "page");
      await page.getByRole("navigation", { name: "Order" }).getByRole("link", { name: "Newest" }).click();
      await expect(page).toHaveURL(site.url("/?q=snorring&type=reads&order=newest"));
      await page.getByRole("link", { name: "Read Now: Snoring: what it is, and what may help" }).click();
      await expect(page.getByRole("heading", { level: 1, name: /^Snoring: what it is/ })).toBeVisible();
      await page.goBack({ waitUntil: "domcontentloaded" });
      await expect(page.getByRole("heading", { level: 1, name: "Search results for snorring" })).toBeVisible();
      await page.getByRole("link", { name: "Back", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });

    test("a search without hits offers topics, and all topics are listed", async ({ page, site }) => {
      await site.logIn();
      await page.getByRole("link", { name: landingTexts.allTopics }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Search" })).toBeVisible();
      await site.letScriptArrive();
      await page.getByRole("list", { name: "Topics" }).getByRole("link", { name: "Jet Lag" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Search results for Jet Lag" })).toBeVisible();
      await site.open("/?q=qqqqzzzz");
      await expect(page.getByRole("heading", { level: 1, name: 'No results found for "qqqqzzzz"' })).toBeVisible();
      await page.getByRole("list", { name: "Topics" }).getByRole("link").first().click();
      await expect(page.getByRole("heading", { level: 1, name: /^Search results for/ })).toBeVisible();
    });

    test("a hit in a transcript leads to its moment", async ({ page, site }) => {
      await site.logIn({ path: "/?q=dark+screen+small+pale+moon&type=watches" });
      await site.letScriptArrive();
      await page.getByRole("link", { name: "Watch Now: Breathe with the moon" }).click();
      await expect(page.getByText("In the middle is a small, pale moon.")).toBeInViewport();
    });
  });
}
