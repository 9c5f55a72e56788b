import type { BrowserContext, Page, Request } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { makeRecording } from "../fakes/wordpress-items.ts";
import { expect, test, type Site, LAST_TILE } from "./fixtures.ts";
import { expectGoodLooks, expectNoShift } from "./looks.ts";
import { findAccount } from "./my-account.ts";
import { holdRequests } from "./network.ts";
import { addMember } from "./new-member.ts";
import { stopClock } from "./playing.ts";

const film = "/?view=watch&item=2001";

const findVideo = (page: Page) => page.getByRole("dialog").locator("video");
const findRow = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /Remove\b/ });

/** Seeks and plays, as a finger on the player's bar does. */
async function seek(page: Page, seconds: number): Promise<void> {
  const video = findVideo(page);
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.readyState)).toBeGreaterThan(0);
  await video.evaluate(async (each: HTMLVideoElement, to) => {
    const seen = new Promise((resolve) => each.addEventListener("timeupdate", resolve, { once: true }));
    each.currentTime = to;
    await seen;
  }, seconds);
}

/** Not the film's own request, which a seek cancels. */
const isPosition = (request: Request) => request.url().endsWith("/positions");

const readPosition = (page: Page) => findVideo(page).evaluate((each: HTMLVideoElement) => each.currentTime);

/**
 * Opens the landing until its row has so many entries: a page's last message may arrive after the next page is
 * requested.
 */
async function expectOnLanding(page: Page, site: Site, count: number): Promise<void> {
  await expect(async () => {
    await site.open("/");
    expect(await findRow(page).count()).toBe(count);
  }).toPass();
}

/** A message from the member's other device. */
async function sendFromElsewhere(context: BrowserContext, site: Site, form: Record<string, string>): Promise<void> {
  const headers = { Origin: new URL(site.url("/")).origin };
  const answer = await context.request.post(site.url("/positions"), { form, headers });
  expect(await answer.json()).toEqual({ isOn: true });
}

const position = { keep: "watch-2001", seconds: "31", duration: "60", age: "0" };

test("a film that is left goes on from there, and leaves the landing when it is finished @core", async ({
  page,
  site,
}) => {
  await site.logIn({ email: await addMember(site), path: film });
  await page.getByRole("link", { name: /^Play:/ }).click();
  await seek(page, 31);
  await page.getByRole("link", { name: "Close video" }).click();
  await expect(findVideo(page)).toHaveCount(0);

  await expectOnLanding(page, site, 1);
  await expect(page.getByRole("heading", { level: 2, name: landingTexts.started })).toBeVisible();
  await expect(findRow(page)).toContainText(/Video · (?:less than a|1) minute left/);
  await expectNoShift(page, "the landing with something to go on with");
  await findRow(page).getByRole("link", { name: "Breathe with the moon" }).click();
  await expect.poll(() => readPosition(page)).toBeGreaterThanOrEqual(31);
  expect(await readPosition(page)).toBeLessThan(45);

  await seek(page, 59);
  await expect.poll(() => findVideo(page).evaluate((each: HTMLVideoElement) => each.ended)).toBe(true);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
  await expectOnLanding(page, site, 0);
});

test("a page that is closed while a film plays tells where, and one that was opened by mistake does not", async ({
  page,
  site,
}) => {
  await site.logIn({ email: await addMember(site), path: `${film}&play=1` });
  await seek(page, 2);
  await site.open("/");
  await expect(page.getByText(landingTexts.started)).toHaveCount(0);
  await site.open(`${film}&play=1`);
  await seek(page, 31);
  await page.goto("about:blank");
  await expectOnLanding(page, site, 1);
});

