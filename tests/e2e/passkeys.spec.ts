import type { Page } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { expect, fillLogIn, loseSession, test } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { addMember, openServices } from "./new-member.ts";

/** A passkey belongs to a host name, and an address is none. */
const byName = (address: string) => address.replace("127.0.0.1", "localhost");

/** A device whose screen lock always opens; `change` puts another in its place. */
async function addScreenLock(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const add = () => session.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, ...verified } });
  let { authenticatorId } = await add();
  return {
    async change() {
      await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
      ({ authenticatorId } = await add());
    },
  };
}

/** The browser offers passkeys in the email field, but for a log-in that leads to a view. */
async function offerInField(page: Page) {
  await page.addInitScript(() => {
    const isOffered = !location.search.includes("view");
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(isOffered);
  });
}

/** The browser offers nothing in the email field here, because it would log in before the test presses the button. */
const WITHOUT_OFFER = "/login?to=%2F%3Fview%3Dread";

const row = "Log in with your face, finger or screen lock";

for (const isUnderPath of [false, true]) {
  test.describe(isUnderPath ? "under /members/" : "at the root", () => {
    test.use({ isUnderPath });
    const tag = isUnderPath ? "" : " @core";

    test(`a member adds a passkey, logs in by one tap and from the email field, and removes it${tag}`, async ({
      browser,
      site,
    }) => {
      const email = await addMember(site);
      const context = await browser.newContext();
      const page = await context.newPage();
      await addScreenLock(page);
      await offerInField(page);
      await page.goto(byName(site.url("/login?to=%2F%3Faccount%3Dpasskeys")));
      await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
      await fillLogIn(page, email, DEMO_PASSWORD);
      const account = page.getByRole("dialog", { name: "My Account" });
      await expect(account.getByRole("heading", { name: row })).toBeVisible();
      await account.getByRole("button", { name: "Add a passkey" }).click();
      await expect(account.getByText("From now on this device can log you in.")).toBeVisible();
      await account.getByRole("button", { name: "Add a passkey" }).click();
      await expect(account.getByRole("group", { name: "Error" })).toContainText("This device has a passkey already.");

      await loseSession(page);
      await page.goto(byName(site.url(WITHOUT_OFFER)));
      const button = page.getByRole("button", { name: "Use a passkey" });
      await expect(button).toBeVisible();
      await button.click();
      await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeVisible();

      // The browser offers the passkey in the email field and picks it itself, without a press.
      await loseSession(page);
      await page.goto(byName(site.url("/login?to=%2F%3Faccount%3Dpasskeys")));
      await expect(account.getByRole("heading", { name: row })).toBeVisible();

      await account.getByRole("button", { name: /^Remove/ }).click();
      await expect(account.getByText("That passkey is removed.")).toBeVisible();
      await loseSession(page);
      await page.goto(byName(site.url(WITHOUT_OFFER)));
      await expect(button).toBeVisible();
      await button.click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("We couldn't accept this passkey.");
      await context.close();
    });

    test("a member with two passkeys turns the password off, logs in without it, and turns it on", async ({
      browser,
      site,
    }) => {
      const email = await addMember(site);
      const context = await browser.newContext();
      const page = await context.newPage();
      const lock = await addScreenLock(page);
      await offerInField(page);
      const logIn = byName(site.url("/login?to=%2F%3Fview%3Dread%26account%3Dpasskeys"));
      await page.goto(logIn);
      await fillLogIn(page, email, DEMO_PASSWORD);
      const account = page.getByRole("dialog", { name: "My Account" });
      const passkeys = account.getByRole("group").filter({ hasText: row });
      for (const count of [1, 2]) {
        await account.getByRole("button", { name: "Add a passkey" }).click();
        await expect(passkeys.getByRole("listitem")).toHaveCount(count);
        await lock.change();
      }
      await account.getByRole("button", { name: "Add a passkey" }).click();
      await expect(passkeys.getByRole("listitem")).toHaveCount(3);
      if (!isUnderPath) await expectGoodLooks(page, "a member's passkeys");
      await account.getByRole("button", { name: "Turn password off" }).click();
      await expect(account.getByText("Done. We've emailed you how to turn it on again.")).toBeVisible();

      await loseSession(page);
      await page.goto(logIn);
      await fillLogIn(page, email, DEMO_PASSWORD);
      await expect(page.getByRole("group", { name: "Error" })).toContainText("This email and password don't match.");
      if (!isUnderPath) await expectGoodLooks(page, "a log-in with a passkey's button");
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await expect(account.getByRole("button", { name: "Remove" })).toHaveCount(3);
      await account.getByRole("button", { name: "Remove" }).first().click();
      await expect(passkeys.getByRole("listitem")).toHaveCount(2);
      await expect(account.getByRole("button", { name: "Remove" })).toHaveCount(0);
      await account.getByRole("link", { name: "Change password" }).click();
      await expect(account.getByText("Your password is off. You can turn it on again")).toBeVisible();
      if (!isUnderPath) await expectGoodLooks(page, "a password that is off");
      await account.getByRole("button", { name: "Turn password on" }).click();
      await expect(account.getByLabel("Current password")).toBeVisible();

      await loseSession(page);
      await page.goto(logIn);
      await fillLogIn(page, email, DEMO_PASSWORD);
      await expect(account.getByRole("button", { name: "Turn password off" })).toBeVisible();
      await context.close();
    });
  });
}

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

test("a device with a screen lock shows the offer once in a member's life", async ({ browser, site }) => {
  const email = await addMember(site);
  const context = await browser.newContext();
  const page = await context.newPage();
  await addScreenLock(page);
  await page.goto(byName(site.url("/login?to=%2F%3Fview%3Dread")));
  await fillLogIn(page, email, DEMO_PASSWORD);
  await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeVisible();
  // As the page is by day; at night it makes no offer.
  await page.route(byName(site.url("/")), async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('offersPasskey\\",false', 'offersPasskey\\",true');
    await route.fulfill({ response: answer, body });
  });
  const isNoted = page.waitForResponse((answer) => answer.url().endsWith("/passkeys"));
  await page.goto(byName(site.url("/")));
  const offer = page.getByRole("complementary", { name: "Log in without a password" });
  await expect(offer.getByRole("link", { name: "Add a passkey" })).toBeVisible();
  await offer.scrollIntoViewIfNeeded();
  expect((await isNoted).status()).toBe(200);
  await expectGoodLooks(page, "the offer of a passkey");
  const { accounts, memberPasskeys } = await openServices(site);
  const member = await accounts.findByEmail(email);
  expect(await memberPasskeys.isOffered(member?.id ?? 0)).toBe(false);
  await offer.getByRole("button", { name: "No, thanks" }).click();
  await expect(offer).toBeHidden();
  await context.close();
});
