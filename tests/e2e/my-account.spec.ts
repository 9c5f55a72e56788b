import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";

import { codeIn } from "../helpers/mailbox.ts";
import { area, svg } from "../helpers/pictures.ts";
import { expect, fillLogIn, test, type Site } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { waitForLetter } from "./sign-up-steps.ts";

const accountOf = (page: Page): Locator => page.getByRole("dialog", { name: "My Account" });
const saveButton = (page: Page): Locator => accountOf(page).getByRole("button", { name: "Save" });
const part = (page: Page, title: string): Locator => accountOf(page).getByRole("group").filter({ hasText: title });

/** A member of one's own, logged in, with My Account open. */
async function enter(page: Page, site: Site, path = "/?view=watch"): Promise<string> {
  const email = await addMember(site);
  await logIn(page, site, email);
  await site.open(path);
  await openByAvatar(page);
  return email;
}

async function logIn(page: Page, site: Site, email: string): Promise<void> {
  await site.open("/login");
  await fillLogIn(page, email);
  await expect(page).toHaveURL(site.url("/"));
}

async function openByAvatar(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await expect(accountOf(page).getByLabel("First Name")).toBeVisible();
}

const pngFile = async (name = "me.png") => ({
  name,
  mimeType: "image/png",
  buffer: await area(60, 40).png().toBuffer(),
});

test("the dialog takes the focus, keeps it, and gives it back", async ({ page, site }) => {
  await enter(page, site);
  await expect(accountOf(page).getByRole("link", { name: "Close" })).toBeFocused();
  const visited: string[] = [];
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press("Tab");
    visited.push(
      await page.evaluate(() => {
        const focused = document.activeElement;
        return focused === document.body || focused?.closest("dialog") ? "inside" : "outside";
      }),
    );
  }
  expect(visited).not.toContain("outside");
  await page.keyboard.press("Escape");
  await expect(accountOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(site.url("/?view=watch"));
  await expect(page.getByRole("button", { name: /^Account of/ })).toBeFocused();
});

test("Back closes it and Forward opens it, on one and the same page", async ({ page, site }) => {
  await enter(page, site);
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await page.goBack();
  await expect(accountOf(page)).toHaveCount(0);
  await page.goForward();
  await expect(accountOf(page)).toBeVisible();
  await accountOf(page).getByRole("link", { name: "Close" }).click();
  await expect(accountOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(site.url("/?view=watch"));
  expect(await page.evaluate(() => document.body.dataset.same)).toBe("page");
});

test("it slides in from the side, unless somebody wants no motion", async ({ page, site }) => {
  await enter(page, site);
  const animation = () => accountOf(page).evaluate((dialog) => getComputedStyle(dialog).animationDuration);
  expect(await animation()).toBe("0.23s");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await animation()).toBe("0.02s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await accountOf(page).evaluate((dialog) => getComputedStyle(dialog).animationName)).toBe("none");
  await page.reload();
  await expect(accountOf(page)).toBeVisible();
});

test("Cancel is dimmed until something is pending, and drops it", async ({ page, site }) => {
  await enter(page, site);
  const account = accountOf(page);
  const cancel = account.getByRole("link", { name: "Cancel" });
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await account.getByLabel("First Name").fill("Zoë");
  await expect(cancel).toHaveAttribute("aria-disabled", "false");
  await account.getByLabel("First Name").fill("Ines");
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await account.getByLabel("First Name").fill("");
  await saveButton(page).click();
  await expect(account.getByRole("alert")).toBeFocused();
  await expect(account.getByRole("alert")).toContainText("You need to enter a first name.");
  await expect(page).toHaveTitle("Error: My Account – Dormouse");
  await cancel.click();
  await expect(account.getByLabel("First Name")).toHaveValue("Ines");
  await expect(account.getByRole("alert")).toHaveCount(0);
  await expect(cancel).toHaveAttribute("aria-disabled", "true");
  await expect(page).toHaveTitle("My Account – Dormouse");
});

test("what was typed survives a slip of the Escape key, and is gone once it was cancelled or saved", async ({
  page,
  site,
}) => {
  await enter(page, site);
  const firstName = accountOf(page).getByLabel("First Name");
  await firstName.fill("Zoë");
  await page.keyboard.press("Escape");
  await expect(accountOf(page)).toHaveCount(0);
  await openByAvatar(page);
  await expect(firstName).toHaveValue("Zoë");
  await accountOf(page).getByRole("link", { name: "Cancel" }).click();
  await expect(firstName).toHaveValue("Ines");
  await page.keyboard.press("Escape");
  await openByAvatar(page);
  await expect(firstName).toHaveValue("Ines");
  await firstName.fill("Zoë");
  await saveButton(page).click();
  await expect(accountOf(page).getByRole("status").filter({ hasText: "Your details are saved." })).toBeFocused();
  await expect(firstName).toHaveValue("Zoë");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Account of Zoë Marlow" })).toBeFocused();
});

test("saving is said while it lasts and cannot be pressed twice", async ({ page, site }) => {
  await enter(page, site);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route("**/_.data*", async (route) => {
    if (route.request().method() === "POST") posts += 1;
    await gate.promise;
    await route.continue();
  });
  await accountOf(page).getByLabel("First Name").fill("Zoë");
  await saveButton(page).click();
  const saving = accountOf(page).getByRole("button", { name: "Saving..." });
  await expect(saving).toBeVisible();
  await saving.click({ force: true });
  gate.resolve();
  await expect(accountOf(page).getByText("Your details are saved.")).toBeVisible();
  expect(posts).toBe(1);
});

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
  await page.getByLabel("Validation code").fill(codeIn(await waitForLetter(site, email, "Choose a new password")));
  await press("Check code", "Checking...", "Enter you new password");
  await page.getByLabel("Password", { exact: true }).fill("moss-lantern-42");
  await page.getByLabel("Confirm password").fill("moss-lantern-42");
  await press("Change password", "Changing password...", "Your password has been reset");
  gate.resolve();
});

