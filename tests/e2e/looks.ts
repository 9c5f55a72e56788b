import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

import { waitForLooks, waitForScript } from "./fixtures.ts";
import {
  findBrokenWords,
  findCutTexts,
  findEdgeless,
  findMoving,
  findSmallTargets,
  lengthenTexts,
  readStuckHeight,
  spaceOutText,
} from "./page-probes.ts";

/** The checks of every state of the site. */

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const desktop = { width: 1280, height: 900 };
/** A desktop window at 400 %: WCAG 1.4.10. */
const zoomed = { width: 320, height: 256 };
const phone = { width: 390, height: 844 };

/**
 * Checks a state in both schemes, at 400 %, with spaced and doubled text, in forced colours, with reduced motion and
 * for thumbs.
 */
export async function expectGoodLooks(page: Page, state: string): Promise<void> {
  await waitUntilDrawn(page);
  const before = page.viewportSize() ?? desktop;
  await expectNoFindingsInBothSchemes(page, state);
  await expectToReflow(page, state);
  if (await page.locator("table, dl").count()) await expectWholeWords(page, state);
  await expectSpaceForText(page, state);
  await expectSpaceForWords(page, state);
  await expectEdges(page, state);
  await expectStillness(page, state);
  await page.setViewportSize(before);
}

/** WCAG 2.2 A and AA and good practice in the night scheme; in dawn, whose markup is the same, the colours. */
export async function expectNoFindingsInBothSchemes(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNone(page, `${state}, dark`, { type: "tag", values: wcag });
  await page.emulateMedia({ colorScheme: "light" });
  await expectNone(page, `${state}, light`, { type: "rule", values: ["color-contrast"] });
}

/** Waits for style, fonts, pictures, and script, which would not find the texts that checks change. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await waitForScript(page);
  await waitForLooks(page);
}

/** The package's `axe.source` is twice as long, and takes a browser twice the time. */
const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

type Rules = { type: "tag" | "rule"; values: string[] };

/** Frames of other hosts are left out. */
async function expectNone(page: Page, state: string, runOnly: Rules): Promise<void> {
  // Axe is large, so each document gets it once.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const findings = await page.evaluate(findAgainst, runOnly);
  expect(findings, state).toEqual([]);
}

/** Runs in the page. Returns the broken rules, each with its elements. */
async function findAgainst(runOnly: Rules): Promise<string[]> {
  // The page must not move while axe measures.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
  // Axe takes a ground without a colour for white, even the browser's dark one.
  const rules = { "color-contrast": { enabled: document.styleSheets.length > 0 } };
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
    runOnly,
    rules,
    resultTypes: ["violations"],
    iframes: false,
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** WCAG 1.4.10: nothing scrolls sideways, and what sticks leaves half the screen for reading. */
async function expectToReflow(page: Page, state: string): Promise<void> {
  await page.setViewportSize(zoomed);
  await expectNoSidewaysScroll(page, `${state} at 400 %`);
  expect(await page.evaluate(readStuckHeight), `${state}: what stays at 400 %`).toBeLessThanOrEqual(zoomed.height / 2);
}

/** No word and no number of a table or list of facts is broken over two lines. */
export async function expectWholeWords(page: Page, state: string): Promise<void> {
  for (const width of [390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(findBrokenWords), `${state} at ${width} px`).toEqual([]);
    await expectNoSidewaysScroll(page, `${state} at ${width} px`);
  }
}

/** WCAG 1.4.12 and 1.4.4 on a phone and a narrow desktop, and targets large enough for a thumb. */
async function expectSpaceForText(page: Page, state: string): Promise<void> {
  await page.setViewportSize(phone);
  expect(await page.evaluate(findSmallTargets), `${state} at 390 px`).toEqual([]);
  await page.evaluate(spaceOutText, true);
  await expectNoSidewaysScroll(page, `${state}, spaced out`);
  expect(await page.evaluate(findCutTexts), `${state}, spaced out`).toEqual([]);
  await page.evaluate(spaceOutText, false);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  for (const width of [640, zoomed.width]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `${state} at 200 % and ${width} px`);
    expect(await page.evaluate(findCutTexts), `${state} at 200 % and ${width} px`).toEqual([]);
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = ""));
}

/** A name, a title or a term may be one long word, which must not make a page or a menu wider than the screen. */
async function expectSpaceForWords(page: Page, state: string): Promise<void> {
  // The error page has no styles, and only our own words.
  if (await page.evaluate(() => document.styleSheets.length === 0)) return;
  await page.evaluate(lengthenTexts, "m".repeat(80));
  for (const width of [zoomed.width, desktop.width]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `${state} with long words at ${width} px`);
  }
  await page.evaluate(lengthenTexts, "");
}

/** Where the system chooses the colours, controls need edges. */
async function expectEdges(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  expect(await page.evaluate(findEdgeless), `${state} in forced colours`).toEqual([]);
  await page.emulateMedia({ forcedColors: "none" });
}

async function expectStillness(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await page.evaluate(findMoving), `${state} without motion`).toEqual([]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
}

/** Neither the page nor what lies over it scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  await waitForLooks(page);
  const overflow = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("dialog[open], [popover]:popover-open")].map((element) =>
      // A page cannot scroll to the left, so content there is out of reach.
      Math.max(element.scrollWidth - element.clientWidth, Math.ceil(-element.getBoundingClientRect().left)),
    ),
  );
  expect(Math.max(...overflow), state).toBeLessThanOrEqual(0);
}

/** Nothing has moved since the page was drawn: layout shift as browsers count it. */
export async function expectNoShift(page: Page, state: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver(() => undefined);
        const readSum = () => {
          observer.observe({ type: "layout-shift", buffered: true });
          // At once: on a busy machine the observer itself may be called only after these frames.
          const shifts = observer.takeRecords() as (PerformanceEntry & { value: number })[];
          observer.disconnect();
          return shifts.reduce((sum, { value }) => sum + value, 0);
        };
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(readSum())));
      }),
  );
  expect(shift, state).toBeLessThan(0.01);
}
