import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { codeIn } from "../helpers/mailbox.ts";
import { expect, test, type Site, LAST_TILE } from "./fixtures.ts";
import { holdRequests, loseConnection } from "./network.ts";
import { addMember } from "./new-member.ts";
import { openDesk } from "./operators.ts";
import { reachPayment, waitForEmail } from "./sign-up-steps.ts";

test("with script nothing reloads the page: not a tab, not a card, not a form @core", async ({ page, site }) => {
  await site.logIn();
  await page.evaluate(() => (document.body.dataset.same = "page"));
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await page.getByRole("main").getByRole("link", { name: "Breathe with the moon" }).last().click();
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(page.getByRole("dialog", { name: "Breathe with the moon" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Back to Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeFocused();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Switch to the dark scheme" }).press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-scheme", "night");
  await expect(page.getByRole("button", { name: "Switch to the light scheme" })).toBeFocused();
  expect(await page.evaluate(() => document.body.dataset.same)).toBe("page");
});

test("links to a file and to a page of its own are the browser's, which asks for nothing else first", async ({
  page,
  site,
}) => {
  const data: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data?")) data.push(request.url());
  });
  const landing = page.getByRole("heading", { level: 1, name: landingTexts.heading });
  await site.logIn();
  await site.letScriptArrive();
  await page.getByRole("banner").getByRole("link", { name: "Awake now" }).click();
  await expect(page).toHaveTitle(/^Awake now/);

  await page.setViewportSize({ width: 390, height: 844 });
  await site.open("/");
  await site.letScriptArrive();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.locator("#side-menu").getByRole("link", { name: "Awake now" }).click();
  await expect(page).toHaveTitle(/^Awake now/);

  await site.open("/");
  await expect(landing).toBeVisible();
  await site.letScriptArrive();
  for (const path of ["favicon.svg", "healthz", "kept"]) {
    await page.locator("main h1").evaluate(
      (heading, address) => {
        heading.innerHTML = `<a href="${address}">A link</a>`;
      },
      site.url(`/${path}`),
    );
    await page.getByRole("link", { name: "A link" }).click();
    await expect(page).toHaveURL(site.url(`/${path}`));
    await site.open("/");
    await site.letScriptArrive();
  }
  expect(data).toEqual([]);
});

test("without a connection log-in and a forgotten password keep what was typed", async ({ page, site }) => {
  const offline = page
    .getByRole("group", { name: "Error" })
    .filter({ hasText: "You seem to be offline. What you typed is still here." });
  await site.open("/login");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("member@dormouse.example");
  await password.fill("sleep-well-tonight");
  let reconnect = await loseConnection(page);
  await Promise.all([page.waitForEvent("requestfailed"), page.getByRole("button", { name: /Switch to the/ }).click()]);
  await page.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(offline).toBeFocused();
  await expect(email).toHaveValue("member@dormouse.example");
  await expect(password).toHaveValue("sleep-well-tonight");
  await reconnect();
  await page.getByRole("link", { name: "Reset password" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password..?" })).toBeVisible();
  await email.fill("nobody@dormouse.example");
  reconnect = await loseConnection(page);
  await page.getByRole("button", { name: "Get code" }).click();
  await expect(offline).toBeFocused();
  await reconnect();
  await page.getByRole("button", { name: "Get code" }).click();
  await page.getByLabel("Validation code").fill("123456");
  await loseConnection(page);
  await page.getByRole("button", { name: "Check code" }).click();
  await expect(offline).toBeFocused();
  await expect(page.getByLabel("Validation code")).toHaveValue("123456");
});

test("a late landing shows blank tiles first, then its own @core", async ({ page, site }) => {
  // Its own member, because another test may leave a film that would be offered above the tiles.
  await site.logIn({ email: await addMember(site), path: "/?view=watch" });
  const { release } = await holdRequests(page);
  await page.getByRole("banner").getByRole("link", { name: "Dormouse" }).click();
  const landing = page.getByRole("main").locator("[aria-busy]");
  await expect(landing.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
  await expect(landing.locator("ul:not(:has([href]), :has(img)) > li")).toHaveCount(6);
  await expect(landing.getByText(LAST_TILE)).toBeHidden();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toBeVisible();
  const blank = await landing.getByRole("listitem", { includeHidden: true }).last().boundingBox();

  release();
  const tile = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: LAST_TILE }) });
  await expect(tile).toBeVisible();
  await expect(landing).toHaveCount(0);
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toHaveCount(0);
  expect(await tile.boundingBox()).toEqual(blank);
  const fades = await page.getByRole("main").getByRole("list").first().evaluate(readFades);
  expect(fades).toEqual(["0.15s"]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await page.getByRole("main").getByRole("list").first().evaluate(readFades)).toEqual([]);
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeFocused();
});