test("another address asks for the password as it is typed, and its code proves it", async ({ page, site }) => {
  const old = await enter(page, site);
  const fresh = `new-${old}`;
  const account = accountOf(page);
  const password = account.locator("#currentPassword");
  await expect(password).toHaveCount(0);
  await account.getByLabel("Email Address").fill(fresh);
  await password.fill("wrong");
  await saveButton(page).click();
  await expect(account.getByRole("alert")).toContainText("This is not your current password.");
  await password.fill("sleep-well-tonight");
  await saveButton(page).click();
  await expect(account.getByText(`We have sent a code to ${fresh}. ${old} works until it is confirmed.`)).toBeVisible();
  await expect(account.getByLabel("Email Address")).toHaveValue(old);
  await account.getByLabel("Validation code").fill("12");
  await account.getByRole("button", { name: "Check code" }).click();
  await expect(account.getByRole("alert")).toContainText("This is not the code that we sent you.");
  await account.getByLabel("Validation code").fill(codeIn(await waitForLetter(site, fresh, "Confirm")));
  await account.getByRole("button", { name: "Check code" }).click();
  await expect(account.getByText("Your email address is changed.")).toBeVisible();
  await expect(account.getByLabel("Email Address")).toHaveValue(fresh);
});

/** Drags a file over the field, and drops it if that is wanted. */
async function drag(page: Page, file: { name: string; type: string; size?: number; text?: string }, isDropped = false) {
  const transfer = await page.evaluateHandle(({ name, type, size, text = "x" }) => {
    const data = new DataTransfer();
    data.items.add(new File(size === undefined ? [text] : [new Uint8Array(size)], name, { type }));
    return data;
  }, file);
  const zone = accountOf(page).getByText("Click to upload or drag and drop");
  await zone.dispatchEvent("dragover", { dataTransfer: transfer });
  if (isDropped) await zone.dispatchEvent("drop", { dataTransfer: transfer });
}

test("a wrong file is told so while it hangs over the field, and refused when it is dropped", async ({
  page,
  site,
}) => {
  await enter(page, site);
  const account = accountOf(page);
  const hover = account.getByText("File type/size error, Hovered on types!");
  await drag(page, { name: "notes.txt", type: "text/plain" });
  await expect(hover).toBeVisible();
  await drag(page, { name: "me.png", type: "image/png" });
  await expect(hover).toHaveCount(0);
  for (const [file, sentence] of [
    [{ name: "notes.txt", type: "text/plain" }, "File type is not supported"],
    [{ name: "me.png", type: "image/png", size: 0 }, "File size is too small"],
    [{ name: "me.JPG", type: "image/jpeg", size: 5 * 1024 * 1024 + 1 }, "File size is too big"],
  ] as const) {
    await drag(page, file, true);
    await expect(account.getByText(sentence)).toBeVisible();
    await expect(hover).toHaveCount(0);
    await expect(account.getByLabel("Profile Picture")).toHaveValue("");
    await expect(account.getByLabel("Profile Picture")).toHaveAccessibleDescription(new RegExp(sentence));
    await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
  }
});

