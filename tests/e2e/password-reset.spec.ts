import { codeIn } from "../helpers/mailbox.ts";
import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { waitForEmail } from "./sign-up-steps.ts";

test("the buttons of a forgotten password say what happens while it does", async ({ page, site }) => {
  const email = await addMember(site);
  let gate = Promise.withResolvers<void>();
  await page.route("**/login.data*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  const press = async (button: string, pending: string, next: string) => {
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.getByRole("button", { name: pending, exact: true })).toHaveAttribute("aria-disabled", "true");
    gate.resolve();
    await expect(page.getByRole("heading", { level: 1, name: next })).toBeFocused();
    gate = Promise.withResolvers<void>();
  };
  await site.open("/login?reset=1");
  await page.getByLabel("Email").fill(email);
  await press("Get code", "Getting code...", "Check your email...");
  await page.getByLabel("Validation code").fill(codeIn(await waitForEmail(site, email, "Choose a new password")));
  await press("Check code", "Checking...", "Enter you new password");
  await page.getByLabel("Password", { exact: true }).fill("moss-lantern-42");
  await page.getByLabel("Confirm password").fill("moss-lantern-42");
  await press("Change password", "Changing password...", "Your password has been reset");
  gate.resolve();
});
