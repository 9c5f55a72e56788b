import { expect, test } from "./fixtures.ts";

test("with script nothing reloads the page: not a tab, not a card, not a form", async ({ page, site }) => {
  await site.logIn();
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await page.getByRole("main").getByRole("link", { name: "Breathe with the moon" }).last().click();
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(page.getByRole("dialog", { name: "Breathe with the moon" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeFocused();
  await page.getByRole("button", { name: "Switch to the dark scheme" }).press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-scheme", "night");
  await expect(page.getByRole("button", { name: "Switch to the light scheme" })).toBeFocused();
  expect(await page.evaluate(() => document.body.dataset.same)).toBe("page");
});

test("a page that cannot be fetched says so and offers to try again", async ({ page, site }) => {
  await site.logIn();
  await page.route("**/*.data*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("link", { name: "Shift Work" }).click();
  await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
});

test("without a connection log-in and a forgotten password keep what was typed", async ({ page, site }) => {
  const offline = page
    .getByRole("group", { name: "Error" })
    .filter({ hasText: "You seem to be offline. What you typed is still here:" });
  const lose = () => page.route("**/*.data*", (route) => route.abort("internetdisconnected"));
  await site.open("/login");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("member@dormouse.example");
  await password.fill("sleep-well-tonight");
  await lose();
  await Promise.all([page.waitForEvent("requestfailed"), page.getByRole("button", { name: /Switch to the/ }).click()]);
  await page.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(offline).toBeFocused();
  await expect(email).toHaveValue("member@dormouse.example");
  await expect(password).toHaveValue("sleep-well-tonight");
  await page.unroute("**/*.data*");
  await page.getByRole("link", { name: "Reset password" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password..?" })).toBeVisible();
  await email.fill("nobody@dormouse.example");
  await lose();
  await page.getByRole("button", { name: "Get code" }).click();
  await expect(offline).toBeFocused();
  await page.unroute("**/*.data*");
  await page.getByRole("button", { name: "Get code" }).click();
  await page.getByLabel("Validation code").fill("123456");
  await lose();
  await page.getByRole("button", { name: "Check code" }).click();
  await expect(offline).toBeFocused();
  await expect(page.getByLabel("Validation code")).toHaveValue("123456");
});

test("a landing that is late shows blank tiles, and then its own come up", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_.data*", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole("banner").getByRole("link", { name: "Dormouse" }).click();
  const landing = page.getByRole("main").locator("[aria-busy]");
  await expect(landing.getByRole("heading", { level: 1, name: "Let's Get Started" })).toBeVisible();
  await expect(landing.locator("ul:not(:has([href]), :has(img)) > li")).toHaveCount(6);
  await expect(landing.getByText("Shift Work")).toBeHidden();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toBeVisible();
  const blank = await landing.getByRole("listitem", { includeHidden: true }).last().boundingBox();

  release();
  const tile = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Shift Work" }) });
  await expect(tile).toBeVisible();
  await expect(landing).toHaveCount(0);
  expect(await tile.boundingBox()).toEqual(blank);
  const fades = await page.getByRole("main").getByRole("list").first().evaluate(readFades);
  expect(fades).toEqual(["0.15s"]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await page.getByRole("main").getByRole("list").first().evaluate(readFades)).toEqual([]);
  await expect(page.getByRole("heading", { level: 1, name: "Let's Get Started" })).toBeFocused();
});

test("a late landing loses nothing of the place to which Forward comes back", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await site.logIn();
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeFocused();
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: "instant" }));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_.data*", async (route) => {
    await released;
    await route.continue();
  });
  await page.evaluate(() => history.back());
  await expect(page.getByRole("main").locator("[aria-busy] h1")).toBeInViewport();
  release();
  await expect(page.getByRole("link", { name: "Shift Work" })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2000);
});

test("a landing that is there in time shows no blank tiles", async ({ page, site }) => {
  await page.clock.install();
  await site.logIn({ path: "/?view=watch" });
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("banner").getByRole("link", { name: "Dormouse" }).click();
  await expect(page.getByRole("link", { name: "Shift Work" })).toBeVisible();
  await page.clock.runFor(1000);
  await expect(page.getByRole("main").locator("[aria-busy]")).toHaveCount(0);
});

/** The delays after which something comes up. */
function readFades(list: Element): string[] {
  const { animationName, animationDelay } = getComputedStyle(list);
  return animationName === "none" ? [] : [animationDelay];
}

test("a slow page is announced while one waits", async ({ page, site }) => {
  await site.logIn();
  const gate = Promise.withResolvers<void>();
  await page.route("**/*.data*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Shift Work" }).click();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toBeVisible();
  gate.resolve();
  await expect(page.getByRole("heading", { name: "Search results for shift work" })).toBeVisible();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toHaveCount(0);
});

test("the log-in button says what it does and cannot be pressed twice", async ({ page, site }) => {
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route("**/login.data*", async (route) => {
    if (route.request().method() === "POST") posts += 1;
    await gate.promise;
    await route.continue();
  });
  await site.open("/login");
  await page.getByLabel("Email").fill("member@dormouse.example");
  await page.getByLabel("Password", { exact: true }).fill("sleep-well-tonight");
  const button = page.locator("form button:not([type])").last();
  const width = (await button.boundingBox())?.width;
  await button.click();
  await expect(button).toHaveText("Logging in...");
  expect((await button.boundingBox())?.width).toBe(width);
  await button.click({ force: true });
  await page.keyboard.press("Enter");
  gate.resolve();
  await expect(page.getByRole("heading", { name: "Let's Get Started" })).toBeVisible();
  expect(posts).toBe(1);
});

test("a password can be looked at", async ({ page, site }) => {
  await site.open("/login");
  await page.getByLabel("Password", { exact: true }).fill("secret");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
});

test("nothing of a member is kept in the browser's storage", async ({ page, site }) => {
  await site.logIn({ path: "/?view=read&item=1001" });
  const kept = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
  expect(kept).toBe('[[],""]');
  const session = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(session).not.toMatch(/ada|member|@/i);
});

test("the scripts that every screen needs say that they are to be compiled whole", async ({ page, site }) => {
  const html = await (await page.request.get(site.url("/login"))).text();
  const addresses = [...html.matchAll(/<link rel="modulepreload" href="([^"]+\/(?:framework|app)-[^"]+)"/g)];
  expect(addresses).toHaveLength(2);
  for (const [, address = ""] of addresses) {
    const script = await (await page.request.get(new URL(address, site.url("/")).href)).text();
    // Nowhere but in its first line is it heard.
    expect(script.slice(0, 40), address).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  }
});
