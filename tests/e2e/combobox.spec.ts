import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { holdRequests } from "./network.ts";

/** The facts for a screen reader at each key: the input's role and state, the active option, the live text. */
async function describe(page: Page) {
  const box = page.getByRole("combobox", { name: "Search" });
  const [isExpanded, activeId] = await Promise.all([
    box.getAttribute("aria-expanded"),
    box.getAttribute("aria-activedescendant"),
  ]);
  const active = activeId ? page.locator(`[id="${activeId}"]`) : undefined;
  return {
    isExpanded,
    active: active && (await active.textContent()),
    isSelected: active && (await active.getAttribute("aria-selected")),
  };
}

function findResults(page: Page, term: string) {
  return page.getByRole("heading", { level: 1, name: `Search results for ${term}`, exact: true });
}

test.beforeEach(async ({ site }) => site.logIn());

test("arrow keys, Home, End and Escape work on the suggestions, and all is announced @core", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("sno");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(list).toBeVisible();
  await expect(box).toHaveAttribute("aria-controls", (await list.getAttribute("id")) ?? "");
  // Titles follow after a pause.
  await expect(list.getByRole("option", { name: "Snow on a lane" })).toBeVisible();
  const options = await list.getByRole("option").allTextContents();
  expect(options[0]).toBe("Snoring");
  await expect(page.getByRole("search").locator('[aria-live="polite"]')).toHaveText(/^\d suggestions?$/);
  expect(await describe(page)).toEqual({ isExpanded: "true", active: undefined, isSelected: undefined });

  await box.press("ArrowDown");
  expect(await describe(page)).toEqual({ isExpanded: "true", active: "Snoring", isSelected: "true" });
  await box.press("ArrowDown");
  expect(await describe(page)).toMatchObject({ active: options[1] });
  await box.press("End");
  expect(await describe(page)).toMatchObject({ active: options.at(-1) });
  await box.press("ArrowDown");
  expect(await describe(page)).toMatchObject({ active: options[0] });
  await box.press("ArrowUp");
  expect(await describe(page)).toMatchObject({ active: options.at(-1) });
  await box.press("Home");
  expect(await describe(page)).toMatchObject({ active: options[0] });
  await expect(box).toBeFocused();

  await box.press("Escape");
  await expect(list).toBeHidden();
  expect(await describe(page)).toMatchObject({ isExpanded: "false", active: undefined });
  await expect(box).toHaveValue("sno");
  await expect(page.getByRole("search").locator('[aria-live="polite"]')).toHaveText("");
});

test("Enter on a suggestion opens its results and clears the box", async ({ page, site }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("menopuase");
  await expect(page.getByRole("option", { name: "Menopause", exact: true })).toBeVisible();
  await box.press("ArrowDown");
  await box.press("Enter");
  await expect(page).toHaveURL(site.url("/?q=Menopause"));
  await expect(page.getByRole("heading", { level: 1, name: "Search results for Menopause" })).toBeFocused();
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(box).toHaveValue("");
});

test("keys with which an input method composes move through its candidates, and pick no suggestion @core", async ({
  page,
}) => {
  const box = page.getByRole("combobox", { name: "Search" });
  const keyboard = await page.context().newCDPSession(page);
  const press = (key: string, windowsVirtualKeyCode: number) =>
    keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, windowsVirtualKeyCode });
  await box.pressSequentially("sno");
  await keyboard.send("Input.imeSetComposition", { text: "r", selectionStart: 1, selectionEnd: 1 });
  await expect(page.getByRole("option", { name: "Snoring", exact: true })).toBeVisible();
  await press("ArrowDown", 40);
  await press("Enter", 13);
  expect(await describe(page)).toMatchObject({ isExpanded: "true", active: undefined });

  await keyboard.send("Input.insertText", { text: "r" });
  await box.press("ArrowDown");
  expect(await describe(page)).toMatchObject({ active: "Snoring" });
  // Safari sends the Enter that ends a composition after its end, with this number.
  await press("Enter", 229);
  expect(await describe(page)).toMatchObject({ active: "Snoring" });
  await expect(box).toHaveValue("snor");
});

