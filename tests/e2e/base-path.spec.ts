import { linkIn } from "../helpers/mailbox.ts";
import { expect, fillLogIn, test, waitForLooks } from "./fixtures.ts";
import { findAccount, enter, part, pngFile, saveButton } from "./my-account.ts";
import { arriveAtContent, payBy, readVerification, waitForEmail, walkToPayment } from "./sign-up-steps.ts";

test.use({ isUnderPath: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(`under /members/, script ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled, script: javaScriptEnabled ? "on" : "off" });

    test("a journey never leaves the path", async ({ page, site }) => {
      const addresses: string[] = [];
      page.on("request", (request) => addresses.push(new URL(request.url()).pathname));
      await site.open("/?view=read&item=1003");
      expect(new URL(page.url()).pathname).toBe("/members/signup");
      await page.getByRole("link", { name: "Log in", exact: true }).last().click();
      await fillLogIn(page, "member@dormouse.example", "wrong");
      await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
      await fillLogIn(page, "member@dormouse.example");
      await expect(page).toHaveURL(site.url("/?view=read&item=1003"));

      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Videos" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
      await page
        .getByRole("main")
        .getByRole("link", { name: "Stars over the tent: something quiet to look at" })
        .click();
      await page.getByRole("link", { name: /^Play:/ }).click();
      await expect(page.locator("video source").first()).toHaveAttribute(
        "src",
        "/members/media/stars-over-the-tent.mp4",
      );
      await page.getByRole("link", { name: "Close video" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      // Without its style sheet a page shows both buttons, and one of them leaves the scheme.
      await waitForLooks(page);
      await page.getByRole("button", { name: /Account of/ }).click();
      await page.getByRole("button", { name: /Switch to the (?:light|dark) scheme/ }).click();
      await expect(page.locator("html")).toHaveAttribute("data-scheme", /night|dawn/);
      await page.getByRole("link", { name: "Dormouse", exact: true }).click();
      await expect(page).toHaveURL(site.url("/"));
      await page.getByRole("link", { name: "Awake now" }).click();
      await page.getByRole("link", { name: "Another" }).click();
      await page.getByRole("link", { name: "Back to Dormouse" }).click();
      await expect(page).toHaveURL(site.url("/"));
      await page.getByRole("button", { name: /Account of/ }).click();
      await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
      await expect(page).toHaveURL(site.url("/login"));
      expect(addresses.filter((path) => !path.startsWith("/members/"))).toEqual([]);
    });

    test("a sign-up, its emails, the bank's page and the receipt never leave the path", async ({ page, site }) => {
      const paths: string[] = [];
      page.on("request", (request) => paths.push(new URL(request.url()).pathname));
      const email = await walkToPayment(page, site);
      expect((await readVerification(site, email)).link).toMatch(site.url("/signup?verify="));
      await payBy(page, site, "authentication");
      await page.getByRole("button", { name: "Complete" }).click();
      await arriveAtContent(page);
      const receipt = linkIn(await waitForEmail(site, email, "Your receipt"));
      expect(receipt).toMatch(site.url("/?receipt="));
      await page.goto(receipt);
      await expect(page.getByRole("heading", { level: 1, name: "Receipt" })).toBeVisible();
      expect(paths.filter((path) => !path.startsWith("/members/"))).toEqual([]);
    });
  });
}

test("details are saved, data downloaded and the account closed as at the root", async ({ page, site }) => {
  await enter(page, site, "/?view=read");
  await findAccount(page).getByLabel("First Name").fill("Zoë");
  await findAccount(page)
    .getByLabel("Profile Picture")
    .setInputFiles(await pngFile());
  await saveButton(page).click();
  await expect(findAccount(page).getByText("Your details are saved.")).toBeVisible();
  await expect(page.locator("#account-button img")).toHaveJSProperty("naturalWidth", 60);
  await part(page, "Your data").getByText("Your data").click();
  const arriving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download my data" }).click();
  expect((await arriving).url()).toBe(site.url("/account-data"));
  const close = part(page, "Delete account");
  await close.getByText("Delete account").click();
  await close.getByLabel("Your password").fill("sleep-well-tonight");
  await close.getByRole("button", { name: "Close my account" }).click();
  await expect(page).toHaveURL(site.url("/login?done=closed"));
});
