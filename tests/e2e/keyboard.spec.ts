import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { anyCard, paymentCards, PASSWORD } from "../helpers/newcomer.ts";
import { codeIn } from "../helpers/mailbox.ts";
import { expect, test } from "./fixtures.ts";
import { pressOn, tabTo, typeInto } from "./keyboard.ts";
import { findAccount, pngFile } from "./my-account.ts";
import { addMember, logInElsewhere } from "./new-member.ts";
import { makeEmail, readVerification, waitForEmail } from "./sign-up-steps.ts";

/** Every flow by keyboard alone: the test clicks nothing, and only keys and the page itself move the focus. */

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test("past the bar, into a list, through the player and back @core", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  await site.letScriptArrive();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await pressOn(page, page.getByRole("main").getByRole("link", { name: "Can't sleep? Leave the bed for a while" }));
  await expect(heading(page, /Leave the bed/)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Favourite: Can't sleep/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /^Play:/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Can't sleep? Leave the bed for a while" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Close video" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /^Play:/ })).toBeFocused();
});

test("in by the log-in form, a search by suggestion, a favourite, the favourites, and out @core", async ({
  page,
  site,
}) => {
  const email = await addMember(site);
  await site.open("/login");
  await site.letScriptArrive();
  await typeInto(page, field(page, "Email"), email);
  await typeInto(page, field(page, "Password"), "not-my-password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  await typeInto(page, field(page, "Password"), DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(heading(page, landingTexts.heading)).toBeFocused();

  await page.keyboard.press("Shift+Tab");
  const box = page.getByRole("combobox", { name: "Search" });
  while (!(await box.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.type("snor");
  await expect(page.getByRole("option", { name: "Snoring", exact: true })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Search results for Snoring")).toBeFocused();
  await pressOn(
    page,
    page.getByRole("region", { name: "Start here" }).getByRole("link", { name: "Snoring and the way" }),
  );
  await expect(heading(page, "Snoring and the way you lie")).toBeFocused();
  const button = page.getByRole("button", { name: "Favourite: Snoring and the way you lie" }).first();
  await pressOn(page, button, "Space");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Saved to your favourites." })).toBeAttached();

  await page.keyboard.press("ControlOrMeta+Home");
  await pressOn(page, page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Favourites" }));
  await expect(heading(page, "Favourites")).toBeFocused();
  await tabTo(page, page.getByRole("main").getByRole("link", { name: "Snoring and the way you lie" }));
  await pressOn(page, page.getByRole("button", { name: /^Account of/ }));
  await pressOn(page, page.locator("#account-menu").getByRole("button", { name: "Log Out" }));
  await expect(page).toHaveURL(site.url("/login"));
});

test("a forgotten password is replaced, each step beginning at its heading", async ({ page, site }) => {
  const email = await addMember(site);
  await site.open("/login");
  await site.letScriptArrive();
  await pressOn(page, page.getByRole("link", { name: "Reset password" }));
  await expect(heading(page, "Forgot your password..?")).toBeFocused();
  await typeInto(page, field(page, "Email"), email);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Check your email...")).toBeFocused();
  const code = codeIn(await waitForEmail(site, email, "Choose a new password"));
  await typeInto(page, field(page, "Validation code"), code);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Enter your new password")).toBeFocused();
  await typeInto(page, field(page, "Password"), "moss-lantern-42");
  await typeInto(page, field(page, "Confirm password"), "moss-lantern-42");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Your password has been reset")).toBeFocused();
  await pressOn(page, page.getByRole("main").getByRole("link", { name: "Go to my videos" }));
  await expect(heading(page, landingTexts.heading)).toBeFocused();
});

test("a name and a picture are saved, a device is signed out, the account is closed", async ({ page, site }) => {
  const email = await addMember(site);
  await logInElsewhere(page, site, email);
  await site.logIn({ email });
  await site.letScriptArrive();
  await pressOn(page, page.getByRole("button", { name: /^Account of/ }));
  await pressOn(page, page.getByRole("link", { name: "My Details" }));
  const account = findAccount(page);
  await expect(account).toBeFocused();
  await typeInto(page, account.getByLabel("First Name"), "Zoë");
  const choosing = page.waitForEvent("filechooser");
  await pressOn(page, account.getByLabel("Profile Picture"));
  await (await choosing).setFiles(await pngFile());
  await pressOn(page, account.getByRole("button", { name: "Save" }));
  await expect(account.getByRole("status").filter({ hasText: "Your details are saved." })).toBeFocused();

  await pressOn(page, account.getByRole("link", { name: "Devices" }));
  await expect(account.locator("summary").filter({ hasText: "Devices" })).toBeFocused();
  await pressOn(page, account.getByRole("button", { name: /^Sign out (?!everywhere)/ }));
  await expect(account.getByRole("status").filter({ hasText: "That device is signed out." })).toBeFocused();
  await pressOn(page, account.getByRole("link", { name: "Delete account" }));
  await typeInto(page, account.getByLabel("Your password"), DEMO_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Your account is closed")).toBeVisible();
});

test("from the welcome to a membership, each step beginning at its heading", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup");
  await site.letScriptArrive();
  await pressOn(page, page.getByRole("link", { name: "Next" }));
  await expect(heading(page, "Create your account")).toBeFocused();
  await pressOn(page, page.getByRole("radio", { name: "Corporate" }), "ArrowDown");
  await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
  await fillInDetails(page, email);

  await expect(heading(page, "Choose your plan")).toBeFocused();
  await typeInto(page, field(page, "Verification code"), (await readVerification(site, email)).code);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Your email is verified." })).toBeFocused();
  await pressOn(page, page.getByRole("radio", { name: /^1 Month/ }), "Space");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^3 Monthly/ })).toBeChecked();
  await pressOn(page, page.getByRole("button", { name: "Confirm" }));

  await expect(heading(page, "Payment")).toBeFocused();
  await typeInto(page, field(page, "Card number"), paymentCards.paid);
  await typeInto(page, field(page, "Expiry"), anyCard.expiry);
  await typeInto(page, field(page, "CVC"), anyCard.cvc);
  await typeInto(page, field(page, "Postal code"), "EX1 1AA");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Payment Complete")).toBeFocused();
  await pressOn(page, page.getByRole("link", { name: "Log In for Sleep Content" }));
  await expect(heading(page, landingTexts.heading)).toBeFocused();
});

test("joining by a company's code", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await site.letScriptArrive();
  await typeInto(page, page.getByLabel("Dormouse code"), "DORMOUSE-DEMO");
  await fillInDetails(page, email);
  await expect(heading(page, /plan$/)).toBeFocused();
  await typeInto(page, field(page, "Verification code"), (await readVerification(site, email)).code);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Your email is verified." })).toBeFocused();
  await pressOn(page, page.getByRole("button", { name: "Confirm" }));
  await expect(heading(page, "Payment")).toBeFocused();
  await typeInto(page, field(page, "Postal code"), "EX1 1AA");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Payment Complete")).toBeFocused();
});

/** Fills in step 1 and presses Enter. */
async function fillInDetails(page: Page, email: string): Promise<void> {
  await typeInto(page, field(page, "First name"), "Nora");
  await typeInto(page, field(page, "Surname"), "Penn");
  await typeInto(page, field(page, "Email"), email);
  await typeInto(page, field(page, "Password"), PASSWORD);
  await typeInto(page, field(page, "Confirm password"), PASSWORD);
  await page.keyboard.press("Enter");
}