test("a suggestion can be clicked", async ({ page, site }) => {
  await page.getByRole("combobox", { name: "Search" }).pressSequentially("jet");
  await page.getByRole("option", { name: "Jet Lag", exact: true }).click();
  await expect(page).toHaveURL(site.url("/?q=Jet+Lag"));
  await expect(page.getByRole("heading", { level: 1, name: "Search results for Jet Lag" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Search" })).toHaveValue("");
});

test("Enter without a choice searches for what was typed", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("nap");
  await expect(page.getByRole("listbox")).toBeVisible();
  await box.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Search results for nap" })).toBeVisible();
  await expect(box).toHaveValue("nap");
});

test("text that is typed while results load stays, with focus and caret @core", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  const results = await holdRequests(page);
  await box.fill("nap");
  await box.press("Enter");
  await expect(page.getByText("Loading", { exact: true })).toBeAttached();
  await box.pressSequentially("s at wok");
  await box.press("ArrowLeft");
  results.release();
  await expect(findResults(page, "nap")).toBeVisible();
  await page.keyboard.type("r");
  await expect(box).toHaveValue("naps at work");
  await box.press("Enter");
  await expect(findResults(page, "naps at work")).toBeFocused();
  await page.goBack();
  await expect(findResults(page, "nap")).toBeFocused();
  await expect(box).toHaveValue("nap");
});

test("the box shows the term of each page that Back, Forward or a topic leads to", async ({ page, site }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await site.open("/?q=");
  await box.fill("something else");
  await page.getByRole("list", { name: "Topics" }).getByRole("link", { name: "Jet Lag" }).click();
  await expect(findResults(page, "Jet Lag")).toBeFocused();
  await expect(box).toHaveValue("Jet Lag");
  await box.fill("something else");
  await page.goBack();
  await expect(box).toHaveValue("");
  await page.goForward();
  await expect(box).toHaveValue("Jet Lag");
});

test("titles follow the topics, and one that is picked opens its item", async ({ page, site }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("rain");
  const title = page.getByRole("option", { name: "Rain on a window pane" });
  await expect(title).toBeVisible();
  await expect(page.getByRole("option", { name: "Back Pain" })).toHaveCount(0);
  await box.fill("breath");
  await expect(page.getByRole("option", { name: "Breathe with the moon" })).toBeVisible();
  await expect(page.getByRole("option").first()).toHaveText("Breathing");
  await expect(title).toHaveCount(0);
  await box.fill("slow sea");
  await expect(page.getByRole("option", { name: "A slow sea" })).toBeVisible();
  await box.press("ArrowUp");
  await box.press("Enter");
  await expect(page).toHaveURL(site.url("/?view=watch&item=4002"));
  await expect(page.getByRole("heading", { level: 1, name: "A slow sea" })).toBeVisible();
});

test("titles that come late do not open a list again that was closed", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route("**/suggestions?*", async (route) => {
    await held.promise;
    await route.continue();
  });
  const box = page.getByRole("combobox", { name: "Search" });
  const asked = page.waitForRequest("**/suggestions?*");
  await box.pressSequentially("snor");
  await expect(page.getByRole("option", { name: "Snoring", exact: true })).toBeVisible();
  await asked;
  await box.press("Escape");
  const answered = page.waitForResponse("**/suggestions?*");
  held.resolve();
  await (await answered).finished();
  await expect(page.getByRole("listbox")).toBeHidden();
});

test("the list closes when the focus leaves, and is never higher than 15rem", async ({ page }) => {
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("s");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(list).toBeVisible();
  expect((await list.boundingBox())?.height).toBeLessThanOrEqual(242);
  await box.press("Tab");
  await expect(list).toBeHidden();
});

test("topics are fetched when the box is first used, not before", async ({ page, site }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await site.open("/?view=watch");
  await page.waitForLoadState("networkidle");
  const before = scripts.length;
  expect(before).toBeGreaterThan(2);
  await page.getByRole("combobox", { name: "Search" }).focus();
  await expect.poll(() => scripts.length).toBeGreaterThan(before);
  expect(scripts.some((address) => address.includes("fuse"))).toBe(false);
});

test("an empty box goes nowhere", async ({ page, site }) => {
  await page.getByRole("combobox", { name: "Search" }).press("Enter");
  await expect(page).toHaveURL(site.url("/"));
});

test("words of despair are offered no topics but where to call, and keys and presses reach the numbers @core", async ({
  page,
}) => {
  const box = page.getByRole("combobox", { name: "Search" });
  const live = page.getByRole("search").locator('[aria-live="polite"]');
  await box.pressSequentially("pill");
  await expect(page.getByRole("option").first()).toBeVisible();
  await box.fill("i want to die");
  const samaritans = page.getByRole("search").getByRole("link", { name: "Samaritans 116 123" });
  await expect(samaritans).toBeVisible();
  await expect(samaritans).toHaveAttribute("href", "tel:116123");
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(live).toContainText("Samaritans, 116 123");

  await box.press("Tab");
  await page.keyboard.press("Tab");
  await expect(samaritans).toBeFocused();
  await box.focus();
  await box.press("Escape");
  await expect(samaritans).toBeHidden();
  await expect(live).toHaveText("");

  await box.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Please talk to someone now");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByRole("main").getByRole("link", { name: "Samaritans 116 123" })).toBeInViewport();
});
