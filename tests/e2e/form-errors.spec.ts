import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { enter, findAccount, saveButton } from "./my-account.ts";
import { openDesk } from "./operators.ts";
import { payButton, reachPayment } from "./sign-up-steps.ts";

/**
 * With script the summary of a refused form follows its fields: an error disappears when its field changes or is
 * removed.
 */

const summary = (page: Page) => page.getByRole("group", { name: "Error" });
const complaints = (page: Page) => summary(page).getByRole("link");

test("at sign-up each error goes with its field, and the code's with the choice of Individual @core", async ({
  page,
  site,
}) => {
  await site.open("/signup?step=1");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(summary(page)).toBeFocused();
  await expect(complaints(page)).toHaveText([
    "Enter the code from your employer, or choose Individual.",
    "You need to enter a first name.",
    "You need to enter a surname.",
    "You must use a valid email address",
    "Password must be 8 characters or more.",
  ]);
  await page.getByRole("radio", { name: "Individual" }).check();
  await expect(complaints(page)).toHaveCount(4);
  const firstName = page.getByLabel("First name");
  await firstName.pressSequentially("No");
  await expect(firstName).toBeFocused();
  await expect(firstName).toHaveAttribute("aria-invalid", "false");
  await expect(complaints(page)).toHaveCount(3);
  await page.getByLabel("Surname").fill("Penn");
  await page.getByLabel("Email").fill("nora@example");
  await page.getByLabel("Password", { exact: true }).fill("a long night");
  await expect(summary(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(complaints(page)).toHaveText(["You must use a valid email address", /do not match/]);
  await expect(firstName).toHaveValue("No");
});

test("an error that another field puts right goes with that", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  await account.getByRole("link", { name: "Change password" }).click();
  await account.getByLabel("Current password").fill("anything");
  await account.getByLabel("New password", { exact: true }).fill("a long night");
  await account.getByLabel("Confirm new password").fill("a long nigth");
  await account.getByRole("button", { name: "Change password" }).click();
  await expect(complaints(page).filter({ hasText: "Passwords do not match" })).toBeVisible();
  await account.getByLabel("New password", { exact: true }).fill("a long nigth");
  await expect(complaints(page).filter({ hasText: "Passwords do not match" })).toHaveCount(0);
});

test("what is pending in My Account stays known while its errors go", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  await account.getByLabel("First Name").fill("");
  await saveButton(page).click();
  await expect(complaints(page)).toHaveText(["You need to enter a first name."]);
  await account.getByLabel("First Name").fill("Maria");
  await expect(summary(page)).toHaveCount(0);
  await account.getByLabel("Email Address").fill("other@example.org");
  await expect(account.getByLabel("Current password")).toBeVisible();
});

test("at payment all that is missing is said at once, each with the way to its field @core", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(page.getByLabel("Card number")).toBeVisible();
  await payButton(page).click();
  await expect(summary(page)).toBeFocused();
  await expect(complaints(page)).toHaveText([
    "Enter your card number.",
    "Enter the expiry date on the card.",
    "Enter the CVC, the three or four digits on the card.",
    "Enter your postal code.",
  ]);
  await complaints(page).first().click();
  await expect(page.getByLabel("Card number")).toBeFocused();
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByLabel("Card number").fill("4242");
  await page.getByLabel("Expiry").fill("12 / 34");
  await expect(complaints(page)).toHaveText(["Enter the CVC, the three or four digits on the card."]);
  await page.getByLabel("CVC").fill("123");
  await expect(summary(page)).toHaveCount(0);
  await payButton(page).click();
  await expect(complaints(page)).toHaveText(["That isn't a card number. Please check the digits."]);
  await expect(summary(page)).toBeFocused();
});

test("an act at the desk loses its errors as they are put right", async ({ page, site }) => {
  await openDesk(page, site, "/desk/companies");
  const act = page
    .locator("details")
    .filter({ has: page.getByLabel("Reason") })
    .first();
  await act.locator("summary").click();
  await act.getByRole("button").first().click();
  await expect(summary(page)).toBeFocused();
  const before = await complaints(page).count();
  expect(before).toBeGreaterThan(1);
  await act.getByLabel("Reason").fill("They asked for it by telephone.");
  await expect(complaints(page)).toHaveCount(before - 1);
  await expect(act.getByLabel("Reason")).toBeFocused();
});