test.describe("with the worker of kept pages", () => {
  test.use({ serviceWorkers: "allow" });

  test("a film that is left for another of our pages by its address tells its last place", async ({ page, site }) => {
    await site.logIn({ email: await addMember(site) });
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await site.open(`${film}&play=1`);
    const first = page.waitForResponse("**/positions");
    await seek(page, 8);
    await first;
    await seek(page, 36);
    await site.open("/?view=read");
    // Without script, which would send its own position.
    const read = async () => (await page.request.get(site.url(`${film}&play=1`))).text();
    await expect.poll(read).toMatch(/\.mp4#t=(?:3[6-9]|4\d)"/);
  });
});

test("a place is told as soon as there is one, then every 15 seconds and no more often, and again where no answer came @core", async ({
  page,
  site,
}) => {
  await page.clock.install();
  const ages: number[] = [];
  let isAway = false;
  await page.route("**/positions", async (route) => {
    ages.push(Number(new URLSearchParams(route.request().postData() ?? "").get("age")));
    await (isAway ? route.abort("connectionfailed") : route.continue());
  });
  await site.logIn({ email: await addMember(site), path: `${film}&play=1` });
  // The film would play on while the machine is busy.
  await stopClock(page);
  await seek(page, 8);
  await findVideo(page).evaluate((each: HTMLVideoElement) => void each.play());
  await expect.poll(() => ages.length).toBe(1);
  await page.clock.runFor(14_000);
  expect(ages).toHaveLength(1);
  await seek(page, 10);
  await page.clock.runFor(1500);
  await expect.poll(() => ages.length).toBe(2);

  isAway = true;
  await seek(page, 12);
  const refused = page.waitForEvent("requestfailed", isPosition);
  await findVideo(page).evaluate((each: HTMLVideoElement) => each.pause());
  await refused;
  isAway = false;
  const answered = page.waitForResponse("**/positions");
  await page.clock.runFor(15_000);
  expect((await answered).status()).toBe(200);
  expect(ages).toHaveLength(4);
  expect(ages[3]).toBeGreaterThanOrEqual(10_000);
});

test("a phone that slept does not take the place of a device that played meanwhile", async ({ page, site }) => {
  await page.addInitScript(() => {
    const clocks: [Performance | DateConstructor, () => number][] = [
      [performance, performance.now.bind(performance)],
      [Date, Date.now],
    ];
    // No clock of the page advances in sleep.
    document.addEventListener("sleep", () => {
      for (const [owner, read] of clocks) {
        const time = read();
        owner.now = () => time;
      }
    });
  });
  await site.logIn({ email: await addMember(site), path: `${film}&play=1` });
  await page.context().setOffline(true);
  await seek(page, 7);
  const refused = page.waitForEvent("requestfailed", isPosition);
  await findVideo(page).evaluate((each: HTMLVideoElement) => each.pause());
  await refused;
  await page.evaluate(() => document.dispatchEvent(new Event("sleep")));
  await sendFromElsewhere(page.context(), site, { ...position, seconds: "30" });

  await page.context().setOffline(false);
  const answered = page.waitForResponse("**/positions");
  await page.evaluate(() => {
    // As when the device is locked again.
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  expect(await (await answered).json()).toEqual({ isOn: true });
  await site.open(`${film}&play=1`);
  await expect(findVideo(page).locator("source").first()).toHaveAttribute("src", /\.mp4#t=30$/);
});

test("a film that is shorter than the catalogue knows, and than the place in it, begins again", async ({
  page,
  site,
}) => {
  const { bytes, contentType } = makeRecording(20);
  await page.route(/\.mp4$/, (route) => route.fulfill({ contentType, body: Buffer.from(bytes) }));
  await page.route(/\.webm$/, (route) => route.abort());
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(page.context(), site, position);
  await site.open(`${film}&play=1`);
  const read = () => findVideo(page).evaluate(({ currentTime, ended }: HTMLVideoElement) => ({ currentTime, ended }));
  await expect.poll(async () => (await read()).currentTime).toBeGreaterThan(0);
  await expect.poll(async () => (await read()).currentTime).toBeLessThan(15);
  expect((await read()).ended).toBe(false);
});

test("a recording goes on with what is left of its 45 minutes, on any device", async ({ page, site }) => {
  await page.clock.install();
  const sea = "/?view=watch&item=4002";
  await site.logIn({ email: await addMember(site), path: sea });
  const sound = page.locator("audio");
  const timer = page.getByRole("group", { name: "Sleep timer" });
  await expect(timer).toBeVisible();
  await sound.evaluate((each: HTMLAudioElement) => each.play());
  await page.clock.fastForward("40:00");
  await sound.evaluate((each: HTMLAudioElement) => each.pause());
  await expectOnLanding(page, site, 1);
  await expect(findRow(page)).toContainText("Your sound · 5 minutes left");

  await site.open(sea);
  await expect(timer).toBeVisible();
  await sound.evaluate((each: HTMLAudioElement) => each.play());
  await page.clock.fastForward("05:10");
  await expect.poll(() => sound.evaluate((each: HTMLAudioElement) => each.paused)).toBe(true);
  await expect(async () => {
    await site.open("/");
    await expect(findRow(page)).toContainText("Your sound · 45 min");
  }).toPass();
  // From here on it starts again, for its full length.
  await site.open(sea);
  await expect(timer).toBeVisible();
  await sound.evaluate((each: HTMLAudioElement) => each.play());
  await page.clock.fastForward("40:00");
  expect(await sound.evaluate((each: HTMLAudioElement) => each.paused)).toBe(false);
});

test("Forget leaves the entry with Undo, which has the focus; Undo brings it back, and elsewhere it is gone @core", async ({
  page,
  site,
}) => {
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(page.context(), site, { ...position, keep: "watch-2003" });
  await sendFromElsewhere(page.context(), site, position);
  await site.open("/");
  await findRow(page).first().getByRole("button", { name: "Remove Breathe with the moon" }).click();
  await expect(findRow(page)).toHaveCount(1);
  const undo = page.getByRole("button", { name: "Undo Breathe with the moon" });
  await expect(undo).toBeFocused();
  await undo.click();
  await expect(findRow(page)).toHaveCount(2);
  await expect(page.getByRole("heading", { name: landingTexts.started })).toBeFocused();
  await findRow(page).first().getByRole("button").click();
  await expect(undo).toBeFocused();
  await findRow(page).getByRole("button").click();
  await expect(findRow(page)).toHaveCount(0);
  await site.open("/");
  await expect(page.getByText(landingTexts.started)).toHaveCount(0);
});

test("a landing that is late keeps room for its row", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(page.context(), site, position);
  await site.open("/");
  await page.getByRole("main").getByRole("link", { name: "Videos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Videos" })).toBeVisible();
  const { release } = await holdRequests(page);
  await page.getByRole("banner").getByRole("link", { name: "Dormouse" }).click();
  const late = page.getByRole("main").locator("[aria-busy]");
  await expect(late).toBeVisible();
  const blank = await late.getByRole("listitem", { includeHidden: true }).last().boundingBox();
  release();
  const tile = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: LAST_TILE }) });
  await expect(tile).toBeVisible();
  await expect(findRow(page)).toHaveCount(1);
  expect(await tile.boundingBox()).toEqual(blank);
});

