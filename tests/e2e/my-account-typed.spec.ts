import { expect, fillLogIn, loseSession, test } from "./fixtures.ts";
import { findAccount, enter, openByAvatar, pngFile, saveButton } from "./my-account.ts";
import { holdRequests, loseConnection } from "./network.ts";
import { addMember } from "./new-member.ts";

/** Text that is typed into My Account stays until it is saved or cancelled, for its member alone. */

test("what was typed survives Escape, and is gone once it was cancelled or saved", async ({ page, site }) => {
  await enter(page, site);
  const firstName = findAccount(page).getByLabel("First Name");
  await firstName.fill("Zoë");
  await page.keyboard.press("Escape");
  await expect(findAccount(page)).toHaveCount(0);
  await openByAvatar(page);
  await expect(firstName).toHaveValue("Zoë");
  await findAccount(page).getByRole("link", { name: "Cancel" }).click();
  await expect(firstName).toHaveValue("Ines");
  await page.keyboard.press("Escape");
  await openByAvatar(page);
  await expect(firstName).toHaveValue("Ines");
  await firstName.fill("Zo");
  await page.keyboard.press("Escape");
  await openByAvatar(page);
  await expect(firstName).toHaveValue("Zo");
  await firstName.fill("Zoë");
  await saveButton(page).click();
  await expect(findAccount(page).getByRole("status").filter({ hasText: "Your details are saved." })).toBeFocused();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Zoë Marlow");
  await expect(firstName).toHaveValue("Zoë");
  await expect(findAccount(page).getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Account of Zoë Marlow" })).toBeFocused();
});

test("one member's typing is not shown to the next on the same page", async ({ page, site }) => {
  await enter(page, site);
  const email = findAccount(page).getByLabel("Email Address");
  await email.fill("mine@example.org");
  await page.keyboard.press("Escape");
  await expect(findAccount(page)).toHaveCount(0);
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await loseSession(page);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Log In" }).click();
  const other = await addMember(site);
  await fillLogIn(page, other);
  await expect(email).toHaveValue(other);
  await expect(page.locator("body")).toHaveAttribute("data-same", "page");
});

test("without a connection the form keeps what was typed, says so, and is sent when the connection is back @core", async ({
  page,
  site,
}) => {
  const fresh = `new-${await enter(page, site)}`;
  const account = findAccount(page);
  const offline = account.getByRole("group", { name: "Error" }).filter({ hasText: "You seem to be offline." });
  await account.getByLabel("First Name").fill("Zoë");
  await account.getByLabel("Email Address").fill(fresh);
  await account.locator("[name=currentPassword]").fill("sleep-well-tonight");
  let reconnect = await loseConnection(page);
  await saveButton(page).click();
  await expect(offline).toBeFocused();
  await expect(offline).toContainText("What you typed is still here. Send it again when you're back online.");
  await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
  await reconnect();
  await saveButton(page).click();
  await expect(account.getByText(`Check your inbox at ${fresh} to finish.`)).toBeVisible();
  await expect(account.getByLabel("First Name")).toHaveValue("Zoë");

  reconnect = await loseConnection(page);
  await account.getByRole("button", { name: "Cancel this change" }).click();
  await expect(offline).toContainText("Try again when you're back online.");
  await reconnect();
  await account.getByRole("button", { name: "Cancel this change" }).click();
  await expect(account.getByText("Your email address stays the same.")).toBeVisible();
});

test("a surname typed before does not restore a first name changed elsewhere", async ({ page, context, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  await account.getByLabel("Surname").fill("Lovell-Fenn");
  await page.keyboard.press("Escape");
  await expect(account).toHaveCount(0);
  const other = await context.newPage();
  await other.goto(site.url("/?account=open"));
  await other.getByLabel("First Name").fill("Adele");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Your details are saved.")).toBeVisible();
  await openByAvatar(page);
  await expect(account.getByLabel("First Name")).toHaveValue("Adele");
  await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Adele Lovell-Fenn");
});

test("what is typed during a save waits for the next one", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  const requests = await holdRequests(page, "forms");
  await account.getByLabel("First Name").fill("Zoë");
  await saveButton(page).click();
  const saving = account.getByRole("button", { name: "Saving..." });
  await expect(saving).toBeVisible();
  await account.getByLabel("First Name").fill("Ines");
  await account.getByLabel("Surname").fill("Lovell-Fenn");
  await saving.click({ force: true });
  requests.release();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Zoë Marlow");
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  expect(requests.forms).toBe(1);
  await expect(account.getByLabel("First Name")).toHaveValue("Ines");
  await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
  await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "false");
  await saveButton(page).click();
  await expect(page.locator("#account-button")).toHaveAccessibleName("Account of Ines Lovell-Fenn");
  await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
});

test("typing that log-in restored survives removing the picture", async ({ page, site }) => {
  const email = await enter(page, site);
  const account = findAccount(page);
  await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
  await saveButton(page).click();
  await expect(account.getByText("Your details are saved.")).toBeVisible();
  await account.getByLabel("First Name").fill("Zoë");
  await loseSession(page);
  await saveButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  // A reload clears the page's memory.
  await site.open(page.url().replace(site.url("/"), "/"));
  await fillLogIn(page, email);
  await expect(account.getByText("Here is what you typed.")).toBeVisible();
  await account.getByRole("button", { name: "Remove picture" }).click();
  await expect(account.getByText("Your picture is removed.")).toBeVisible();
  await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
});

test("what is typed while the form of the saved details is being made stays", async ({ page, site }) => {
  await enter(page, site);
  const account = findAccount(page);
  await account.getByLabel("Profile Picture").setInputFiles(await pngFile());
  await account.getByLabel("First Name").fill("Zo");
  // On a slow phone React makes the next form long before it shows it.
  await page.evaluate(() => {
    const createElement = document.createElement.bind(document);
    document.createElement = (name: string) => {
      const field = document.querySelector<HTMLInputElement>("#profile-firstName");
      if (name === "form" && field && document.body.innerText.includes("Your details are saved.")) {
        field.value = "Zoë";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        document.body.dataset.typed = "";
      }
      return createElement(name);
    };
  });
  await saveButton(page).click();
  await expect(account.getByRole("button", { name: "Remove picture" })).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-typed");
  await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
  await expect(account.getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled", "false");
});

for (const script of ["on", "off"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script === "on" });

    test("a form that was sent too late comes back after log-in with what was typed", async ({ page, site }) => {
      const email = await enter(page, site, "/?view=read");
      const account = findAccount(page);
      await account.getByLabel("First Name").fill("Zoë");
      await account.getByLabel("Surname").fill("Lovell-Fenn");
      await loseSession(page);
      await saveButton(page).click();
      await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
      await fillLogIn(page, email);
      await expect(account.getByText("You were logged out. Here is what you typed.")).toBeVisible();
      // Without script the form has led to its place on the page.
      await expect(page).toHaveURL(/\/\?view=read&account=open(#account-title)?$/);
      await expect(account.getByLabel("First Name")).toHaveValue("Zoë");
      await expect(account.getByLabel("Surname")).toHaveValue("Lovell-Fenn");
      await saveButton(page).click();
      await expect(account.getByText("Your details are saved.")).toBeVisible();
    });
  });
}
