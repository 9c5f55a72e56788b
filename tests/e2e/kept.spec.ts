import { type BrowserContext, devices, type Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { openLine } from "../helpers/line.ts";
import { expect, fillLogIn, test, type Site } from "./fixtures.ts";

/** Which pages a browser stores for use without a network, and when it erases them. */

test.use({ serviceWorkers: "allow" });

const TITLE = "Can't get to sleep? What to do with the first hour awake";

async function keepArticle(page: Page, site: Site): Promise<void> {
  await site.logIn({ path: "/?view=read&item=1001" });
  await site.letScriptArrive();
  await page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** Everything that a page of the site can read in this browser's storage. */
async function readStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
    for (const { name } of await indexedDB.databases()) found.push(`database ${name}`);
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const each of await cache.keys()) found.push(each.url, (await (await cache.match(each))?.text()) ?? "");
    }
    return found.join("\n");
  });
}

/** Goes offline and opens a path. The browser reports the lost connection itself. */
async function openOffline(context: BrowserContext, page: Page, address: string): Promise<void> {
  await context.setOffline(true);
  await page.goto(address);
}

test("a kept article opens without a network in the site's typefaces, and nothing else does @core", async ({
  page,
  context,
  site,
}) => {
  await keepArticle(page, site);
  await openOffline(context, page, site.url("/?view=read&item=1001"));
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  const drawn = page.locator(".words img").first();
  // A text's pictures are lazy, so the page loads without them.
  await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  // From the browser's own cache.
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].map(({ status }) => status)))
    .toEqual(["loaded", "loaded"]);
  for (const path of ["/", "/?view=read", "/?view=read&item=1002", "/awake", "/?account=open", "/kept/awake"]) {
    await page.goto(site.url(path));
    await expect(page.getByRole("heading", { level: 1, name: "On this device" })).toBeVisible();
    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    expect(await page.content(), path).not.toMatch(/Ada|Lovell/);
  }
  await page.getByRole("link", { name: TITLE }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
});

test("all of Awake now opens without a network, one piece after the other", async ({ page, context, site }) => {
  await site.logIn({ path: "/awake" });
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  await openOffline(context, page, site.url("/awake?piece=read-5001"));
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveCount(1);
  const first = await heading.textContent();
  await page.getByRole("link", { name: "Another" }).click();
  await expect(heading).toHaveCount(1);
  await expect(heading).not.toHaveText(first ?? "");
});

test("a file that is kept is given in parts without a network, as players ask for it", async ({
  page,
  context,
  site,
}) => {
  await keepArticle(page, site);
  await openOffline(context, page, site.url("/?view=read&item=1001"));
  const answer = await page.evaluate(async () => {
    const src = document.querySelector<HTMLImageElement>(".words img")?.src ?? "";
    const part = await fetch(src, { headers: { Range: "bytes=8-11" } });
    return [part.status, part.headers.get("Content-Range"), await part.text()];
  });
  expect(answer).toEqual([206, expect.stringMatching(/^bytes 8-11\/\d+$/), "WEBP"]);
});

test("a kept recording plays without a network in our player, and is kept in one format @core", async ({
  page,
  context,
  site,
}) => {
  await site.logIn({ path: "/?view=watch&item=4001" });
  await site.letScriptArrive();
  await page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  expect(await readStorage(page)).toContain(".mp3\n");
  expect(await readStorage(page)).not.toContain(".opus\n");
  await openOffline(context, page, site.url("/?view=watch&item=4001"));
  const sound = page.locator("audio");
  await expect(sound).toHaveJSProperty("controls", false);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0);
  await expect(page.getByText("45 minutes left")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(sound).toHaveJSProperty("paused", true);
});

test("after log-out nothing of it is in this browser @core", async ({ page, context, site }) => {
  await keepArticle(page, site);
  expect(await readStorage(page)).toContain("first hour awake");
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL(site.url("/login"));
  await expect.poll(async () => readStorage(page)).not.toMatch(/kept|first hour awake|Ada|Lovell/);
  await context.setOffline(true);
  await expect(page.goto(site.url("/?view=read&item=1001"))).rejects.toThrow();
});

test("another member of this browser sees nothing of what the first has kept @core", async ({
  page,
  context,
  site,
}) => {
  await keepArticle(page, site);
  // The session ends without a log-out.
  await context.clearCookies();
  await site.open("/login");
  await fillLogIn(page, "team@dormouse.example");
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
  expect(await readStorage(page)).not.toContain("first hour awake");
  await openOffline(context, page, site.url("/?view=read&item=1001")).catch(() => undefined);
  await expect(page.getByText("first hour awake")).toHaveCount(0);
});

test("a page of another member's lets go of it too, without the log-in page in between @core", async ({
  page,
  context,
  site,
}) => {
  await keepArticle(page, site);
  await page.evaluate(async () => {
    const owner = new Response(JSON.stringify({ owner: "another member", seenAt: Date.now() }));
    await (await caches.open("dormouse-kept")).put(new URL("kept/owner", document.baseURI).pathname, owner);
  });
  await site.open("/");
  expect(await readStorage(page)).not.toContain("first hour awake");
  await context.setOffline(true);
});