test("what was forgotten stays in the row while there is no connection", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(page.context(), site, position);
  await site.open("/");
  await page.context().setOffline(true);
  await findRow(page).getByRole("button").click();
  await expect(findRow(page).getByRole("button")).toBeEnabled();
  await expect(findRow(page)).toHaveCount(1);
});

test("an article and a film in another host's frame are told as opened", async ({ page, site }) => {
  await page.route(/youtube-nocookie/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>The player</p>" }),
  );
  const opened: (string | null)[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/positions")) opened.push(request.postData());
  });
  await site.logIn({ email: await addMember(site), path: "/?view=read&item=1001" });
  await expect.poll(() => opened).toEqual(["open=read-1001"]);
  await site.open("/?view=watch&item=2017");
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect.poll(() => opened).toEqual(["open=read-1001", "open=watch-2017"]);
  await site.open("/");
  await expect(page.getByText(landingTexts.started)).toHaveCount(0);
});

test("switched off in My Account, a film is told of once and nothing is kept", async ({ page, site }) => {
  await page.clock.install();
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(page.context(), site, position);
  await site.open("/?account=stopped");
  await page.getByRole("button", { name: "Turn off and clear" }).click();
  await expect(page.getByText("We've cleared your progress, and won't save any more.")).toBeVisible();
  await page.getByRole("link", { name: "Close" }).click();
  await expect(page.getByText(landingTexts.started)).toHaveCount(0);

  let requests = 0;
  await page.route("**/positions", async (route) => {
    requests += 1;
    await route.continue();
  });
  await site.open(`${film}&play=1`);
  const answered = page.waitForResponse("**/positions");
  await seek(page, 8);
  expect(await (await answered).json()).toEqual({ isOn: false });
  await seek(page, 12);
  await page.clock.runFor(30_000);
  await site.open("/");
  expect(requests).toBe(1);
  await expect(page.getByText(landingTexts.started)).toHaveCount(0);
});

