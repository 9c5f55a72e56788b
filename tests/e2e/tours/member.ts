import { landingTexts } from "../../../app/routes/member/dashboard/landing-texts.ts";
import { expect, fillLogIn } from "../fixtures.ts";
import { addMember } from "../new-member.ts";
import type { Tour } from "./tour.ts";

/** Screens that need no preparation. */
const sections = {
  landing: "/",
  videos: "/?view=watch",
  articles: "/?view=read",
  "articles, the second page": "/?view=read&page=2",
  webinars: "/?view=learn",
  results: "/?q=snoring",
  "results of one kind, oldest first": "/?q=sleep&type=reads&order=oldest",
  "results, the second page": "/?q=sleep&page=2",
  "no results": "/?q=xyzzyq",
  "near results": "/?q=jet%20lag%20zeppelin",
  "urgent help": "/?q=i%20want%20to%20die",
  topics: "/?q=",
  "an address that cannot be": "/?view=dreams",
  "awake now": "/awake?piece=read-5001",
  "awake now, breathing": "/awake?piece=read-5022",
  "awake now, a recording": "/awake?piece=watch-4002",
  "results with a guide": "/?q=menopause",
  "the nights of a guide": "/nights/waking-in-the-night",
  "what is kept": "/kept",
  "a kept article": "/kept/read-1001",
  "awake now, kept": "/kept/awake",
};

const items = {
  video: "/?view=watch&item=2002",
  "video elsewhere": "/?view=watch&item=2016",
  player: "/?view=watch&item=2004&play=1",
  "player of another host": "/?view=learn&item=3002&play=1",
  recording: "/?view=watch&item=4002",
  article: "/?view=read&item=1001",
  "long title": "/?view=read&item=1020",
  webinar: "/?view=learn&item=3004",
  "nothing here": "/?view=read&item=4",
};

export const walkSections: Tour = async function* ({ page, site }) {
  await site.logIn();
  for (const [state, path] of Object.entries(sections)) {
    await site.open(path);
    yield state;
  }
  await site.open("/?view=watch");
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("sn");
  await expect(page.getByRole("option").first()).toBeVisible();
  await box.press("ArrowDown");
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  yield "suggestions";
};

export const walkItems: Tour = async function* ({ page, site }) {
  // A long film would be offered on the landing, which the shared member's tests do not expect.
  await site.logIn({ email: await addMember(site) });
  for (const [state, path] of Object.entries(items)) {
    await site.open(path);
    yield state;
  }
  const headers = { Origin: new URL(site.url("/")).origin };
  for (const keep of ["watch-2001", "learn-3001", "watch-4002"]) {
    const form = { keep, seconds: "61", duration: "3600", age: "0" };
    await page.request.post(site.url("/positions"), { form, headers });
  }
  await site.open("/");
  await expect(page.getByRole("heading", { name: landingTexts.started })).toBeVisible();
  yield "landing with something to go on with";
  await page.getByRole("main").getByRole("link", { name: "Play: A slow sea" }).click();
  await page.getByRole("main").getByRole("button", { name: "Timer: 30 minutes" }).click();
  await expect(page.getByRole("region", { name: "Now playing" })).toBeVisible();
  yield "landing, its sound playing";
  for (const piece of [1, 2, 3]) await site.open(`/awake?piece=read-500${piece}`);
  await expect(page.getByRole("heading", { name: "Your usual sound: A slow sea" })).toBeVisible();
  yield "awake now, after three pieces";
};

/** The timer on a page and over a film, and the darkness at its end. */
export const walkTimer: Tour = async function* ({ page, site }) {
  await site.logIn({ path: items.recording });
  for (const state of ["recording", "player"] as const) {
    await site.open(items[state]);
    const timer = page.getByRole("group", { name: "Sleep timer" });
    await timer.getByRole("button", { name: "Timer: 30 minutes" }).click();
    await timer.getByText("Other times").click();
    yield `${state}, its timer set and all times shown`;
  }
  // A timer that ends in silence darkens nothing.
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.play());
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(page.getByRole("dialog", { name: "The screen is dark" })).toBeVisible();
  yield "dark";
};

/** Favourites, menus, and both on a slow or broken line. */
export const walkFavourites: Tour = async function* ({ page, site }) {
  await site.logIn({ path: "/?view=favourites&kind=learn" });
  yield "no favourites of a kind";
  await site.open("/?view=read");
  const button = page.getByRole("main").getByRole("button", { name: "Favourite: A short guide to naps" });
  await site.letScriptArrive();
  if ((await button.getAttribute("aria-pressed")) === "false") {
    await button.click();
    await expect(page.locator('[aria-live="polite"]').filter({ hasText: "Saved to your favourites." })).toBeAttached();
  }
  await site.open("/?view=favourites");
  await expect(page.getByRole("heading", { level: 1, name: "Favourites" })).toBeVisible();
  yield "favourites";
  await site.open("/?view=favourites&kind=read");
  yield "all favourites of a kind";
  await page.getByRole("main").getByRole("link", { name: "A short guide to naps" }).click();
  await expect(page.getByRole("link", { name: "Back to Favourites" })).toBeVisible();
  yield "a favourite, open";

  await page.route("**/favourites.data*", (route) => route.abort());
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Favourite:/ })
    .first()
    .click();
  await expect(page.getByText("We couldn't save that. Please try again.")).toBeVisible();
  yield "a favourite that could not be saved";
  await page.unroute("**/favourites.data*");
};

export const walkMenus: Tour = async function* ({ page, site }) {
  await site.logIn({ path: "/?view=watch" });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.locator("#account-menu")).toBeVisible();
  yield "account menu";
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await expect(page.locator("#side-menu")).toBeVisible();
  yield "side menu";
  await page.reload();
  await page.getByRole("combobox", { name: "Search" }).click();
  yield "the search of a phone, open";
};

export const walkAsVisitor: Tour = async function* ({ page, site }) {
  await site.open("/signup");
  yield "welcome";
  await site.open("/login?to=%2F%3Fview%3Dread");
  yield "log in";
  await fillLogIn(page, "member@dormouse.example", "wrong");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "log in, refused";
  await page.getByLabel("Password", { exact: true }).fill("sleep");
  await page.getByRole("button", { name: "Show password" }).click();
  yield "log in, the password shown";
  await site.open("/nowhere");
  yield "not found";
};

export const walkLapsed: Tour = async function* ({ page, site }) {
  await site.logIn({ email: "lapsed@dormouse.example" });
  await expect(page.getByRole("heading", { level: 1, name: "No active subscription." })).toBeVisible();
  yield "locked";
  await page.getByRole("button", { name: /^Account of/ }).click();
  await expect(page.locator("#account-menu")).toBeVisible();
  yield "locked, the account's menu";
  await site.open("/?account=open");
  yield "My Account without a subscription";
};