test("a picture that is dropped is seen before it is saved, and in the bar after", async ({ page, site }) => {
  await enter(page, site);
  const account = accountOf(page);
  await drag(
    page,
    { name: "drawn.svg", type: "image/svg+xml", text: svg('<rect width="80" height="40"/>').toString() },
    true,
  );
  await expect(account.getByRole("status").filter({ hasText: "drawn.svg" })).toBeVisible();
  await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
  const preview = account.getByRole("img", { name: "The picture that you have chosen" });
  await expect(preview).toBeVisible();
  const colour = () =>
    preview.evaluate((canvas) => [
      ...((canvas as HTMLCanvasElement).getContext("2d")?.getImageData(80, 80, 1, 1).data ?? []),
    ]);
  await expect.poll(colour).toEqual([220, 20, 30, 255]);
  await drag(
    page,
    { name: "drawn.svg", type: "image/svg+xml", text: svg('<rect width="80" height="40"/>').toString() },
    true,
  );
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button img")).toHaveJSProperty("naturalWidth", 800);
  await account.getByRole("button", { name: "Remove picture" }).click();
  await expect(account.getByText("Your picture is removed.")).toBeVisible();
  await expect(page.locator("#account-button img")).toHaveCount(0);
});

test("looking for a picture and choosing none, or the same again, closes nothing", async ({ page, site }) => {
  await enter(page, site);
  const picture = accountOf(page).getByLabel("Profile Picture");
  await picture.setInputFiles(await pngFile());
  await picture.setInputFiles(await pngFile());
  await picture.dispatchEvent("cancel", { bubbles: true });
  await expect(accountOf(page).getByRole("img", { name: "The picture that you have chosen" })).toBeVisible();
});

test("a change made in another tab is shown beside what was typed", async ({ page, context, site }) => {
  await enter(page, site);
  const other = await context.newPage();
  await other.goto(site.url("/?account=open"));
  await other.getByLabel("First Name").fill("Adele");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Your details are saved.")).toBeVisible();
  const account = accountOf(page);
  await account.getByLabel("First Name").fill("Adeline");
  await saveButton(page).click();
  await expect(account.getByRole("alert")).toContainText("Your details were changed elsewhere meanwhile");
  await expect(account.getByLabel("First Name")).toHaveValue("Adeline");
  await expect(account.getByLabel("First Name")).toHaveAccessibleDescription("By now: Adele");
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Adeline Marlow");
});

test("devices are named, and signed out from here", async ({ page, browser, site }) => {
  const email = await enter(page, site);
  const elsewhere = await browser.newContext({
    userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
  });
  const phone = await elsewhere.newPage();
  await phone.goto(site.url("/login"));
  await fillLogIn(phone, email);
  await expect(phone).toHaveURL(site.url("/"));
  await page.reload();
  const devices = part(page, "Devices");
  await devices.getByText("Devices").click();
  await expect(devices.getByRole("listitem").filter({ hasText: ", this device" })).toHaveCount(1);
  await expect(devices.getByRole("listitem").filter({ hasText: "Firefox on Android" })).toBeVisible();
  await devices.getByRole("button", { name: "Sign out Firefox on Android" }).click();
  await expect(devices.getByRole("status").filter({ hasText: "That device is signed out." })).toBeFocused();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await phone.reload();
  await expect(phone).toHaveURL(site.url("/signup"));
  await elsewhere.close();
});

test("the password is changed by who knows it", async ({ page, site }) => {
  await enter(page, site);
  const form = part(page, "Change password");
  await form.getByText("Change password").first().click();
  await form.getByLabel("Current password").fill("wrong");
  await form.getByLabel("New password", { exact: true }).fill("moss-lantern-42");
  await form.getByLabel("Confirm new password").fill("moss-lantern-42");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByRole("alert")).toBeFocused();
  await form.getByLabel("Current password").fill("sleep-well-tonight");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByRole("status").filter({ hasText: "Your password is changed." })).toBeFocused();
});

