import type { Page } from "@playwright/test";

import { area } from "../helpers/pictures.ts";
import { codeIn, linkIn } from "../helpers/mailbox.ts";
import { expect, fillLogIn, test } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { addMember } from "./new-member.ts";
import { waitForLetter } from "./sign-up-steps.ts";

test("every step of a forgotten password looks good", async ({ page, site }) => {
  test.setTimeout(180_000);
  const email = await addMember(site);
  await site.open("/login?reset=1");
  await expectGoodLooks(page, "step 1");
  await page.getByRole("button", { name: "Get code" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expectGoodLooks(page, "step 1, refused");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Get code" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check your email..." })).toBeFocused();
  await expectGoodLooks(page, "step 2");
  const letter = await waitForLetter(site, email, "Choose a new password");
  const other = await page.context().newPage();
  await other.goto(linkIn(letter));
  await expectGoodLooks(other, "the letter's link");
  await page.getByLabel("Validation code").fill("1");
  await page.getByRole("button", { name: "Check code" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expectGoodLooks(page, "step 2, refused");
  await page.getByLabel("Validation code").fill(codeIn(letter));
  await page.getByRole("button", { name: "Check code" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Enter you new password" })).toBeFocused();
  await expectGoodLooks(page, "step 3");
  await page.getByLabel("Password", { exact: true }).fill("moss-lantern-42");
  await page.getByLabel("Confirm password").fill("moss-lantern-42");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your password has been reset" })).toBeFocused();
  await expectGoodLooks(page, "step 4");
  for (const path of ["/login?undo=x", "/login?done=undone", "/login?done=reopen-taken"]) {
    await site.open(path);
    await expectGoodLooks(page, path);
  }
});

/** What lies over the page scrolls by itself, and never sideways: WCAG 1.4.10. */
async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(overflow, `${state} at 320 px`).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function expectGoodAccount(page: Page, state: string): Promise<void> {
  await expectGoodLooks(page, state);
  await expectNoSidewaysScroll(page, state);
}

test("every state of My Account looks good", async ({ page, site }) => {
  test.setTimeout(180_000);
  const email = await addMember(site);
  await site.open("/login");
  await fillLogIn(page, email);
  await expect(page).toHaveURL(site.url("/"));
  for (const part of ["open", "membership", "password", "devices", "data", "close"]) {
    await site.open(`/?view=watch&account=${part}`);
    await expectGoodAccount(page, part);
  }
  const account = page.getByRole("dialog", { name: "My Account" });
  await account.getByLabel("First Name").fill("");
  await account.getByLabel("Surname").fill("");
  await account.getByLabel("Email Address").fill(`${"long".repeat(15)}@example.org`);
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByRole("alert")).toBeFocused();
  await expectGoodAccount(page, "refused");

  await account.getByLabel("First Name").fill("Ines");
  await account.getByLabel("Surname").fill("Marlow");
  await account.locator("#currentPassword").fill("sleep-well-tonight");
  const buffer = await area(60, 40).png().toBuffer();
  const picture = account.getByLabel("Profile Picture");
  await picture.setInputFiles({
    name: "a-rather-long-name-of-a-picture-from-a-telephone.png",
    mimeType: "image/png",
    buffer,
  });
  await expectGoodAccount(page, "a picture chosen");
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expectGoodAccount(page, "saved, and an address that waits");
  await picture.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await expect(account.getByText("File type is not supported")).toBeVisible();
  await expectGoodAccount(page, "a wrong picture");
  await site.open("/");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expectGoodLooks(page, "the menu with a picture in the bar");
});

test("My Account of a member without a subscription looks good", async ({ page, site }) => {
  await site.logIn("lapsed@dormouse.example");
  await site.open("/?account=open");
  await expectGoodAccount(page, "without a subscription");
});

test("without script nothing in it is wider than the narrowest phone", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(site.url("/login"));
  await fillLogIn(page, "team@dormouse.example");
  for (const part of ["open", "membership", "password", "devices", "data", "close"]) {
    await page.goto(site.url(`/?account=${part}`));
    const overflow = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(overflow, part).toBe(0);
  }
  await context.close();
});

test("on a phone everything in My Account is as large as a thumb", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await site.logIn("team@dormouse.example");
  for (const part of ["open", "membership", "password", "devices", "data", "close"]) {
    await site.open(`/?account=${part}`);
    const small = await page
      .getByRole("dialog")
      .locator("a, button, summary, input:not([type=hidden])")
      .evaluateAll((controls) =>
        controls
          .map((control) => ({ name: control.textContent || control.id, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 28))
          .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
      );
    expect(small, part).toEqual([]);
  }
});
