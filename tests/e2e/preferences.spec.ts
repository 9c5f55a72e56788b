import { expect, test } from "./fixtures.ts";

test("in forced colours a hit and the current tab are marked @core", async ({ page, site }) => {
  await site.logIn({ path: "/?q=snoring" });
  await page.emulateMedia({ forcedColors: "active" });
  const looks = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { color, backgroundColor } = getComputedStyle(element);
        return { color, backgroundColor };
      });
  const [hit, sentence] = [await looks("mark"), await looks("p:has(mark)")];
  expect(hit.backgroundColor).not.toBe(hit.color);
  expect(hit.backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
  expect(hit).not.toEqual(sentence);
  const kinds = "nav[aria-label='Kinds of result'] a";
  expect((await looks(`${kinds}[aria-current]`)).backgroundColor).not.toBe(
    (await looks(`${kinds}:not([aria-current])`)).backgroundColor,
  );
  await site.open("/?view=read");
  const tabs = "header nav a";
  expect((await looks(`${tabs}[aria-current]`)).backgroundColor).not.toBe(
    (await looks(`${tabs}:not([aria-current])`)).backgroundColor,
  );
});

test("with more contrast, lines and muted text are as strong as text", async ({ page, site }) => {
  await site.logIn({ path: "/?view=watch" });
  const card = page.getByRole("main").getByRole("article").first();
  const colours = () =>
    card.evaluate((element) => {
      const ofText = (selector: string) => getComputedStyle(element.querySelector(selector) ?? element).color;
      return { line: getComputedStyle(element).borderTopColor, quiet: ofText("time"), text: ofText("a") };
    });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, contrast: "no-preference" });
    const { text } = await colours();
    expect((await colours()).line).not.toBe(text);
    await page.emulateMedia({ colorScheme, contrast: "more" });
    expect(await colours()).toEqual({ line: text, quiet: text, text });
  }
});

test("the breathing shape moves, and stands still where no motion is wanted @core", async ({ page, site }) => {
  await site.logIn({ path: "/awake?piece=read-5022" });
  const countMoving = () => page.evaluate(() => document.getAnimations().length);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await countMoving()).toBe(1);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await countMoving()).toBe(0);
  await expect(page.locator(".breath")).toBeVisible();
});

test("a printed article has no controls, nothing beside it, and its address @core", async ({ page, site }) => {
  await site.logIn({ path: "/?view=read&item=1001" });
  await page.emulateMedia({ media: "print" });
  for (const role of ["banner", "contentinfo", "button", "navigation", "region"] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^Back to (Read|top)$/ })).toHaveCount(0);
  const article = page.getByRole("article");
  await expect(article.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(article.getByText(/^By /)).toBeVisible();
  await expect(article.getByText(site.url("/?view=read&item=1001"))).toBeVisible();
  // Firefox begins a new page before a grid or a flexible box that it cannot break.
  const displays = await article.evaluate((element) => {
    const boxes: string[] = [];
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement)
      boxes.push(getComputedStyle(at).display);
    return boxes;
  });
  expect(new Set(displays)).toEqual(new Set(["block"]));
});
