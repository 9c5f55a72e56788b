import { expect, test } from "./fixtures.ts";
import { findAccount, enter, openByAvatar, part, saveButton } from "./my-account.ts";
import { addMember } from "./new-member.ts";

test("the dialog takes the focus, keeps it, and gives it back @core", async ({ page, site }) => {
  await enter(page, site);
  await expect(findAccount(page)).toBeFocused();
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
  await expect(findAccount(page)).toHaveCount(0);
  await expect(page).toHaveURL(site.url("/?view=watch"));
  await expect(page.getByRole("button", { name: /^Account of/ })).toBeFocused();
});

for (const [menu, opener, link] of [
  ["the menu of one's picture", /^Account of/, "My Details"],
  ["the menu of a phone", "Menu", "My Account"],
] as const) {
  test(`the page stays where it is under a dialog that was opened from ${menu} @core`, async ({ page, site }) => {
    if (link === "My Account") await page.setViewportSize({ width: 390, height: 844 });
    await site.logIn({ path: "/?view=watch" });
    await site.letScriptArrive();
    await page.getByRole("button", { name: opener, exact: typeof opener === "string" }).click();
    await page.evaluate(() => window.scrollTo({ top: 300, behavior: "instant" }));
    await page.evaluate(() => (document.body.dataset.same = "page"));
    // Playwright's click would scroll to the link.
    await page.getByRole("link", { name: link, exact: true }).dispatchEvent("click", { button: 0 });
    await expect(findAccount(page)).toBeVisible();
    expect(await page.evaluate(() => [window.scrollY, document.body.dataset.same])).toEqual([300, "page"]);
    await expect(page.locator("html")).toHaveCSS("overflow-y", "hidden");
  });
}

test("Back closes the dialog and Forward opens it, on the same page @core", async ({ page, site }) => {
  await enter(page, site);
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await page.goBack();
  await expect(findAccount(page)).toHaveCount(0);
  await page.goForward();
  await expect(findAccount(page)).toBeVisible();
  await findAccount(page).getByRole("link", { name: "Close" }).click();
  await expect(findAccount(page)).toHaveCount(0);
  await expect(page).toHaveURL(site.url("/?view=watch"));
  expect(await page.evaluate(() => document.body.dataset.same)).toBe("page");
});

test("the dialog slides in from the side, except with reduced motion", async ({ page, site }) => {
  await enter(page, site);
  const animation = () => findAccount(page).evaluate((dialog) => getComputedStyle(dialog).animationDuration);
  expect(await animation()).toBe("0.23s");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await animation()).toBe("0.02s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await findAccount(page).evaluate((dialog) => getComputedStyle(dialog).animationName)).toBe("none");
  await page.reload();
  await expect(findAccount(page)).toBeVisible();
});

test("a member without a subscription finds their account behind the avatar", async ({ page, site }) => {
  await site.logIn({ email: "lapsed@dormouse.example" });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("link", { name: "My Details" }).click();
  await expect(findAccount(page).getByText("lapsed@dormouse.example")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "No active subscription." })).toBeVisible();
});

test("without its own script the dialog is still a form over the page", async ({ page, site }) => {
  const email = await addMember(site);
  await page.route("**/account-content-*.js", (route) => route.abort());
  await site.logIn({ email });
  await openByAvatar(page);
  await findAccount(page).getByLabel("First Name").fill("Zoë");
  await saveButton(page).click();
  await expect(page.getByRole("button", { name: "Account of Zoë Marlow", includeHidden: true })).toBeAttached();
  await findAccount(page).getByRole("link", { name: "Close" }).click();
  await expect(findAccount(page)).toHaveCount(0);
});

for (const script of ["on", "off"] as const) {
  test.describe(`on a phone with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script === "on", viewport: { width: 390, height: 844 } });

    test("an address that names a part shows it", async ({ page, site }) => {
      const email = await addMember(site);
      for (const name of ["membership", "close"]) {
        await site.logIn({ email, path: `/?account=${name}` });
        const target = findAccount(page).locator(`#account-${name}`);
        await expect(target.getByRole("heading")).toBeInViewport({ ratio: 1 });
        await expect(target.locator("p").first()).toBeInViewport({ ratio: 1 });
      }
    });
  });
}

test.describe("with late script", () => {
  test.use({ script: "late" });

  test("typing keeps its place and the focus when script arrives @core", async ({ page, site }) => {
    const email = await addMember(site);
    await site.logIn({ email, path: "/?account=open" });
    const firstName = findAccount(page).getByLabel("First Name");
    await firstName.fill("Zo");
    await site.letScriptArrive();
    await expect(findAccount(page).getByRole("link", { name: "Cancel" })).toHaveAttribute("aria-disabled");
    await expect(firstName).toBeFocused();
    await page.keyboard.type("ë");
    await expect(firstName).toHaveValue("Zoë");
  });

  test("a form refused before script arrives gets the focus afterwards", async ({ page, site }) => {
    await site.logIn({ email: await addMember(site), path: "/?account=close" });
    const close = part(page, "Delete account");
    await close.getByLabel("Your password").fill("wrong");
    await close.getByRole("button", { name: "Close my account" }).click();
    const refusal = close.getByRole("group", { name: "Error" });
    await expect(refusal).toBeVisible();
    await site.letScriptArrive();
    await expect(refusal).toBeFocused();
  });
});
