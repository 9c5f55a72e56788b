import { codeIn, linkIn } from "../../helpers/mailbox.ts";
import { expect, fillLogIn } from "../fixtures.ts";
import { findAccount, pngFile } from "../my-account.ts";
import { addMember, logInElsewhere } from "../new-member.ts";
import { waitForEmail } from "../sign-up-steps.ts";
import type { Tour } from "./tour.ts";

/** An app on a free port does not know its address when it writes an email without a request. */
function toPath(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** My Account: every row, its refusals and its messages. */
export const walkMyAccount: Tour = async function* ({ page, site }) {
  const email = await addMember(site);
  await logInElsewhere(page, site, email);
  await site.logIn({ email });

  await site.open("/?view=watch&account=open");
  await site.letScriptArrive();
  const account = findAccount(page);
  yield "My Account";
  await account.getByLabel("First Name").fill("");
  await account.getByLabel("Surname").fill("");
  await account.getByLabel("Email Address").fill(`${"long".repeat(15)}@example.org`);
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeFocused();
  yield "My Account, refused";

  await account.getByLabel("First Name").fill("Ines");
  await account.getByLabel("Surname").fill("Marlow");
  await account.locator("[name=currentPassword]").fill("sleep-well-tonight");
  const picture = account.getByLabel("Profile Picture");
  const name = "a-rather-long-name-of-a-picture-from-a-telephone.png";
  await picture.setInputFiles(await pngFile(name));
  yield "My Account, a picture chosen";
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  yield "My Account, saved, and an address that waits";
  await account.getByLabel("Validation code").fill("1");
  await account.getByRole("button", { name: "Check code" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeFocused();
  await picture.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await expect(account.getByText("File type is not supported")).toBeVisible();
  yield "My Account, a wrong code and a wrong picture";
  await site.open("/");
  await page.getByRole("button", { name: /^Account of/ }).click();
  yield "the menu with a picture in the bar";
};

export const walkParts: Tour = async function* ({ page, site }) {
  await site.logIn({ email: "team@dormouse.example", path: "/?account=membership" });
  await site.letScriptArrive();
  const account = findAccount(page);
  await expect(account.locator("h3 a")).toHaveCount(7);
  yield "My Account, folded";
  for (const title of await account.locator("h3 a").allTextContents())
    await account.getByRole("link", { name: title }).click();
  await expect(account.locator("details")).toHaveCount(7);
  yield "My Account, every row open";
  await account.getByLabel("Current password").fill("wrong");
  await account.getByLabel("New password", { exact: true }).fill("moss");
  await account.getByLabel("Confirm new password").fill("moss");
  await account.getByRole("button", { name: "Change password" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeFocused();
  yield "My Account, a password refused";
  await site.open("/?account=devices&flash=devices-ended");
  yield "My Account, devices signed out";
};

/** The pages behind emails about an account, until it is closed and reopened. */
export const walkAccountLinks: Tour = async function* ({ page, site }) {
  const email = await addMember(site);
  const fresh = `new-${email}`;
  await site.logIn({ email, path: "/?account=open" });
  await site.letScriptArrive();
  const account = findAccount(page);
  await account.getByLabel("Email Address").fill(fresh);
  await account.locator("[name=currentPassword]").fill("sleep-well-tonight");
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();

  await page.goto(linkIn(await waitForEmail(site, fresh, "Confirm")));
  yield "a new address, the email's link";
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your email is confirmed" })).toBeVisible();
  yield "a new address, confirmed";
  await site.open(toPath(linkIn(await waitForEmail(site, email, "Your email address was changed"))));
  yield "a change to take back";
  await page.getByRole("button", { name: "Restore my email" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your old email is back" })).toBeVisible();
  yield "a change taken back";
  for (const path of ["/login?undo=x", "/login?done=closed", "/login?done=reopen-taken"]) {
    await site.open(path);
    yield path;
  }
};

export const walkClosing: Tour = async function* ({ page, site }) {
  const email = await addMember(site);
  await site.logIn({ email, path: "/?account=close" });
  await site.letScriptArrive();
  const account = findAccount(page);
  const close = account.getByRole("button", { name: "Close my account" });
  await account.getByLabel("Your password").fill("wrong");
  await close.click();
  await expect(account.getByRole("group", { name: "Error" })).toBeFocused();
  yield "My Account, closing refused";
  await account.getByLabel("Your password").fill("sleep-well-tonight");
  await close.click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account is closed" })).toBeVisible();
  await site.open(toPath(linkIn(await waitForEmail(site, email, "Your account is closed"))));
  yield "an account to be opened again";
  await page.getByRole("button", { name: "Open my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account is open again" })).toBeVisible();
  yield "an account opened again";

  // A form that is sent after the session's end.
  await site.logIn({ email, path: "/?view=read&account=open" });
  await site.letScriptArrive();
  await account.getByLabel("First Name").fill("Zoë");
  await page.context().clearCookies();
  await account.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await fillLogIn(page, email);
  await expect(account.getByText("You were logged out. Here is what you typed.")).toBeVisible();
  yield "what was typed before the session's end";
};

/** The log-in link, and the four steps of a password reset, each also refused. */
export const walkPasswordReset: Tour = async function* ({ page, site }) {
  const email = await addMember(site);
  const next = (name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeFocused();
  const press = (name: string) => page.getByRole("button", { name }).click();
  await site.open("/login?link=ask");
  await site.letScriptArrive();
  yield "a link to log in, asked for";
  await page.getByLabel("Email").fill(email);
  await press("Email me a link");
  await next("Check your email");
  yield "a link to log in, sent";
  await page.goto(linkIn(await waitForEmail(site, email, "Your link to log in")));
  yield "a link to log in, opened";
  await site.open("/login?reset=1");
  await site.letScriptArrive();
  yield "reset, step 1";
  await press("Get code");
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  yield "reset, step 1, refused";
  await page.getByLabel("Email").fill(email);
  await press("Get code");
  await next("Check your email...");
  yield "reset, step 2";
  const mail = await waitForEmail(site, email, "Choose a new password");
  await page.getByLabel("Validation code").fill("1");
  await press("Check code");
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  yield "reset, step 2, refused";
  await page.goto(linkIn(mail));
  yield "reset, the email's link";
  await site.open("/login?reset=2");
  await site.letScriptArrive();
  await page.getByLabel("Validation code").fill(codeIn(mail));
  await press("Check code");
  await next("Enter your new password");
  yield "reset, step 3";
  await press("Change password");
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  yield "reset, step 3, refused";
  await page.getByLabel("Password", { exact: true }).fill("moss-lantern-42");
  await page.getByLabel("Confirm password").fill("moss-lantern-42");
  await press("Change password");
  await next("Your password has been reset");
  yield "reset, step 4";
};
