import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What every state of the site must pass, whoever looks at it. */

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** WCAG 2.2 A and AA and good practice, in the page's scheme. */
export async function expectNoFindings(page: Page, state: string, disabledRules: string[] = []): Promise<void> {
  await waitUntilDrawn(page);
  await expectNone(page, state, new AxeBuilder({ page }).withTags(wcag).disableRules(disabledRules));
}

/** The same in night and dawn. */
export async function expectNoFindingsInBothSchemes(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoFindings(page, `${state}, dark`);
  // The other scheme has the same markup in other colours.
  await page.emulateMedia({ colorScheme: "light" });
  await expectNone(page, `${state}, light`, new AxeBuilder({ page }).withRules("color-contrast"));
}

/** Style, fonts and pictures are there, and so is script where there is any. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate(async () => void (await document.fonts.ready));
}

async function expectNone(page: Page, state: string, axe: AxeBuilder): Promise<void> {
  // What axe measures must stand still.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))),
  );
  const { violations } = await axe.exclude("iframe").analyze();
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
  expect(findings, state).toEqual([]);
}

/** No sideways scroll: WCAG 1.4.10. */
export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, state).toBeLessThanOrEqual(0);
}

/** Controls that a thumb would miss: under 44 px high, or narrower than a line of text. A label is part of its control. */
export function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("header a, header button, main button, form input:not([type=hidden]), nav a")]
      .map((element) => element.closest("label") ?? element)
      .map((element) => ({
        name: element.textContent || element.getAttribute("aria-label"),
        box: element.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 28))
      .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
  );
}

/** Nothing has moved since the page was there: layout shift as browsers count it. */
export async function expectNoShift(page: Page, state: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list, observer) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value;
          observer.disconnect();
          resolve(sum);
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
  expect(shift, state).toBeLessThan(0.01);
}

/** A state in both schemes, on the narrowest phone, with text twice as large, and under a thumb. */
export async function expectGoodLooks(page: Page, state: string): Promise<void> {
  await expectNoFindingsInBothSchemes(page, state);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page, `${state} at 320 px`);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await listSmallTargets(page), `${state} at 390 px`).toEqual([]);
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await expectNoSidewaysScroll(page, `${state} at 200 %`);
  await page.evaluate(() => (document.documentElement.style.fontSize = ""));
  await page.setViewportSize({ width: 1280, height: 900 });
}
