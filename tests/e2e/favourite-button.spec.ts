import { expect, fillLogIn, test } from "./fixtures.ts";
import { addMember, endMembership, endSessions } from "./new-member.ts";

test("fast presses on a slow line end in the state of the last, one request at a time @core", async ({
  page,
  site,
}) => {
  await site.logIn({ email: "team@dormouse.example", path: "/?view=learn" });
  const button = page
    .getByRole("main")
    .getByRole("button", { name: "Favourite: Your body clock: what sets it, and how to shift it" });
  const before = await button.getAttribute("aria-pressed");
  let underWay = 0;
  let most = 0;
  let sent = 0;
  const gate = Promise.withResolvers<void>();
  await page.route("**/favourites.data*", async (route) => {
    underWay += 1;
    sent += 1;
    most = Math.max(most, underWay);
    if (sent === 1) await gate.promise;
    const response = await route.fetch({ maxRedirects: 0 });
    underWay -= 1;
    await route.fulfill({ response });
  });
  for (let press = 1; press <= 11; press += 1) await button.click();
  const wanted = before === "true" ? "false" : "true";
  await expect(button).toHaveAttribute("aria-pressed", wanted);
  gate.resolve();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: /your favourites/ })).toBeAttached();
  await expect.poll(() => underWay).toBe(0);
  expect(most).toBe(1);
  expect(sent).toBeLessThanOrEqual(2);
  await page.unroute("**/favourites.data*");
  await page.reload();
  await expect(button).toHaveAttribute("aria-pressed", wanted);
});

test("a favourite removed on the Favourites page goes from it, with its count, and Undo is in view on a phone @core", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const email = await addMember(site);
  await site.logIn({ email, path: "/?view=watch" });
  for (const key of ["watch-2001", "watch-2005", "learn-3001"]) {
    await site.post("/favourites", { save: key, from: "/?view=favourites" });
  }
  await site.open("/?view=favourites");
  const watch = page.getByRole("region", { name: "Watch" });
  await expect(watch.getByRole("link", { name: "View all (2)" })).toBeVisible();
  const buttons = watch.getByRole("button", { name: /^Favourite: / });
  await buttons.first().focus();
  await page.keyboard.press("Enter");
  await expect(watch.getByRole("link", { name: "View all (1)" })).toBeVisible();
  await expect(buttons).toHaveCount(1);
  const undo = watch.getByRole("button", { name: /^Undo/ });
  await expect(undo).toBeFocused();
  await expect(undo).toBeInViewport({ ratio: 1 });
  await watch.getByRole("button", { name: "Next: Watch" }).click();
  // A press would scroll to a slide that is still gliding in, and the glide would then take it out of view.
  await expect(buttons).toBeInViewport({ ratio: 1 });
  // The card's replacement is lower than the card, and would be above the window's top.
  await buttons.evaluate((button) => button.scrollIntoView());
  await buttons.press("Enter");
  await expect(watch.getByRole("link", { name: "Go to Videos" })).toBeVisible();
  await expect(undo.nth(1)).toBeFocused();
  await expect(undo.nth(1)).toBeInViewport({ ratio: 1 });

  await page.getByRole("region", { name: "Learn" }).getByRole("link", { name: "View all" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Webinars you saved" })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Favourite: / })
    .click();
  await expect(page.getByRole("link", { name: "Go to Webinars" })).toBeVisible();
  // The page shows it before it is saved; a list that is fetched meanwhile would offer Undo.
  await expect(page.getByText("Removed from your favourites.")).toBeAttached();
  await page.getByRole("link", { name: "Back to Favourites" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "No favourites yet..." })).toBeVisible();
});

for (const script of ["on", "off", "blocked", "late"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("a favourite that was removed offers Undo in its place, which brings it back", async ({ page, site }) => {
      await site.logIn({ email: await addMember(site) });
      for (const save of ["watch-2001", "watch-2005", "watch-2006"])
        await site.post("/favourites", { save, from: "/?view=favourites" });
      for (const path of ["/?view=favourites", "/?view=favourites&kind=watch"]) {
        await site.open(path);
        await site.letScriptArrive();
        const places = page.getByRole("main").getByRole("listitem");
        const second = places.nth(1);
        const title = await second.getByRole("link").innerText();
        await second.getByRole("button", { name: `Favourite: ${title}` }).click();
        await expect(second.getByText("Removed from favourites.")).toBeVisible();
        await expect(places).toHaveCount(3);
        // The button shows the change at once, so wait until it is saved before the next page is requested. The answer
        // to the removal may come only now.
        const saved = page.waitForResponse((response) => /\bsave=/.test(response.request().postData() ?? ""));
        await second.getByRole("button", { name: /^Undo/ }).click();
        await saved;
        await expect(page.getByRole("button", { name: `Favourite: ${title}` })).toHaveAttribute("aria-pressed", "true");
        await expect(page.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
      }
    });
  });
}

test("a favourite that cannot be saved is reverted with a message", async ({ page, site }) => {
  await site.logIn({ email: "team@dormouse.example", path: "/?view=learn" });
  const button = page.getByRole("main").getByRole("button", { name: /^Favourite: Temperature, light and noise/ });
  const before = (await button.getAttribute("aria-pressed")) ?? "";
  for (const failure of ["abort", "error"]) {
    await page.route("**/favourites.data*", (route) =>
      failure === "abort" ? route.abort() : route.fulfill({ status: 500 }),
    );
    await button.click();
    await expect(page.getByText("We couldn't save that. Please try again.")).toBeVisible();
    await expect(button).toHaveAttribute("aria-pressed", before);
    await page.unroute("**/favourites.data*");
  }
  await button.click();
  await expect(page.getByText("We couldn't save that.")).toHaveCount(0);
  await expect(button).not.toHaveAttribute("aria-pressed", before);
});

test("a favourite after the session's end leads to log-in and back to the list", async ({ page, site }) => {
  const email = await addMember(site);
  await site.logIn({ email, path: "/?view=learn" });
  const button = page.getByRole("main").getByRole("button", { name: /^Favourite: Temperature, light and noise/ });
  await endSessions(site, email);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await site.letScriptArrive();
  await fillLogIn(page, email);
  await expect(page).toHaveURL(site.url("/?view=learn"));
  await button.click();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Saved to your favourites." })).toBeAttached();
  await endMembership(site, email);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "No active subscription." })).toBeVisible();
});

test("no favourite button covers a picture", async ({ page, site }) => {
  await site.logIn();
  for (const path of ["/?view=read", "/?q=light"]) {
    await site.open(path);
    const covered = await page
      .getByRole("main")
      .getByRole("article")
      .evaluateAll((cards) =>
        cards.filter((card) => {
          const picture = card.querySelector("img")?.getBoundingClientRect();
          const button = card.querySelector("button")?.getBoundingClientRect();
          if (!button) return true;
          // A New card has no picture where the list has the same one.
          if (!picture) return false;
          return button.top < picture.bottom && button.left < picture.right;
        }),
      );
    expect(covered, path).toEqual([]);
  }
});