test("after thirty days without a network it is erased", async ({ page, context, site }) => {
  await keepArticle(page, site);
  await page.evaluate(async () => {
    const cache = await caches.open("dormouse-kept");
    const path = new URL("kept/owner", document.baseURI).pathname;
    const known = (await (await cache.match(path))?.json()) as { owner: string; seenAt: number };
    await cache.put(path, new Response(JSON.stringify({ ...known, seenAt: known.seenAt - 31 * 86_400_000 })));
  });
  await openOffline(context, page, site.url("/?view=read&item=1001"));
  await expect(page.getByRole("heading", { level: 1, name: "You seem to be offline" })).toBeVisible();
  expect(await readStorage(page)).not.toContain("first hour awake");
});

test("without anything kept a page of ours says that the network is gone, and leads on once it is back @core", async ({
  page,
  context,
  site,
}) => {
  await site.logIn();
  await site.letScriptArrive();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await openOffline(context, page, site.url("/?view=read"));
  await expect(page.getByRole("heading", { level: 1, name: "You seem to be offline" })).toBeVisible();
  await expect(page.getByText("nothing is saved on this device yet")).toBeVisible();
  await expect(page.locator(".asleep svg")).toBeVisible();
  expect(await page.content()).not.toMatch(/Ada|Lovell/);
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Read" })).toBeVisible();
});

test("one button lets go of one page, another of all, also without a network", async ({ page, context, site }) => {
  await keepArticle(page, site);
  await page.getByRole("button", { name: "Saved. Remove it" }).click();
  await expect(page.getByRole("button", { name: "Keep on this device" })).toBeVisible();
  expect(await readStorage(page)).not.toContain("first hour awake");
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  await site.open("/kept");
  await expect(page.getByRole("link", { name: TITLE })).toBeVisible();
  await openOffline(context, page, site.url("/kept"));
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect(page.getByText("Nothing saved yet.")).toBeVisible();
  await page.goto(site.url("/kept"));
  await expect.poll(async () => page.evaluate(async () => caches.keys())).toEqual(["dormouse-offline"]);
});

test("what was removed comes back by Undo without a network: one page beside it, all of them in their list", async ({
  page,
  context,
  site,
}) => {
  await keepArticle(page, site);
  const before = await readStorage(page);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Saved. Remove it" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  const kept = page.getByRole("button", { name: "Saved. Remove it" });
  await expect(kept).toBeFocused();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  expect((await readStorage(page)).length).toBe(before.length);

  await openOffline(context, page, site.url("/kept"));
  await page.getByRole("button", { name: "Remove all" }).click();
  await expect(page.getByText("Nothing saved yet.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: TITLE })).toBeVisible();
  await page.getByRole("link", { name: TITLE }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  expect(await page.evaluate(async () => caches.keys())).not.toContain("dormouse-removed");
});

test("where there is no room the button is not there", async ({ page, site }) => {
  await page.addInitScript(() => {
    navigator.storage.estimate = async () => ({ quota: 1_000_000, usage: 0 });
  });
  await site.logIn({ path: "/?view=read&item=1001" });
  const script = page.waitForResponse(/keep\.js$/);
  await page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();
  await (await script).finished();
  await expect(page.getByRole("button", { name: /Keep/ })).toHaveCount(0);
});

test("a browser that does not say how much room it has keeps all the same, and a phone is called one", async ({
  browser,
  site,
}) => {
  const { userAgent } = devices["Pixel 7"];
  await using context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, "storage", { value: undefined }));
  await page.goto(site.url("/login"));
  await fillLogIn(page, "member@dormouse.example");
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
  await page.goto(site.url("/awake"));
  await page.getByRole("button", { name: "Keep on this phone" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  await page.goto(site.url("/kept"));
  await expect(page.getByRole("heading", { level: 1, name: "On this phone" })).toBeVisible();
});

test("when the room runs out nothing is kept in part, and the button says so", async ({ page, site }) => {
  await page.addInitScript(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  });
  await site.logIn({ path: "/?view=read&item=1001" });
  await page.getByText("Sample text of the demo library").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "We couldn't save it. Try again" })).toBeVisible();
  expect(await readStorage(page)).not.toContain("first hour awake");
});

test("with a network every page comes from the server, whatever is kept", async ({ page, site }) => {
  await keepArticle(page, site);
  await page.evaluate(async () => {
    const old = new Response("<title>Old – Dormouse</title>", { headers: { "Content-Type": "text/html" } });
    await (await caches.open("dormouse-kept")).put(new URL("kept/read-1001", document.baseURI).pathname, old);
  });
  for (const path of ["/?view=read&item=1001", "/kept/read-1001"]) {
    await site.open(path);
    await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  }
});

