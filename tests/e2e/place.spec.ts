import { expect, test, LAST_TILE } from "./fixtures.ts";
import { choosePlan, fillDetails, makeEmail, sendDetails } from "./sign-up-steps.ts";

/** Where a reader is after a navigation: scroll position, focus, and how they return. */

test("Back from an item finds the list where it was left @core", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  const card = page.getByRole("link", { name: "A body scan, lying down" });
  await card.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(200);
  await card.click();
  await expect(page.getByRole("heading", { level: 1, name: "A body scan, lying down" })).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test("the step that a form leads to begins at its top", async ({ page, site }) => {
  const readScroll = () => page.evaluate(() => window.scrollY);
  await page.setViewportSize({ width: 390, height: 600 });
  await site.open("/signup?step=1");
  await fillDetails(page, makeEmail());
  expect(await readScroll()).toBeGreaterThan(0);
  await sendDetails(page);
  await expect.poll(readScroll).toBe(0);
  await choosePlan(page, "Yearly");
  await expect.poll(readScroll).toBe(0);
});

test("the way back from an item leads to its list after a step to a place on its page", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  await page.getByRole("link", { name: "A body scan, lying down" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "A body scan, lying down" })).toBeVisible();
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
});

test("the way back from an item leads to its list, not to the page before", async ({ page, site }) => {
  await site.logIn();
  await page.getByRole("link", { name: LAST_TILE }).click();
  await page.getByRole("link", { name: "Shift work: a darker bedroom by day", exact: true }).first().click();
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
});

test("a place on a page gets the focus, and a dialog gives it back", async ({ page, site }) => {
  await site.logIn({ path: "/?q=dark+screen+small+pale+moon&type=watches" });
  await page.getByRole("link", { name: "Watch Now: Breathe with the moon" }).press("Enter");
  await expect(page.getByText("In the middle is a small, pale moon.")).toBeFocused();
  const play = page.getByRole("link", { name: /^Play:/ });
  await play.press("Enter");
  await expect(page.getByRole("dialog", { name: "Breathe with the moon" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/#transcript-\d+$/);
  await expect(play).toBeFocused();
  const account = page.getByRole("button", { name: /^Account of/ });
  await account.press("Enter");
  await page.getByRole("link", { name: "My Details" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "My Account" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/#transcript-\d+$/);
  await expect(account).toBeFocused();
});

test.describe("where motion is not welcome", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("the way up jumps and leaves no step in history", async ({ page, site }) => {
    await site.logIn({ path: "/?view=read" });
    await page
      .getByRole("region", { name: "Featured Articles" })
      .getByRole("link", { name: /Waking at 3 am/ })
      .click();
    await page.getByRole("link", { name: "Back to top" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /Waking at 3 am/ })).toBeFocused();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 2, name: "Articles", exact: true })).toBeVisible();
  });
});
