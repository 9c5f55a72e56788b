import { expect, type Locator, type Page } from "@playwright/test";

/**
 * Presses Tab until a control has the focus. Each focus on the way must be visible and uncovered (WCAG 2.4.7 and
 * 2.4.11).
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let count = 0; count < MOST_STOPS; count += 1) {
    // A list that scrolls to the focused control needs a moment.
    await expect.poll(async () => (await control.evaluate(lookAtFocus)).fault).toBeUndefined();
    if ((await control.evaluate(lookAtFocus)).isReached) return;
    await page.keyboard.press("Tab");
  }
  await expect(control).toBeFocused();
}

const MOST_STOPS = 60;

/** Tabs to a control and presses the key that works it. */
export async function pressOn(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

/** Runs in the page. `isReached`: the control has the focus. `fault`: the focus shows no sign, or is out of sight. */
function lookAtFocus(control: Element): { isReached: boolean; fault: string | undefined } {
  const focused = document.activeElement;
  const isReached = control === focused;
  // The focus within a frame belongs to the frame's page.
  if (!focused || focused.matches("body, iframe")) return { isReached, fault: undefined };
  // A card is outlined for the link that fills it, a label for the control in it.
  const around = [focused, focused.closest("article"), focused.closest("label")].filter((element) => element !== null);
  // A heading, a dialog or a message is focused so that it is read out.
  const isRead = focused.matches("h1, h2, dialog, [role=group][tabindex='-1'], [role=status]");
  const hasRing =
    isRead ||
    around.some((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
  const { x, y, width, height } = (focused.closest("label") ?? focused).getBoundingClientRect();
  const middle = (from: number, length: number, end: number) => (Math.max(from, 0) + Math.min(from + length, end)) / 2;
  const onTop = document.elementFromPoint(middle(x, width, innerWidth), middle(y, height, innerHeight));
  const isSeen = onTop !== null && around.some((element) => element.contains(onTop));
  const wrong = hasRing ? "out of sight" : "no ring";
  return { isReached, fault: hasRing && isSeen ? undefined : `${wrong}: ${focused.outerHTML.slice(0, 160)}` };
}
