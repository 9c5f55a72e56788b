/** Functions that run inside a page, so they use nothing from this file. */

/**
 * Controls that a thumb would miss: under 44 px high, or narrower than a line of text. A label belongs to its control;
 * links within text may be smaller.
 */
export function findSmallTargets(): string[] {
  const controls =
    "header a, header button, main button, form input:not([type=hidden]), nav a, dialog :is(:not(p, [role=group] *) > a, button, summary)";
  return [...document.querySelectorAll(controls)]
    .map((element) => element.closest("label") ?? element)
    .map((element) => ({
      name: element.textContent || element.getAttribute("aria-label") || element.id,
      box: element.getBoundingClientRect(),
    }))
    .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 28))
    .map(({ name, box }) => `${name} ${box.width}x${box.height}`);
}

/** How many pixels of the screen's height stay in place while the rest scrolls. */
export function readStuckHeight(): number {
  return [...document.querySelectorAll<HTMLElement>("body *")]
    .filter((element) => {
      const { position, pointerEvents } = getComputedStyle(element);
      const isStuck = position === "sticky" || (position === "fixed" && pointerEvents !== "none");
      // A layer over the whole page counts as a page, and so do the shapes of the next page.
      return isStuck && !element.matches("dialog, [popover], [data-shape]") && element.checkVisibility();
    })
    .reduce((height, element) => height + element.offsetHeight, 0);
}

/** Text spacing as a reader may set it: WCAG 1.4.12. */
export function spaceOutText(isSpacedOut: boolean): void {
  if (!isSpacedOut) {
    document.adoptedStyleSheets = [];
    return;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
  );
  document.adoptedStyleSheets = [sheet];
}

/**
 * Adds a word to every text except for buttons and choices, whose texts are ours; an empty word removes the last one.
 */
export function lengthenTexts(word: string): void {
  const mark = "\u2003";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.trim() === "" || text.parentElement?.closest("script, style, button, label, option, nav, summary"))
      continue;
    const [before = ""] = text.data.split(mark);
    text.data = word === "" ? before : `${before}${mark}${word}`;
  }
}

/**
 * Texts that are cut off or run out of their button. Titles of cards may end after two lines, because their page has
 * the whole. Texts for screen readers and waiting slides are out of sight on purpose.
 */
export function findCutTexts(): string[] {
  function listRects(element: Element): DOMRect[] {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim());
    return texts.map((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getBoundingClientRect();
    });
  }
  function isCutBy(rect: DOMRect, ancestor: Element): boolean {
    const { overflowX, overflowY } = getComputedStyle(ancestor);
    const box = ancestor.getBoundingClientRect();
    const isHiding = (overflow: string) => overflow === "hidden" || overflow === "clip";
    return (
      (isHiding(overflowX) && (rect.left < box.left - 1 || rect.right > box.right + 1)) ||
      (isHiding(overflowY) && (rect.top < box.top - 1 || rect.bottom > box.bottom + 1))
    );
  }
  const isOnPurpose = (element: Element) =>
    getComputedStyle(element).webkitLineClamp !== "none" ||
    getComputedStyle(element).textIndent === "100%" ||
    element.clientWidth <= 1 ||
    element.closest("[inert], .visually-hidden, svg") !== null;
  return [...document.body.querySelectorAll("*")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const rects = listRects(element);
      if (rects.length === 0) return false;
      for (let at: Element = element; at !== document.body; at = at.parentElement ?? document.body) {
        if (isOnPurpose(at)) return false;
        if (rects.some((rect) => isCutBy(rect, at))) return true;
        if (at.matches("button") && at.scrollWidth > at.clientWidth + 1) return true;
      }
      return false;
    })
    .map((element) => `${element.tagName}: ${element.textContent?.slice(0, 60)}`);
}

/** Buttons and fields without an edge, and a current button that looks like its neighbours. */
export function findEdgeless(): string[] {
  const fields = "button, input:not([type=hidden], [type=radio], [type=checkbox], [type=file])";
  const hasEdge = (element: Element, part?: string) => {
    const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element, part);
    return borderTopStyle !== "none" && borderTopWidth !== "0px" && borderTopColor !== backgroundColor;
  };
  const edgeless = [...document.querySelectorAll(fields)]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.clientWidth > 1)
    // A button as large as the screen has no edge within it.
    .filter((control) => control.clientWidth < innerWidth || control.clientHeight < innerHeight)
    // A button that looks like a link has an underline.
    .filter((control) => !hasEdge(control) && getComputedStyle(control).textDecorationLine === "none")
    .filter((control) => !control.matches("[aria-current]") || !hasEdge(control, "::before"));
  const paint = (control: Element) => getComputedStyle(control, "::before").backgroundColor;
  const alike = [...document.querySelectorAll("button[aria-current=true]")].filter((current) => {
    const other = current.parentElement?.parentElement?.querySelector("button[aria-current=false]");
    return other && paint(other) === paint(current);
  });
  return [...edgeless, ...alike].map((control) => control.outerHTML.slice(0, 120));
}

/** Elements that would move, now or once something changes. */
export function findMoving(): string[] {
  // Sources and captions of a film have no box and no computed style.
  return [...document.querySelectorAll("body *:not(source, track)")]
    .flatMap((element) => [undefined, "::before", "::after", "::backdrop"].map((part) => ({ element, part })))
    .filter(({ element, part }) => {
      const { animationName, transitionDuration } = getComputedStyle(element, part);
      return animationName !== "none" || transitionDuration.split(", ").some((time) => time !== "0s");
    })
    .map(({ element, part = "" }) => `${element.tagName}${part}.${element.className}`);
}

/**
 * Words and numbers of tables and lists of facts that take two lines. Words longer than an address may be broken, and
 * words without a digit at their hyphen.
 */
export function findBrokenWords(): string[] {
  const broken: string[] = [];
  for (const cell of document.querySelectorAll("table, dl")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data } = walker.currentNode as Text;
      for (const { 0: word, index } of data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        const mayBreak = word.length > 30 || (!/\d/.test(word) && word.includes("-"));
        if (lines.size > 1 && !mayBreak) broken.push(word);
      }
    }
  }
  return broken;
}
