import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { expect, fillLogIn, test as base, type Site, LAST_TILE } from "./fixtures.ts";
import { startFilm, type Frame } from "./film.ts";
import { renderFaultPages } from "./fault-pages.ts";
import { findAccount } from "./my-account.ts";
import { answerPlayers, loseConnection, type ScriptMode } from "./network.ts";
import { openSlowLine } from "./slow-line.ts";
import { openFault } from "./tours/faults.ts";

/**
 * The night scheme on a phone in light mode, on a slow line: in no frame may more than a fiftieth of the screen be
 * brighter than text.
 */
const test = base.extend({
  proxy: async ({}, use) => {
    await using line = await openSlowLine();
    await use({ server: line.url });
  },
});

test.use({ viewport: { width: 390, height: 844 }, colorScheme: "light" });

const MOST_BRIGHT = 0.02;
const DARK_PAGE = "data:text/html,<style>html{background:black}</style>";

const bright = (frames: Frame[]) => frames.filter(({ brightShare }) => brightShare > MOST_BRIGHT);

test("the film contains a flash of three frames", async ({ page, site }) => {
  const flash =
    "<!doctype html><script>let left = 4; requestAnimationFrame(function next() { if (left-- > 0) return requestAnimationFrame(next); document.documentElement.style.background = 'black'; document.title = 'dark' })</script>";
  await page.route(site.url("/flash"), (route) => route.fulfill({ contentType: "text/html", body: flash }));
  await page.goto(DARK_PAGE);
  const film = await startFilm(page);
  await page.goto(site.url("/flash"));
  await expect(page).toHaveTitle("dark");
  await page.screenshot();
  const frames = await film.stop();
  expect(bright(frames).length).toBeGreaterThan(0);
  expect(bright(frames.slice(-1))).toEqual([]);
});

for (const script of ["on", "off", "late"] as const satisfies ScriptMode[]) {
  test.describe(`with script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("with the night scheme no frame is bright", async ({ page, site }) => {
      await page.context().addCookies([{ name: "dormouse-scheme", value: "night", url: site.url("/") }]);
      await answerPlayers(page);
      await page.goto(DARK_PAGE);
      const film = await startFilm(page);
      await enter(page, site);
      await lookAround(page, site);
      await meetTrouble(page, site);
      const frames = await film.stop();
      expect(frames.length).toBeGreaterThan(20);
      expect(bright(frames)).toEqual([]);
    });
  });
}

/** First load, a link, a refused form, and a log-in. */
async function enter(page: Page, site: Site): Promise<void> {
  await site.open("/signup");
  await page.getByRole("navigation").getByRole("link", { name: "Log In" }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
  await fillLogIn(page, "team@dormouse.example", "wrong");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  await site.letScriptArrive();
  await fillLogIn(page, "team@dormouse.example");
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
}

/** Awake now, a list, an item, another host's player, Back, and My Account with a refused form. */
async function lookAround(page: Page, site: Site): Promise<void> {
  await page.getByRole("link", { name: "Awake now" }).click();
  await page.getByRole("link", { name: "Another" }).click();
  await page.getByRole("link", { name: "Back to Dormouse" }).click();
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await page.getByRole("main").getByRole("link", { name: "A sample film from YouTube" }).click();
  await page.getByRole("link", { name: /^Play:/ }).click();
  await expect(page.getByRole("dialog").frameLocator("iframe").getByText("The player")).toBeVisible();
  await page.getByRole("link", { name: "Close video" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "A sample film from YouTube" })).toBeVisible();
  await page.goBack({ waitUntil: "domcontentloaded" });
  // If script was there in time, closing the player went back in history, and Back now leads to the list.
  const list = page.getByRole("heading", { level: 1, name: "Help" });
  await expect(page.getByRole("dialog").or(list)).toBeVisible();
  await page.goForward({ waitUntil: "domcontentloaded" });
  await expect(list).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await site.open("/?view=read&account=open");
  const account = findAccount(page);
  await account.getByLabel("First Name").fill("");
  await account.getByRole("button", { name: "Save" }).click();
  await expect(account.getByRole("group", { name: "Error" })).toBeVisible();
}

/** Pages that do not exist, that fail, and that cannot be fetched. */
async function meetTrouble(page: Page, site: Site): Promise<void> {
  const { screen, other } = await renderFaultPages("night");
  await openFault({ page, site }, screen);
  await openFault({ page, site }, other);
  await site.open("/nowhere");
  await site.open("/");
  if (!site.hasScript) return;
  await site.letScriptArrive();
  await loseConnection(page);
  await page.getByRole("link", { name: LAST_TILE }).click();
  await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
}
