import { codeIn } from "../helpers/mailbox.ts";
import { expect, test } from "./fixtures.ts";
import { findAccount, enter, saveButton } from "./my-account.ts";
import { waitForEmail } from "./sign-up-steps.ts";

test("Cancel is dimmed until something has changed, and discards it", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  const cancel = account.getByRole("link", { name: "Cancel" });
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await account.getByLabel("First Name").fill("Zoë");
  await expect(cancel).toHaveAttribute("aria-disabled", "false");
  await account.getByLabel("First Name").fill("Ines");
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await account.getByLabel("First Name").fill("");
  await saveButton(page).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeFocused();
  await expect(account.getByRole("group", { name: "Error" })).toContainText("You need to enter a first name.");
  await expect(page).toHaveTitle("Error: My Account – Dormouse");
  await cancel.click();
  await expect(account.getByLabel("First Name")).toHaveValue("Ines");
  await expect(account.getByRole("group", { name: "Error" })).toHaveCount(0);
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await expect(cancel).toBeFocused();
  await expect(page).toHaveTitle("My Account – Dormouse");
});

test("a new address asks for the password and a code, and keeps the other typed fields", async ({ page, site }) => {
  const old = await enter(page, site);
  const fresh = `new-${old}`;
  const account = findAccount(page);
  const password = account.locator("[name=currentPassword]");
  await expect(password).toHaveCount(0);
  await account.getByLabel("Email Address").fill(fresh);
  await password.fill("wrong");
  await saveButton(page).click();
  await expect(account.getByRole("group", { name: "Error" })).toContainText("That isn't your current password.");
  await password.fill("sleep-well-tonight");
  await saveButton(page).click();
  await expect(
    account.getByText(`Check your inbox at ${fresh} to finish. Until then, log in with ${old}.`),
  ).toBeVisible();
  await expect(account.getByLabel("Email Address")).toHaveValue(old);
  await account.getByLabel("Validation code").fill("12");
  await account.getByRole("button", { name: "Check code" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toContainText("That isn't the code we sent you.");
  await account.getByLabel("Surname").fill("Lovell-Fenn");
  await account.getByLabel("Validation code").fill(codeIn(await waitForEmail(site, fresh, "Confirm")));
  await account.getByRole("button", { name: "Check code" }).click();
  await expect(account.getByText("You've changed your email address.")).toBeVisible();
  await expect(account.getByLabel("Email Address")).toHaveValue(fresh);
  // Other typed text stays.
  await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
  await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "false");
  await expect(password).toHaveCount(0);
});

test("a change made in another tab is shown beside what was typed", async ({ page, context, site }) => {
  await enter(page, site);
  const other = await context.newPage();
  await other.goto(site.url("/?account=open"));
  await other.getByLabel("First Name").fill("Adele");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Your details are saved.")).toBeVisible();
  const account = findAccount(page);
  await account.getByLabel("First Name").fill("Adeline");
  await saveButton(page).click();
  await expect(account.getByRole("group", { name: "Error" })).toContainText(
    "Your details have changed since you opened this page",
  );
  await expect(account.getByLabel("First Name")).toHaveValue("Adeline");
  await expect(account.getByLabel("First Name")).toHaveAccessibleDescription("It's now: Adele");
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Adeline Marlow");
});
