import type { Page } from "@playwright/test";

import { expect, fillLogIn, test } from "./fixtures.ts";
import {
  expectNoFindings,
  expectNoFindingsInBothSchemes,
  expectNoShift,
  expectNoSidewaysScroll,
  listSmallTargets,
} from "./looks.ts";

/** Every state that a person can meet, by how one gets there. */
const visitorStates: Record<string, (page: Page, url: (path: string) => string) => Promise<unknown>> = {
  welcome: (page, url) => page.goto(url("/signup")),
  "log in": (page, url) => page.goto(url("/login")),
  "log in, refused": async (page, url) => {
    await page.goto(url("/login"));
    await fillLogIn(page, "member@dormouse.example", "wrong");
    await expect(page.getByRole("alert")).toBeVisible();
  },
  "not found": (page, url) => page.goto(url("/nowhere")),
};

const memberStates: typeof visitorStates = {
  landing: (page, url) => page.goto(url("/")),
  videos: (page, url) => page.goto(url("/?view=watch")),
  articles: (page, url) => page.goto(url("/?view=read")),
  webinars: (page, url) => page.goto(url("/?view=learn")),
  video: (page, url) => page.goto(url("/?view=watch&item=2002")),
  "video elsewhere": (page, url) => page.goto(url("/?view=watch&item=2016")),
  player: (page, url) => page.goto(url("/?view=watch&item=2004&play=1")),
  "player of another host": (page, url) => page.goto(url("/?view=learn&item=3002&play=1")),
  article: (page, url) => page.goto(url("/?view=read&item=1001")),
  "long title": (page, url) => page.goto(url("/?view=read&item=1020")),
  webinar: (page, url) => page.goto(url("/?view=learn&item=3004")),
  results: (page, url) => page.goto(url("/?q=snoring&type=reads")),
  "no results": (page, url) => page.goto(url("/?q=xyzzyq")),
  topics: (page, url) => page.goto(url("/?q=")),
  suggestions: async (page, url) => {
    await page.goto(url("/?view=watch"));
    const box = page.getByRole("combobox", { name: "Search" });
    await box.pressSequentially("sn");
    await expect(page.getByRole("option").first()).toBeVisible();
    await box.press("ArrowDown");
    await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  },
  "no favourites": (page, url) => page.goto(url("/?view=favourites&kind=learn")),
  favourites: async (page, url) => {
    await page.goto(url("/?view=read"));
    const heart = page.getByRole("main").getByRole("button", { name: "Favourite: A short guide to naps" });
    if ((await heart.getAttribute("aria-pressed")) === "false") {
      await heart.click();
      await expect(page.getByRole("status").filter({ hasText: "Saved to your favourites." })).toBeAttached();
    }
    await page.goto(url("/?view=favourites"));
    await expect(page.getByRole("heading", { level: 1, name: "Favourites" })).toBeVisible();
  },
  "all favourites of a kind": (page, url) => page.goto(url("/?view=favourites&kind=read")),
  "nothing here": (page, url) => page.goto(url("/?view=read&item=4")),
  "account menu": async (page, url) => {
    await page.goto(url("/?view=watch"));
    await page.getByRole("button", { name: /Account of/ }).click();
    await expect(page.locator("#account-menu")).toBeVisible();
  },
  "side menu": async (page, url) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(url("/?view=watch"));
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(page.locator("#side-menu")).toBeVisible();
  },
};

test("axe finds nothing in any state of a visitor and of a lapsed member, in both schemes", async ({ page, site }) => {
  for (const [state, reach] of Object.entries(visitorStates)) {
    await reach(page, site.url);
    await expectNoFindingsInBothSchemes(page, state);
  }
  await site.logIn("lapsed@dormouse.example");
  await expectNoFindingsInBothSchemes(page, "locked");
});

test("axe finds nothing in any state of a member, in both schemes", async ({ page, site }) => {
  test.setTimeout(180_000);
  await site.logIn();
  for (const [state, reach] of Object.entries(memberStates)) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await reach(page, site.url);
    await expectNoFindingsInBothSchemes(page, state);
  }
});

test("at 320 px, and with text at 200 %, nothing scrolls sideways", async ({ page, site }) => {
  await site.logIn();
  const states = Object.entries({ ...visitorStates, ...memberStates }).filter(
    ([state]) => state !== "side menu" && !state.startsWith("log in"),
  );
  for (const [state, reach] of states) {
    await page.setViewportSize({ width: 320, height: 640 });
    await reach(page, site.url);
    await expectNoSidewaysScroll(page, `${state} at 320 px`);
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    await expectNoSidewaysScroll(page, `${state} at 200 %`);
  }
});

test("at no width between a phone and a desktop does the bar push the page sideways", async ({ page, site }) => {
  await site.logIn();
  await site.open("/?view=watch");
  for (const width of [360, 480, 640, 768, 899, 900, 1023, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `${width} px`);
  }
});

test("targets on a phone are 44 px in each direction, or a line of text", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await site.logIn();
  for (const path of ["/", "/?view=read", "/?view=read&item=1001", "/login"]) {
    await site.open(path);
    expect(await listSmallTargets(page), path).toEqual([]);
  }
});

test("by keyboard alone: past the bar, into a list, through the player and back", async ({ page, site }) => {
  await site.logIn();
  await site.open("/?view=watch");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  const card = page.getByRole("main").getByRole("link", { name: "Can't sleep? Leave the bed for a while" });
  while (!(await card.evaluate((link) => link === document.activeElement))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /Leave the bed/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Favourite: Can't sleep/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /^Play:/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Close video" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /^Play:/ })).toBeFocused();
});

test("a focused control can be seen, in both schemes", async ({ page, site }) => {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await site.open("/login");
    for (const control of await page.locator("a, button, input:not([type=hidden])").all()) {
      await control.focus();
      const outline = await control.evaluate((element) => getComputedStyle(element).outlineWidth);
      expect(outline).toBe("3px");
    }
  }
});

test("who wants no motion gets none", async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await site.logIn();
  for (const path of ["/", "/?view=watch", "/?view=read&item=1001"]) {
    await site.open(path);
    expect(await page.evaluate(() => document.getAnimations().length), path).toBe(0);
  }
});

test("in forced colours the controls keep their edges", async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await site.open("/login");
  const button = page.getByRole("button", { name: "Log In" });
  expect(await button.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe("solid");
  // In forced colours the system chooses them, and axe measures ours.
  await expectNoFindings(page, "log in, forced colours", ["color-contrast"]);
});

test("nothing on a page moves once it is there, fonts late or not", async ({ page, site }) => {
  await page.route("**/*.woff2", async (route) => {
    await page.waitForLoadState("domcontentloaded");
    await route.continue();
  });
  await site.logIn();
  for (const path of ["/", "/?view=watch", "/?view=read&item=1001", "/login"]) {
    await site.open(path);
    await expectNoShift(page, path);
  }
});