test("where nothing is kept the worker leaves data and files to the browser", async ({ page, site }) => {
  await site.logIn({ path: "/" });
  await site.letScriptArrive();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const open = async () => {
    const response = await page.goto(site.url("/?view=read&item=1001"));
    const file = page.waitForResponse(/no-such-file/);
    await page.evaluate(async (path) => void (await fetch(path)), "media/no-such-file");
    return [response?.fromServiceWorker(), (await file).fromServiceWorker()];
  };
  expect(await open()).toEqual([true, false]);
  await page.locator("[data-keep]").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  expect(await open()).toEqual([true, true]);
});

async function logInAt(line: { url: string }, page: Page): Promise<void> {
  await page.goto(`${line.url}/login`);
  await fillLogIn(page, "member@dormouse.example");
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
}

/** Opens a page that can be stored, and stores it. */
async function keepAt(address: string, page: Page): Promise<void> {
  await page.goto(address);
  await page.locator("[data-keep]").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

test("a page is requested once, whether it is kept or not", async ({ browser, site }) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  await logInAt(line, page);
  await keepAt(`${line.url}/?view=read&item=1001`, page);
  line.documents.length = 0;
  const paths = ["/?view=read", "/?view=read&item=1001"];
  for (const path of paths) await page.goto(line.url + path);
  expect(line.documents).toEqual(paths);
});

test("on a line that accepts and answers nothing, what is kept comes all the same", async ({ browser, site }) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  await logInAt(line, page);
  const at = (path: string) => line.url + path;
  for (const path of ["/?view=read&item=1001", "/awake"]) await keepAt(at(path), page);
  await page.goto(at("/?q=can't+sleep"));
  await expect(page.locator("html[data-enhanced]")).toBeVisible();

  await line.set("silent");
  const heading = page.getByRole("heading", { level: 1 });
  // By a link of the screen: script requests data, not a document.
  await page.getByRole("main").getByRole("link", { name: TITLE }).first().click();
  await expect(heading).toHaveText(TITLE);
  await page.goto(at("/awake"), { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("link", { name: "Another" })).toHaveCount(1);
});

test("on a silent line the list comes and a kept recording plays, and once it answers pages are the server's", async ({
  browser,
  site,
}) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  await logInAt(line, page);
  const recording = `${line.url}/?view=watch&item=4001`;
  await keepAt(recording, page);

  await line.set("silent");
  await page.goto(`${line.url}/kept`, { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("On this device");
  await page.getByRole("link", { name: "Rain on a window pane" }).click();
  const sound = page.locator("audio");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0);

  await line.set("open");
  await page.goto(recording, { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("banner")).toBeVisible();
});

test("a page that falls silent half way is the kept one @core", async ({ browser, site }) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  await logInAt(line, page);
  const article = `${line.url}/?view=read&item=1001`;
  await keepAt(article, page);
  await line.set("stuck");
  await page.goto(article, { waitUntil: "domcontentloaded" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(TITLE);
  await expect(page.getByRole("link", { name: "Everything saved on this device" })).toBeVisible();
});

test("a kept recording goes on where the line falls silent half way", async ({ browser, site }) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  await logInAt(line, page);
  await keepAt(`${line.url}/?view=watch&item=4001`, page);
  const sound = page.locator("audio");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await line.set("stuck");
  await sound.evaluate((element: HTMLAudioElement) => element.play());
  await expect.poll(async () => sound.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0);
});

test("a worker that breaks every page is taken back by the next deployment", async ({ browser, site }) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  line.worker =
    "addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()));" +
    "addEventListener('fetch', (event) => event.respondWith(Promise.reject(new Error('broken'))));";
  await logInAt(line, page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect(page.goto(`${line.url}/`)).rejects.toThrow();

  line.worker = undefined;
  await expect(async () => {
    await page.goto(`${line.url}/`);
  }).toPass();
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
});

test("a worker that hangs is begun again when something is kept; one that hangs again lets nothing be kept", async ({
  browser,
  site,
}) => {
  await using line = await openLine(site.url("/"));
  await using context = await browser.newContext();
  const page = await context.newPage();
  line.worker = "throw new Error('none yet');";
  await logInAt(line, page);
  await page.clock.install();
  await page.goto(`${line.url}/awake`);
  line.worker = "addEventListener('activate', (event) => event.waitUntil(new Promise(() => undefined)));";
  await page.getByRole("button", { name: "Keep on this device" }).click();
  const refusal = page.getByRole("button", { name: "We couldn't save it. Try again" });
  await expect(async () => {
    await page.clock.fastForward("00:10");
    await expect(refusal).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(await readStorage(page)).not.toContain("kept/awake");

  line.worker = undefined;
  await expect(async () => {
    if (await refusal.isVisible()) await refusal.click();
    await page.clock.fastForward("00:10");
    await expect(page.getByRole("button", { name: "Saved. Remove it" })).toBeVisible({ timeout: 5000 });
  }).toPass();
  await openOffline(context, page, `${line.url}/awake`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false, script: "off" });

  test("there is no button, neither beside an article nor in Awake now", async ({ page, site }) => {
    await site.logIn({ path: "/?view=read&item=1001" });
    await expect(page.getByRole("button", { name: /Keep/ })).toHaveCount(0);
    await site.open("/awake");
    await expect(page.getByRole("button", { name: /Keep/ })).toHaveCount(0);
  });
});