test("a member takes their data along", async ({ page, site }) => {
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

test("an account is closed for good only after its password, and leads out", async ({ page, site }) => {
  const email = await enter(page, site);
  const close = part(page, "Close my account");
  await close.getByText("Close my account").first().click();
  await close.getByLabel("Your password").fill("wrong");
  await close.getByRole("button", { name: "Close my account" }).click();
  await expect(close.getByRole("alert")).toContainText("This is not your current password.");
  await close.getByLabel("Your password").fill("sleep-well-tonight");
  await close.getByRole("button", { name: "Close my account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account is closed" })).toBeVisible();
  await page.goBack();
  await expect(accountOf(page)).toHaveCount(0);
  await site.open("/login");
  await fillLogIn(page, email);
  await expect(page.getByRole("alert")).toBeVisible();
});

test("a member without a subscription finds their account behind the avatar", async ({ page, site }) => {
  await site.logIn("lapsed@dormouse.example");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await expect(accountOf(page).getByText("lapsed@dormouse.example")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "No active subscription." })).toBeVisible();
});

for (const script of ["on", "off"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script === "on" });

    test("a form that was sent too late comes back after log-in with what was typed", async ({ page, site }) => {
      const email = await enter(page, site, "/?view=read");
      const account = accountOf(page);
      await account.getByLabel("First Name").fill("Zoë");
      await account.getByLabel("Surname").fill("Lovell-Fenn");
      await page.context().clearCookies();
      await saveButton(page).click();
      await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
      await fillLogIn(page, email);
      await expect(account.getByText("You had been logged out. This is what you had typed.")).toBeVisible();
      await expect(page).toHaveURL(site.url("/?view=read&account=open"));
      await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
      await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
      await saveButton(page).click();
      await expect(account.getByText("Your details are saved.")).toBeVisible();
    });
  });
}

test.describe("without script", () => {
  test.use({ script: "off", javaScriptEnabled: false });

  test("what a form far down has to say is in view", async ({ page, site }) => {
    const email = await addMember(site);
    await logIn(page, site, email);
    await page.setViewportSize({ width: 390, height: 600 });
    await site.open("/?account=close");
    const close = part(page, "Close my account");
    await close.getByLabel("Your password").fill("wrong");
    await close.getByRole("button", { name: "Close my account" }).click();
    await expect(close.getByRole("alert")).toBeInViewport();
    await site.open("/?account=password");
    const form = part(page, "Change password");
    await form.getByLabel("Current password").fill("sleep-well-tonight");
    await form.getByLabel("New password", { exact: true }).fill("moss-lantern-42");
    await form.getByLabel("Confirm new password").fill("moss-lantern-42");
    await form.getByRole("button", { name: "Change password" }).click();
    await expect(form.getByText("Your password is changed.")).toBeInViewport();
  });
});

test("without its own script it still is a form over the page", async ({ page, site }) => {
  const email = await addMember(site);
  await page.route("**/account-content-*.js", (route) => route.abort());
  await logIn(page, site, email);
  await openByAvatar(page);
  await accountOf(page).getByLabel("First Name").fill("Zoë");
  await saveButton(page).click();
  await expect(page.getByRole("button", { name: "Account of Zoë Marlow", includeHidden: true })).toBeAttached();
  await accountOf(page).getByRole("link", { name: "Close" }).click();
  await expect(accountOf(page)).toHaveCount(0);
});

test.describe("under a path", () => {
  test.use({ isUnderPath: true });

  test("details are saved, data downloaded and the account closed as at the root", async ({ page, site }) => {
    await enter(page, site, "/?view=read");
    await accountOf(page).getByLabel("First Name").fill("Zoë");
    await accountOf(page)
      .getByLabel("Profile Picture")
      .setInputFiles(await pngFile());
    await saveButton(page).click();
    await expect(accountOf(page).getByText("Your details are saved.")).toBeVisible();
    await expect(page.locator("#account-button img")).toHaveJSProperty("naturalWidth", 60);
    await part(page, "Your data").getByText("Your data").click();
    const arriving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download my data" }).click();
    expect((await arriving).url()).toBe(site.url("/account-data"));
    const close = part(page, "Close my account");
    await close.getByText("Close my account").first().click();
    await close.getByLabel("Your password").fill("sleep-well-tonight");
    await close.getByRole("button", { name: "Close my account" }).click();
    await expect(page).toHaveURL(site.url("/login?done=closed"));
  });
});

test.describe("with late script", () => {
  test.use({ script: "late" });

  test("what is being typed keeps its place and the focus", async ({ page, site }) => {
    const email = await addMember(site);
    await logIn(page, site, email);
    await site.open("/?account=open");
    const firstName = accountOf(page).getByLabel("First Name");
    await firstName.fill("Zo");
    await site.letScriptArrive();
    await expect(accountOf(page).getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled");
    await expect(firstName).toBeFocused();
    await page.keyboard.type("ë");
    await expect(firstName).toHaveValue("Zoë");
  });
});
