import type { Page } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { expect, fillLogIn, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

/** A passkey belongs to a host name, and an address is none. */
const byName = (address: string) => address.replace("127.0.0.1", "localhost");

/** A device whose screen lock always opens. */
async function addScreenLock(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, ...verified },
  });
}

/** The browser offers nothing in the email field here, because it would log in before the test presses the button. */
const WITHOUT_OFFER = "/login?to=%2F%3Fview%3Dread";

const row = "Log in with your face, finger or screen lock";

test("a member adds a passkey, logs in by one tap and from the email field, and removes it @core", async ({
  browser,
  site,
}) => {
  const email = await addMember(site);
  const context = await browser.newContext();
  const page = await context.newPage();
  await addScreenLock(page);
  await page.addInitScript(() => {
    const isOffered = !location.search.includes("view");
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(isOffered);
  });
  await page.goto(byName(site.url("/login?to=%2F%3Faccount%3Dpasskeys")));
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await fillLogIn(page, email, DEMO_PASSWORD);
  const account = page.getByRole("dialog", { name: "My Account" });
  await expect(account.getByRole("heading", { name: row })).toBeVisible();
  await account.getByRole("button", { name: "Add a passkey" }).click();
  await expect(account.getByText("From now on this device can log you in.")).toBeVisible();
  await account.getByRole("button", { name: "Add a passkey" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toContainText("This device has a passkey already.");

  await page.context().clearCookies();
  await page.goto(byName(site.url(WITHOUT_OFFER)));
  const button = page.getByRole("button", { name: "Use a passkey" });
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeVisible();

  // The browser offers the passkey in the email field and picks it itself, without a press.
  await page.context().clearCookies();
  await page.goto(byName(site.url("/login?to=%2F%3Faccount%3Dpasskeys")));
  await expect(account.getByRole("heading", { name: row })).toBeVisible();

  await account.getByRole("button", { name: /^Remove/ }).click();
  await expect(account.getByText("That passkey is removed.")).toBeVisible();
  await page.context().clearCookies();
  await page.goto(byName(site.url(WITHOUT_OFFER)));
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText("We couldn't accept this passkey.");
  await context.close();
});

test("without script, and at an address of digits, no passkey is shown", async ({ browser, page, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(byName(site.url("/login")));
  await expect(plain.getByRole("link", { name: "Email me a link" })).toBeVisible();
  await expect(plain.getByRole("button", { name: "Use a passkey" })).toBeHidden();
  await context.close();
  await page.goto(site.url("/login"));
  await expect(page.getByRole("link", { name: "Email me a link" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
});
