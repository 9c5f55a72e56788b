import { expect, test } from "./fixtures.ts";

/** A worker stores the pages. */
test.use({ serviceWorkers: "allow" });

/** Features that older browsers lack, or that people switch off. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const lacking: [object, string[]][] = [
      [Navigator.prototype, ["storage", "sendBeacon", "mediaSession", "share", "locks"]],
      [HTMLElement.prototype, ["hidePopover", "showPopover"]],
      [Element.prototype, ["ariaLabel"]],
      [URL, ["parse", "canParse"]],
      [AbortSignal, ["any", "timeout"]],
      [window, ["structuredClone", "requestIdleCallback", "BroadcastChannel", "createImageBitmap", "scheduler"]],
      [Crypto.prototype, ["randomUUID"]],
      [HTMLVideoElement.prototype, ["requestPictureInPicture"]],
    ];
    for (const [owner, names] of lacking) for (const name of names) Reflect.deleteProperty(owner, name);
  });
});

test("a browser without newer APIs does all that needs none of them", async ({ page, site }) => {
  await site.logIn({ path: "/" });
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeFocused();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await page.getByLabel("Profile Picture").setInputFiles("public/favicon.ico");
  await page.getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // A recording plays and is stored on the device, and the screen goes dark.
  const opened = page.waitForRequest("**/positions");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Read" }).click();
  await page.getByRole("region", { name: "Featured Articles" }).getByRole("link").first().click();
  expect((await opened).postData()).toMatch(/^open=read-/);
  await page.getByRole("link", { name: "Back to Read" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeFocused();
  expect(await page.evaluate(() => document.body.dataset.same)).toBe("page");

  await page.clock.install();
  await site.open("/?view=watch&item=4001");
  const timer = page.getByRole("group", { name: "Sleep timer" });
  await timer.getByText("Other times").click();
  await timer.getByRole("button", { name: "10 minutes" }).click();
  await page.locator("audio").evaluate((sound: HTMLAudioElement) => sound.play());
  await page.clock.fastForward("10:01");
  await expect(page.getByRole("dialog", { name: "The screen is dark" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.locator("[data-keep]").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
});
