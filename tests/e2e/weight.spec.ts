import type { Page, Request } from "@playwright/test";

import { budgets } from "../../tools/budgets.ts";
import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";
import { payBy, reachPayment } from "./sign-up-steps.ts";

/** Budgets of compressed bytes, without times. */
const KB = 1000;

/** The most that a receipt's own part may weigh. */
const PART = 1500;
const PASSKEYS = 5 * KB;

/** Compressed bytes by type. */
type TravelledBytes = { document: number; script: number; style: number; font: number; picture: number };

/** Runs in the page: the bytes of the page and of all its requests, once it is quiet. */
function readTravelledBytes(): TravelledBytes {
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const sum = (pattern: RegExp) =>
    resources
      .filter(({ name }) => pattern.test(new URL(name).pathname))
      .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return {
    document: page?.encodedBodySize ?? Number.NaN,
    script: sum(/\.js$/),
    style: sum(/\.css$/),
    font: sum(/\.woff2$/),
    picture: sum(/\.(?:avif|webp|png|jpg)$/),
  };
}

test.describe("weight", () => {
  /** Each screen in a browser with an empty cache. */
  test.beforeEach(async ({ context, page }) => {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  });

  async function weigh(page: Page, address: string): Promise<TravelledBytes> {
    await page.goto(address);
    // On a busy machine script may come only after what Playwright takes for the network's end.
    await page.locator("html[data-enhanced], html:not(:has(script))").waitFor();
    await page.waitForLoadState("networkidle");
    return page.evaluate(readTravelledBytes);
  }

  const screens = [
    "/?view=watch",
    "/?view=read",
    "/?view=learn",
    "/?view=read&item=1001",
    "/?view=watch&item=2001",
    "/?q=light",
  ];
  const guide = "/?q=snoring";

  const signUpScreens = ["/signup", "/signup?step=1", "/signup?step=2", "/signup?verify=x", "/signup?renew=x"];

  test("script stays within the budget of forms on every step of sign-up, also where a card is typed", async ({
    page,
    site,
  }) => {
    await reachPayment(page, site);
    for (const path of signUpScreens) await expectLightness(page, site.url(path), budgets.scriptOfForms);
    const payment = await weigh(page, site.url("/signup?step=3"));
    await expect(page.getByLabel("Card number")).toBeVisible();
    expect(payment.script).toBeLessThanOrEqual(budgets.scriptOfForms);
    expect(payment.document + payment.style + payment.font).toBeLessThanOrEqual(100 * KB);
    test.info().annotations.push({ type: "script where a card is typed", description: `${payment.script} bytes` });

    await payBy(page, site, "paid");
    await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
    const receipt = await page.getByRole("link", { name: "View receipt" }).getAttribute("href");
    await expectLightness(page, site.url("/signup?step=4"), budgets.scriptOfForms);
    await expectLightness(page, site.url(receipt ?? ""), budgets.script + PART);
  });

  test("script of content and of forms stays within its budget, and the rest within 100 kB", async ({ page, site }) => {
    await expectLightness(page, site.url("/login"), budgets.scriptOfForms);
    await site.logIn({ email: await addMember(site) });
    for (const path of ["/", ...screens]) await expectLightness(page, site.url(path), budgets.script);
    // Its recordings play at one tap, so the player's script is loaded.
    await expectLightness(page, site.url(guide), budgets.scriptWithLargestImport);
    // The landing is behind it; on a device with passkeys it loads their script late.
    await expectLightness(page, site.url("/?account=open"), budgets.scriptOfForms + PASSKEYS);
    // The landing then offers the usual recording, with the player.
    const form = { keep: "watch-4002", seconds: "2700", duration: "2700", age: "0" };
    await page.request.post(site.url("/positions"), { form, headers: { Origin: new URL(site.url("/")).origin } });
    await expectLightness(page, site.url("/"), budgets.scriptWithLargestImport);
  });

  /** Each type must have come: a browser with everything in its cache would weigh nothing. */
  async function expectLightness(page: Page, address: string, scriptBudget: number): Promise<void> {
    const { script, document, style, font } = await weigh(page, address);
    expect(script, address).toBeGreaterThan(50 * KB);
    expect(script, address).toBeLessThanOrEqual(scriptBudget);
    expect(font, address).toBeGreaterThan(30 * KB);
    expect(document + style + font, address).toBeLessThanOrEqual(100 * KB);
  }

  test("Awake now is one document, within 15 kB of everything that it asks for but the site's fonts", async ({
    page,
    site,
  }) => {
    await site.logIn({ email: await addMember(site) });
    const finished: Request[] = [];
    page.on("requestfinished", (request) => {
      // Fonts are optional: the page does not wait for them.
      if (request.resourceType() !== "font") finished.push(request);
    });
    const { style, font, picture } = await weigh(page, site.url("/awake?piece=read-5022"));
    expect({ style, picture }).toEqual({ style: 0, picture: 0 });
    expect(font).toBeLessThanOrEqual(40 * KB);
    expect(finished.length).toBeGreaterThan(0);
    const sizes = await Promise.all(finished.map((request) => request.sizes()));
    const bytes = sizes.map(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(15 * KB);
  });

  test("the pictures of a list's first view on a phone stay within 250 kB", async ({ page, site }) => {
    await site.logIn();
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/", ...screens, guide]) {
      const { picture } = await weigh(page, site.url(path));
      expect(picture, path).toBeGreaterThan(0);
      expect(picture, path).toBeLessThanOrEqual(250 * KB);
    }
  });
});

