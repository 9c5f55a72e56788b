import type { Locator, Page } from "@playwright/test";

import { anyCard, cards, PASSWORD } from "../helpers/newcomer.ts";
import { expect, test } from "./fixtures.ts";
import { makeEmail, readVerification } from "./sign-up-steps.ts";

/** Tab by tab to a control; one that cannot be reached fails the test. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let count = 0; count < 40; count += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

test("by keyboard alone: from the welcome to a membership, each step beginning at its heading", async ({
  page,
  site,
}) => {
  const email = makeEmail();
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await site.open("/signup");
  // Before script is there a link leads to a new document, whose heading nobody focuses.
  await page.waitForLoadState("networkidle");
  await tabTo(page, page.getByRole("link", { name: "Next" }));
  await page.keyboard.press("Enter");
  await expect(heading("Create your account")).toBeFocused();
  await tabTo(page, page.getByRole("radio", { name: "Corporate" }));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
  await typeInto(page, "First name", "Nora");
  await typeInto(page, "Surname", "Penn");
  await typeInto(page, "Email", email);
  await typeInto(page, "Password", PASSWORD);
  await typeInto(page, "Confirm password", PASSWORD);
  await page.keyboard.press("Enter");

  await expect(heading("Choose your plan")).toBeFocused();
  await typeInto(page, "Verification code", (await readVerification(site, email)).code);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Your email is verified." })).toBeFocused();
  await tabTo(page, page.getByRole("radio", { name: /^1 Month/ }));
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^3 Monthly/ })).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Confirm" }));
  await page.keyboard.press("Enter");

  await expect(heading("Payment")).toBeFocused();
  await typeInto(page, "Card number", cards.paid);
  await typeInto(page, "Expiry", anyCard.expiry);
  await typeInto(page, "CVC", anyCard.cvc);
  await typeInto(page, "Postal code", "EX1 1AA");
  await page.keyboard.press("Enter");
  await expect(heading("Payment Complete")).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "Log In for Sleep Content" }));
  await page.keyboard.press("Enter");
  await expect(heading("Let's Get Started")).toBeFocused();
});
