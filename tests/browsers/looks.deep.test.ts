import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { Browser, Size } from "./browser.ts";
import { engines } from "./engines.ts";
import { phone, visitLoggedIn } from "./visitor.ts";

const demo = inject("demo");

/** Layouts in which these engines differ from Chromium; people saw each as a fault. */
for (const { name, start } of engines) {
  describe(`in ${name}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await start();
    });
    afterAll(() => browser[Symbol.asyncDispose]());

    const visitAsMember = (path: string, size?: Size) => visitLoggedIn(browser, { root: demo.url, path, size });

    test("a slider starts at its first slide", async () => {
      await using visitor = await visitAsMember("/", phone);
      // The fault occurred only now and then.
      for (let visits = 0; visits < 4; visits += 1) {
        await visitor.open("/?view=read");
        const starts = await visitor.page.evaluate<number[]>(readSliderStarts);
        expect(starts).toEqual([0]);
      }
    });

    test("a long title of a card fills the lines that it is cut to", async () => {
      await using visitor = await visitAsMember("/?view=read");
      const services = await visitor.page.evaluate<number[]>(readSpaceAfterFirstLine);
      expect(services.length).toBeGreaterThan(2);
      expect(services.filter((pixels) => pixels > 0)).toEqual([]);
    });

    test("the account menu is as high as what it holds", async () => {
      await using visitor = await visitAsMember("/?view=watch");
      await visitor.press("button", "Account of");
      await expect.poll(() => visitor.page.evaluate(readMenuHeight)).toBeGreaterThan(50);
      expect(await visitor.page.evaluate(readMenuHeight)).toBeLessThan(300);
    });

    if (!name.startsWith("Firefox")) return;

    test.each([390, 320])("at %i px and 200 % text the bar stays within the screen", async (width) => {
      await using visitor = await visitAsMember("/", { width, height: 844 });
      const { screen, page, controls } = await visitor.page.evaluate<Bar>(readBarAtDoubleText);
      expect(screen).toBeLessThanOrEqual(width);
      expect(page).toBeLessThanOrEqual(screen);
      expect(controls.map(({ label }) => label)).toEqual(["Favourites", "Menu", "Account of Ada Lovell"]);
      expect(controls.filter(({ left, right }) => left < 0 || right > screen)).toEqual([]);
    });

    test.each([1001, 1012])("article %i ends with its text, and no sheet of paper with nothing on it", async (id) => {
      await using visitor = await visitAsMember(`/?view=read&item=${id}`);
      const sheets = await visitor.page.countPrintedPages();
      await visitor.page.evaluate(
        `() => document.querySelector("main").style.setProperty("padding", "0", "important")`,
      );
      expect(sheets).toBe(await visitor.page.countPrintedPages());
    });

    test("an article prints as its text, on no more sheets than that needs", async () => {
      await using visitor = await visitAsMember("/?view=read&item=1003");
      const { words, pictures } = await visitor.page.evaluate<Length>(readLength);
      const mostSheets = Math.ceil(words / 300 + pictures / 2);
      const sheets = await visitor.page.countPrintedPages();
      expect(sheets).toBeGreaterThan(1);
      expect(sheets).toBeLessThanOrEqual(mostSheets);
      expect(await visitor.page.evaluate(listPrintedControls)).toEqual([]);
    });
  });
}

/** In pixels. */
const readSliderStarts = `() => [...document.querySelectorAll("main [role=group] > ul")].map(
  (slides) => slides.parentElement.scrollLeft,
)`;

/** For each title that is cut: the pixels by which its second line's first word would have fitted the first line. */
const readSpaceAfterFirstLine = `() => [...document.querySelectorAll("main :is(h2, h3)")]
  .filter((title) => getComputedStyle(title).webkitLineClamp === "2")
  .map((title) => {
    const link = title.querySelector("a");
    link.textContent = "How it is to lie awake, to hear how the rain goes on and on, and to be on one's way to bed again all night";
    const range = document.createRange();
    const words = [...link.textContent.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
      range.setStart(link.firstChild, index);
      range.setEnd(link.firstChild, index + word.length);
      return range.getBoundingClientRect();
    });
    const next = words.find(({ top }) => top > words[0].top + 4);
    const last = words[words.indexOf(next) - 1];
    const space = words[1].left - words[0].right;
    return Math.floor(title.getBoundingClientRect().right - (last.right + space + next.width));
  })`;

const readMenuHeight = `() => document.querySelector("#account-menu").getBoundingClientRect().height`;

type Bar = { screen: number; page: number; controls: { label: string; left: number; right: number }[] };

const readBarAtDoubleText = `() => {
  document.documentElement.style.fontSize = "200%";
  const controls = ["Favourites", "Menu", "Account of"].flatMap((name) =>
    [...document.querySelectorAll("header a, header button")]
      .map((element) => ({ label: element.getAttribute("aria-label") ?? element.innerText.trim(), element }))
      .filter(({ label, element }) => label.startsWith(name) && element.checkVisibility())
      .map(({ label, element }) => {
        const { left, right } = element.getBoundingClientRect();
        return { label, left, right };
      }),
  );
  const { clientWidth: screen, scrollWidth: page } = document.documentElement;
  return { screen, page, controls };
}`;

type Length = { words: number; pictures: number };

const readLength = `() => {
  const article = document.querySelector("article");
  return { words: article.innerText.split(/\\s+/).length, pictures: article.querySelectorAll("img").length };
}`;

/** Controls that would be on paper: meanwhile the rules for print hold for the screen. */
const listPrintedControls = `() => {
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules) if (rule.conditionText === "print") rule.media.mediaText = "all";
  return [...document.querySelectorAll("nav, button, header a, [role=group], input")]
    .filter((element) => element.getClientRects().length > 0)
    .map((element) => element.outerHTML.slice(0, 120));
}`;