/** Nothing is fetched before it is needed. */
test.describe("with Save-Data on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, extraHTTPHeaders: { "Save-Data": "on" } });

  function watchRequests(page: Page): { type: string; path: string }[] {
    const requests: { type: string; path: string }[] = [];
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      // A browser requests the tab's icon at any time.
      if (path !== "/favicon.svg") requests.push({ type: request.resourceType(), path });
    });
    return requests;
  }

  test("a list fetches no item, no film and no picture far below, even on touch @core", async ({ page, site }) => {
    await site.logIn();
    const requests = watchRequests(page);
    await site.open("/?view=watch");
    await page.waitForLoadState("networkidle");
    expect(
      requests.filter(({ type }) => !["document", "stylesheet", "font", "script", "image"].includes(type)),
    ).toEqual([]);
    const pictures = await page
      .getByRole("main")
      .locator("img")
      .evaluateAll((images: HTMLImageElement[]) => images.map(({ src, y }) => ({ path: new URL(src).pathname, y })));
    // Chromium loads pictures 1,250 to 3,000 px before they are in view. Several cards may share a scene.
    const near = new Set(pictures.filter(({ y }) => y < 844 + 3000).map(({ path }) => path));
    const far = pictures.map(({ path }) => path).filter((path) => !near.has(path));
    expect(far.length).toBeGreaterThan(0);
    expect(requests.map(({ path }) => path).filter((path) => far.includes(path))).toEqual([]);

    const before = requests.length;
    const card = page.getByRole("main").getByRole("article").getByRole("link").first();
    await card.hover();
    await card.focus();
    await card.dispatchEvent("touchstart");
    // A request that the card had begun would come before this one.
    await page.evaluate(async () => (await fetch("/healthz")).text());
    expect(requests.slice(before)).toEqual([{ type: "fetch", path: "/healthz" }]);
  });

  test("a film is fetched when it is played", async ({ page, site }) => {
    await site.logIn();
    const requests = watchRequests(page);
    await site.open("/?view=watch&item=2004");
    await page.waitForLoadState("networkidle");
    expect(requests.filter(({ type, path }) => type === "media" || path.endsWith(".mp4"))).toEqual([]);
    await page.getByRole("link", { name: /^Play:/ }).click();
    await expect
      .poll(() => requests.some(({ path }) => path.startsWith("/media/") || path.endsWith(".mp4")))
      .toBe(true);
  });
});
