import { expect, test } from "./fixtures.ts";
import { addMember } from "./new-member.ts";

test("a slider's hidden slides are out of the tab order, and its arrows bring them in @core", async ({
  page,
  site,
}) => {
  await site.logIn({ path: "/?view=read" });
  const slider = page.getByRole("region", { name: "Featured Articles" });
  await slider.hover();
  const inert = () =>
    slider.locator("li > article").evaluateAll((cards) => cards.map((card) => Boolean(card.closest("[inert]"))));
  await expect.poll(inert).toEqual([false, true, true, true, true, true]);
  await expect(slider.getByRole("button", { name: "Previous: Featured Articles" })).toBeDisabled();
  const next = slider.getByRole("button", { name: "Next: Featured Articles" });
  await next.press("Enter");
  await expect.poll(inert).toEqual([true, false, true, true, true, true]);
  for (const part of [3, 4, 5, 6, 6]) {
    await expect(next).toBeFocused();
    await page.keyboard.press("Enter");
    const dot = slider.getByRole("button", { name: `Featured Articles, part ${part}` });
    await expect(dot).toHaveAttribute("aria-current", "true");
  }
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();
});

test("what a browser scrolls within a slider while a slide glides in does not move the slides apart", async ({
  page,
  site,
}) => {
  await site.logIn({ path: "/?view=read" });
  const slider = page.getByRole("region", { name: "Featured Articles" });
  await slider.hover();
  const group = slider.getByRole("group");
  await expect(group).toHaveAttribute("data-enhanced");
  // As focusing a link in the slide would; nothing else scrolls a box with hidden overflow.
  await group.evaluate((box) => box.scrollTo({ left: 120 }));
  await expect.poll(() => group.evaluate((box) => box.scrollLeft)).toBe(0);
});

test("a slider of which all is in view has no arrows, and gets them where it is narrower", async ({ page, site }) => {
  await site.logIn({ email: await addMember(site) });
  for (const save of ["watch-2001", "watch-2005", "learn-3001"])
    await site.post("/favourites", { save, from: "/?view=favourites" });
  await site.open("/?view=favourites");
  const slider = page.getByRole("region", { name: "Watch" });
  const arrows = slider.getByRole("button", { name: /^(?:Previous|Next): / });
  await expect(slider.getByRole("article")).toHaveCount(2);
  await expect(arrows).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(arrows).toHaveCount(2);
  await expect(arrows.last()).toBeEnabled();
});

test("a slider whose script does not arrive is a list that scrolls, and its arrows scroll it @core", async ({
  page,
  site,
}) => {
  await page.route("**/slider-engine-*.js", (route) => route.abort("internetdisconnected"));
  await site.logIn({ path: "/?view=read" });
  const slider = page.getByRole("region", { name: "Featured Articles" });
  const cards = slider.getByRole("article");
  const next = slider.getByRole("button", { name: "Next: Featured Articles" });
  await Promise.all([
    page.waitForEvent("requestfailed", (request) => request.url().includes("slider-engine")),
    slider.hover(),
  ]);
  await next.click();
  await expect(cards.nth(1)).toBeInViewport({ ratio: 0.9 });
  await expect(cards.nth(0)).not.toBeInViewport();
  await expect(slider.getByRole("button", { name: "Featured Articles, part 2" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await slider.getByRole("group").evaluate((list) => list.scrollTo({ left: list.scrollWidth }));
  await expect(cards.nth(5)).toBeInViewport({ ratio: 0.9 });
  await expect(next).toBeDisabled();
});

test("no scroll container snaps by itself, so that WebKit begins at the first slide", async ({ page, site }) => {
  await site.logIn();
  for (const path of ["/?view=read", "/?view=read&item=1001"]) {
    await site.open(path);
    const types = await page
      .locator("section [role=group]")
      .evaluateAll((lists) => lists.map((list) => getComputedStyle(list).scrollSnapType));
    expect(types, path).toEqual(["none"]);
  }
});
