import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("a guide leads to its nights: one is opened, one skipped, and beginning again can be undone", async ({
      page,
      site,
    }) => {
      await site.logIn({ email: await addMember(site), path: "/?q=can't sleep" });
      await page.getByRole("link", { name: /^A seven-night course/ }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Seven nights: Can't get to sleep");
      const next = page.locator('[aria-current="step"]');
      await expect(next).toContainText("Night 1");
      await next.getByRole("button", { name: "Open Breathe with the moon" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Breathe with the moon" })).toBeVisible();

      await site.open("/nights/cant-get-to-sleep");
      await expect(next).toContainText("Night 2");
      await next.getByRole("button", { name: /^Skip / }).click();
      await expect(next).toContainText("Night 3");
      await page.getByRole("button", { name: "Start again" }).click();
      await expect(next).toContainText("Night 1");
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(next).toContainText("Night 3");
      await expect(page.getByText("Night 1, opened")).toBeVisible();
    });
  });
}
