import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";

import { expect, fillLogIn, test } from "./fixtures.ts";
import { tabTo } from "./keyboard.ts";
import { enter, openByAvatar, part } from "./my-account.ts";
import { loseConnection } from "./network.ts";

test("devices are named, and signed out from here", async ({ page, browser, site }) => {
  const email = await enter(page, site);
  const elsewhere = await browser.newContext({
    userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
  });
  const phone = await elsewhere.newPage();
  await phone.goto(site.url("/login"));
  await fillLogIn(phone, email);
  await expect(phone).toHaveURL(site.url("/"));
  await page.keyboard.press("Escape");
  await openByAvatar(page);
  const devices = part(page, "Devices");
  await devices.getByText("Devices").click();
  await expect(devices.getByRole("listitem").filter({ hasText: "(this device)" })).toHaveCount(1);
  await expect(devices.getByRole("listitem").filter({ hasText: "Firefox on Android" })).toBeVisible();
  const signOut = devices.getByRole("button", { name: "Sign out Firefox on Android" });
  const reconnect = await loseConnection(page);
  await signOut.click();
  await expect(devices.getByRole("group", { name: "Error" })).toContainText("You seem to be offline.");
  await expect(devices.getByRole("group", { name: "Error" })).toBeFocused();
  await reconnect();
  await signOut.click();
  await expect(devices.getByRole("status").filter({ hasText: "That device is signed out." })).toBeFocused();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await phone.reload();
  await expect(phone).toHaveURL(site.url("/signup"));
  await elsewhere.close();
});

async function failToChangePassword(form: Locator): Promise<void> {
  await form.getByText("Change password").first().click();
  await form.getByLabel("Current password").fill("wrong");
  await form.getByLabel("New password", { exact: true }).fill("moss-lantern-42");
  await form.getByLabel("Confirm new password").fill("moss-lantern-42");
  await form.getByRole("button", { name: "Change password" }).click();
}

test("a form's message is in view below My Account's heading, without script too", async ({ page, browser, site }) => {
  const small = { width: 390, height: 700 };
  await page.setViewportSize(small);
  const email = await enter(page, site);
  await failToChangePassword(part(page, "Change password"));
  const error = part(page, "Change password").getByRole("group", { name: "Error" });
  await expect(error).toBeFocused();
  await tabTo(page, error);

  await using plain = await browser.newContext({ javaScriptEnabled: false, viewport: small });
  const window = await plain.newPage();
  await window.goto(site.url("/login?to=/%3Faccount%3Dopen"));
  await fillLogIn(window, email);
  await failToChangePassword(part(window, "Change password"));
  await expect(part(window, "Change password").getByRole("group", { name: "Error" })).toBeInViewport({ ratio: 1 });
  const close = part(window, "Delete account");
  await close.getByText("Delete account").click();
  await close.getByLabel("Your password").fill("wrong");
  await close.getByRole("button", { name: "Close my account" }).click();
  await expect(close.getByRole("group", { name: "Error" })).toBeInViewport({ ratio: 1 });
  await part(window, "Your details").getByText("Your details").click();
  await window.getByLabel("First Name").fill("Zoe");
  await window.getByRole("button", { name: "Save Changes" }).click();
  await expect(window.getByText("Your details are saved.")).toBeInViewport({ ratio: 1 });
});

test("without a server a new password and the closing of an account stay as they were typed", async ({
  page,
  site,
}) => {
  await enter(page, site);
  const form = part(page, "Change password");
  await form.getByText("Change password").first().click();
  await form.getByLabel("Current password").fill("sleep-well-tonight");
  await form.getByLabel("New password", { exact: true }).fill("moss-lantern-42");
  await form.getByLabel("Confirm new password").fill("moss-lantern-42");
  const farewell = part(page, "Delete account");
  await farewell.getByText("Delete account").click();
  await farewell.getByLabel("Your password").fill("moss-lantern-42");
  await page.route("**/_.data*", (route) => route.abort("connectionrefused"));
  await farewell.getByRole("button", { name: "Close my account" }).click();
  await expect(farewell.getByRole("group", { name: "Error" })).toBeFocused();
  await expect(farewell.getByLabel("Your password")).toHaveValue("moss-lantern-42");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByRole("group", { name: "Error" })).toBeFocused();
  await expect(form.getByRole("group", { name: "Error" })).toContainText("What you typed is still here");
  await page.unroute("**/_.data*");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByRole("status").filter({ hasText: "You've changed your password." })).toBeFocused();
});

test("a member downloads their data", async ({ page, site }) => {
  const email = await enter(page, site);
  const data = part(page, "Your data");
  await data.getByText("Your data").click();
  const arriving = page.waitForEvent("download");
  await data.getByRole("link", { name: "Download my data" }).click();
  const download = await arriving;
  expect(download.suggestedFilename()).toMatch(/^dormouse-my-data-\d{4}-\d\d-\d\d\.json$/);
  const held = JSON.parse(await readFile(await download.path(), "utf8")) as { member: { email: string } };
  expect(held.member.email).toBe(email);
});