test("a late landing keeps the scroll position for Forward", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await site.logIn();
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeFocused();
  await page.evaluate(() => window.scrollTo({ top: 2000, behavior: "instant" }));
  const { release } = await holdRequests(page);
  await page.evaluate(() => history.back());
  await expect(page.getByRole("main").locator("[aria-busy] h1")).toBeInViewport();
  release();
  await expect(page.getByRole("link", { name: LAST_TILE })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2000);
});

test("a landing that is ready in time shows no blank tiles", async ({ page, site }) => {
  await page.clock.install();
  await site.logIn({ path: "/?view=watch" });
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("banner").getByRole("link", { name: "Dormouse" }).click();
  await expect(page.getByRole("link", { name: LAST_TILE })).toBeVisible();
  await page.clock.runFor(1000);
  await expect(page.getByRole("main").locator("[aria-busy]")).toHaveCount(0);
});

for (const { shape, from, link, heading } of [
  { shape: "view", from: "/", link: "Videos", heading: "Videos" },
  { shape: "item", from: "/?view=watch", link: "Fitting a CPAP mask", heading: "Fitting a CPAP mask" },
  { shape: "q", from: "/", link: "Shift Work", heading: "Search results for shift work" },
]) {
  test(`a late screen of the shape "${shape}" shows what comes, in its place and above all that is there`, async ({
    page,
    site,
  }) => {
    await site.logIn({ path: from });
    await page.evaluate(() => window.scrollTo({ top: 300, behavior: "instant" }));
    const { release } = await holdRequests(page);
    await page.getByRole("main").getByRole("link", { name: link }).last().click();
    const skeleton = page.locator(`.shell-skeleton[data-shape="${shape}"]`);
    await expect(skeleton).toBeVisible();
    expect(await skeleton.evaluate(readFades)).toEqual(["0.15s"]);
    const isOnTop = (element: Element) =>
      document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(".shell-skeleton") === element;
    expect(await skeleton.evaluate(isOnTop)).toBe(true);
    const boxes = await Promise.all([
      skeleton.locator("i").nth(0).boundingBox(),
      skeleton.locator("i").nth(1).boundingBox(),
    ]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect(skeleton).toBeHidden();
    await page.emulateMedia({ reducedMotion: "no-preference" });

    release();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeFocused();
    await expect(skeleton).toHaveCount(0);
    const main = page.locator("#main");
    const first = { view: "h1", item: "article", q: "h1" }[shape] ?? "";
    const box = await main.locator(first).first().boundingBox();
    const place = shape === "item" ? boxes[1] : boxes[0];
    expect(Math.abs((place?.y ?? 0) - (box?.y ?? 0)), "moved down").toBeLessThan(8);
    if (shape !== "q") expect(Math.abs((place?.x ?? 0) - (box?.x ?? 0)), "moved aside").toBeLessThan(8);
  });
}

test("My Account and a player are no screens to wait for with shapes of another", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch&item=2001" });
  const { release } = await holdRequests(page);
  const skeleton = page.locator(".shell-skeleton");
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Loading" })).toBeVisible();
  await expect(skeleton).toHaveCount(0);
  release();
  await expect(page.getByRole("dialog")).toBeVisible();
});

/** The delays after which elements fade in. */
function readFades(list: Element): string[] {
  const { animationName, animationDelay } = getComputedStyle(list);
  return animationName === "none" ? [] : [animationDelay];
}

test("the log-in button says what it does and cannot be pressed twice @core", async ({ page, site }) => {
  const requests = await holdRequests(page);
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
  requests.release();
  await expect(page.getByRole("heading", { name: landingTexts.heading })).toBeVisible();
  expect(requests.forms).toBe(1);
});