for (const script of ["off", "blocked"] as const) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("the landing leads on to what another device kept, and Forget and the switch work", async ({ page, site }) => {
      await site.logIn({ email: await addMember(site) });
      await sendFromElsewhere(page.context(), site, position);
      await site.open("/");
      await findRow(page).getByRole("link", { name: "Breathe with the moon" }).click();
      await expect(findVideo(page).locator("source").first()).toHaveAttribute("src", /\.mp4#t=31$/);
      await site.open("/");
      await findRow(page).getByRole("button", { name: "Remove Breathe with the moon" }).click();
      await page.getByRole("button", { name: "Undo Breathe with the moon" }).click();
      await expect(findRow(page)).toHaveCount(1);
      await findRow(page).getByRole("button", { name: "Remove Breathe with the moon" }).click();
      await expect(findRow(page)).toHaveCount(0);
      await site.open("/");
      await expect(page.getByText(landingTexts.started)).toHaveCount(0);

      await sendFromElsewhere(page.context(), site, position);
      await site.open("/?account=stopped");
      await page.getByRole("button", { name: "Clear all" }).click();
      await expect(page.getByText("We've cleared your progress.")).toBeVisible();
      await page.getByRole("button", { name: "Turn off and clear" }).click();
      await expect(page.getByText("We've cleared your progress, and won't save any more.")).toBeVisible();
      await page.getByRole("button", { name: "Save my progress" }).click();
      await expect(page.getByText("We'll save your progress from now on.")).toBeVisible();
    });
  });
}

test("Clear all in My Account has Undo, which stays while there is no connection", async ({ page, context, site }) => {
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(context, site, position);
  await site.open("/?account=stopped");
  await site.letScriptArrive();
  const account = findAccount(page);
  const undo = account.getByRole("button", { name: "Undo" });
  await expect(undo).toHaveCount(0);
  await account.getByRole("button", { name: "Clear all" }).click();
  await expect(account.getByText("We've cleared your progress.")).toBeFocused();
  await expectGoodLooks(page, "all forgotten, with Undo");
  await page.route("**/*.data*", (route) => route.abort());
  await undo.click();
  await expect(account.getByRole("group", { name: "Error" })).toContainText("offline");
  await page.unroute("**/*.data*");
  await undo.click();
  await expect(account.getByText("Your progress is back.")).toBeFocused();
  await expect(undo).toHaveCount(0);
  await expectOnLanding(page, site, 1);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false, script: "off" });

  test("Clear all has Undo", async ({ page, context, site }) => {
    await site.logIn({ email: await addMember(site) });
    await sendFromElsewhere(context, site, position);
    await site.open("/?account=stopped");
    await page.getByRole("button", { name: "Clear all" }).click();
    await expect(page.getByText("We've cleared your progress.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Your progress is back.")).toBeVisible();
    await expectOnLanding(page, site, 1);
  });
});

test("a tap on tonight's sound goes on with it on the landing, and leads to its page where the player is lost", async ({
  page,
  context,
  site,
}) => {
  await site.logIn({ email: await addMember(site) });
  await sendFromElsewhere(context, site, { ...position, keep: "watch-4002", seconds: "2400", duration: "2700" });
  const tonight = page.getByRole("main").getByRole("link", { name: "Play: A slow sea" });
  await page.route("**/played-here-*.js", (route) => route.abort());
  await site.open("/");
  await tonight.click();
  await expect(page.getByRole("heading", { level: 1, name: "A slow sea" })).toBeVisible();
  await page.unroute("**/played-here-*.js");

  await site.open("/");
  await tonight.click();
  const bar = page.getByRole("region", { name: "Now playing" });
  await expect(bar).toContainText("A slow sea5 minutes left");
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(tonight).toBeVisible();
  await tonight.click();
  await expect(bar.getByRole("button", { name: "Pause" })).toBeVisible();
  // While it plays its place in the row leads to its page.
  await page.getByRole("main").getByRole("link", { name: "A slow sea" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "A slow sea" })).toBeVisible();
  await expect(page.locator("audio")).toHaveCount(1);
  await expect(page.locator("audio")).toHaveJSProperty("paused", false);
});
