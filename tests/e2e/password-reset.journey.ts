import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { codeIn } from "../helpers/mailbox.ts";
import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { waitForEmail } from "./sign-up-steps.ts";

const NEW_PASSWORD = "moss-lantern-42";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("a forgotten password is replaced with the code of an email", async ({ page, site }) => {
      const email = await addMember(site);
      await site.open("/login");
      await page.getByRole("link", { name: "Reset password" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Forgot your password..?" })).toBeVisible();
      await page.getByLabel("Email").fill("not an address");
      await page.getByRole("button", { name: "Get code" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("Please enter a valid email address");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Get code" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Check your email..." })).toBeVisible();

      const code = codeIn(await waitForEmail(site, email, "Choose a new password"));
      await page.getByLabel("Validation code").fill(code);
      await page.getByRole("button", { name: "Check code" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Enter your new password" })).toBeVisible();
      await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel("Confirm password").fill("something else");
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("Passwords do not match");
      await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
      await page.getByLabel("Confirm password").fill(NEW_PASSWORD);
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Your password has been reset" })).toBeVisible();

      await page.getByRole("main").getByRole("link", { name: "Go to my videos" }).click();
      await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
    });
  });
}