test("the buttons of a forgotten password say what is under way", async ({ page, site }) => {
  const email = await addMember(site);
  const press = async (button: string, pending: string, next: string) => {
    const { release } = await holdRequests(page, "forms");
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.getByRole("button", { name: pending, exact: true })).toHaveAttribute("aria-disabled", "true");
    release();
    await expect(page.getByRole("heading", { level: 1, name: next })).toBeFocused();
  };
  await site.open("/login?reset=1");
  await page.getByLabel("Email").fill(email);
  await press("Get code", "Getting code...", "Check your email...");
  await page.getByLabel("Validation code").fill(codeIn(await waitForEmail(site, email, "Choose a new password")));
  await press("Check code", "Checking...", "Enter your new password");
  await page.getByLabel("Password", { exact: true }).fill("moss-lantern-42");
  await page.getByLabel("Confirm password").fill("moss-lantern-42");
  await press("Change password", "Changing password...", "Your password has been reset");
});

test("a password can be shown", async ({ page, site }) => {
  await site.open("/login");
  await page.getByLabel("Password", { exact: true }).fill("secret");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
});

test("the scripts that every screen needs ask to be compiled eagerly", async ({ page, site }) => {
  const html = await (await page.request.get(site.url("/login"))).text();
  const addresses = [...html.matchAll(/<link rel="modulepreload" href="([^"]+\/(?:framework|app)-[^"]+)"/g)];
  expect(addresses).toHaveLength(2);
  for (const [, address = ""] of addresses) {
    const script = await (await page.request.get(new URL(address, site.url("/")).href)).text();
    // V8 reads the hint only in the first line.
    expect(script.slice(0, 40), address).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  }
});

test("script waits for the page and its pictures @core", async ({ page, site }) => {
  await site.logIn();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.(?:avif|webp)(?:\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await openWithStoppedClock(page, site.url("/?view=watch"));
  await page.mouse.move(1, 1);
  await page.keyboard.press("Shift");
  expect(scripts).toEqual([]);
  release();
  await page.waitForLoadState("load");
  await page.clock.resume();
  await expect(page.locator("html[data-enhanced]")).toBeAttached();
  expect(scripts).not.toEqual([]);
});

test("script starts on a pointer or key on its elements, and after five seconds @core", async ({ page, site }) => {
  await site.logIn();
  await page.route(/\.(?:avif|webp)(?:\?|$)/, () => {});
  const enhanced = page.locator("html[data-enhanced]");
  await openWithStoppedClock(page, site.url("/?view=watch"));
  await page.getByRole("main").getByRole("link").first().hover();
  await expect(enhanced).toBeAttached();
  await page.mouse.move(1, 1);
  await page.goto(site.url("/?view=read"), { waitUntil: "domcontentloaded" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(enhanced).toBeAttached();
  await page.goto(site.url("/?view=learn"), { waitUntil: "domcontentloaded" });
  await page.clock.runFor(4000);
  await expect(enhanced).not.toBeAttached();
  await page.clock.runFor(1000);
  await expect(enhanced).toBeAttached();
});

async function openWithStoppedClock(page: Page, address: string): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(address, { waitUntil: "domcontentloaded" });
}

test("nothing but what can be pressed listens for a press, or screen readers say “clickable” of all in it", async ({
  page,
  site,
}) => {
  await site.logIn();
  for (const path of ["/", "/?view=watch", "/?view=read&item=1001", "/?view=favourites", "/?q=snoring"]) {
    await site.open(path);
    // React gives such elements an empty handler.
    const listening = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("body, body *")]
        .filter((element) => element.onclick && !element.matches("a, button, input, label, summary, select"))
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(listening, path).toEqual([]);
  }
});

const withFields: { path: string; open?: (page: Page, site: Site) => Promise<unknown> }[] = [
  { path: "/login" },
  { path: "/company" },
  { path: "/signup?step=1" },
  { path: "/signup?step=3", open: reachPayment },
  { path: "/?account=password", open: async (_, site) => site.logIn({ email: await addMember(site) }) },
  { path: "/desk/access", open: openDesk },
];

for (const { path, open } of withFields) {
  test(`no form and no group of fields is told of as invalid before anything was typed: ${path}`, async ({
    page,
    site,
  }) => {
    await open?.(page, site);
    await site.open(path);
    if (open === reachPayment) await expect(page.getByLabel("Card number")).toBeVisible();
    // A browser calls a form or group invalid while a required field is empty, unless it has the role none.
    expect(await page.locator(":is(form, fieldset):invalid:not([role=none])").count()).toBe(0);
  });
}
