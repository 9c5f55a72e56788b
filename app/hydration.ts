/**
 * Password managers, translators and other add-ons change a page before its script comes. React takes in a page only as the server wrote
 * it: one element more beside a field, and it draws the whole page anew. What a person typed, chose, opened or plays must survive both.
 */

declare global {
  interface Window {
    /** What has changed in the body since it was parsed; from then on nothing is noted. */
    takeChanges?: () => MutationRecord[];
  }
}

/** Notes what changes in a page until its script comes. It runs in the page itself, behind everything that React takes in. */
export function noteChanges(): void {
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((records) => changes.push(...records));
  observer.observe(document.body, {
    childList: true,
    characterData: true,
    characterDataOldValue: true,
    subtree: true,
  });
  window.takeChanges = () => {
    changes.push(...observer.takeRecords());
    observer.disconnect();
    return changes;
  };
}

/** Which children nodes have. */
type Places = Map<Node, ChildNode[]>;

/** The elements of the page as it was, and those in their place where React has drawn it anew. */
type Successors = Map<Node, Element>;

/** What must be there before a page is taken in. */
const awaited: Promise<unknown>[] = [];

export function waitBeforeHydration(promise: Promise<unknown>): void {
  awaited.push(promise);
}

/**
 * Has React take in the page as the server wrote it. What others have changed since is undone meanwhile and done again afterwards. If React
 * draws the page anew all the same, what a person did is carried over to it.
 * @param hydrate is over when it returns, so that neither the person nor an add-on meets the page in between.
 */
export async function hydrateAsServed(hydrate: () => void): Promise<void> {
  await Promise.all(awaited);
  const restoreView = noteView();
  const redo = undo(window.takeChanges?.() ?? []);
  const served = listElements();
  hydrate();
  const successors = served[0]?.isConnected ? undefined : pairAlike(served, listElements());
  for (const [old, successor] of successors ?? []) carryOver(old as Element, successor);
  announceInput();
  redo(successors);
  restoreView(successors);
}

function listElements(): Element[] {
  return [...document.body.querySelectorAll("*")];
}

/** Undoes changes; answers how they are done again. What React has changed by then stays as it is. */
function undo(changes: MutationRecord[]): (successors: Successors | undefined) => void {
  const foreign = new Set<Node>();
  const moved = new Set<ChildNode>();
  for (const { addedNodes, removedNodes } of changes) {
    for (const node of removedNodes) if (!foreign.has(node)) moved.add(node as ChildNode);
    for (const node of addedNodes) if (!moved.has(node as ChildNode)) foreign.add(node);
  }
  const isForeign = (node: Node | null): boolean =>
    node !== null && !moved.has(node as ChildNode) && (foreign.has(node) || isForeign(node.parentNode));

  const served: Places = new Map();
  const texts = new Map<Node, string | null>();
  for (const { type, target, oldValue, addedNodes, removedNodes, nextSibling } of changes.toReversed()) {
    if (isForeign(target)) continue;
    if (type === "characterData") texts.set(target, oldValue);
    else {
      const children = served.get(target) ?? [...target.childNodes];
      const end = nextSibling ? children.indexOf(nextSibling as ChildNode) : children.length;
      children.splice(end - addedNodes.length, addedNodes.length, ...([...removedNodes] as ChildNode[]));
      served.set(target, children);
    }
  }
  // React passes over what follows its own in the body, where add-ons have their windows.
  const body = served.get(document.body);
  for (let node = body?.at(-1)?.nextSibling; node; node = node.nextSibling) body?.push(node);

  const found: Places = new Map();
  for (const [parent, children] of served)
    for (const place of [parent, ...children.map(({ parentNode }) => parentNode)])
      if (place) found.set(place, [...place.childNodes]);
  const removed = [...moved].filter(({ isConnected }) => !isConnected);
  arrange(served);
  swapTexts(texts);
  return (successors) => {
    const findNow = (node: Node) => successors?.get(node) ?? node;
    for (const [parent, children] of found) {
      const place = findNow(parent);
      let last: Node | undefined;
      for (const child of children) {
        const now = findNow(child);
        if (foreign.has(child) || (moved.has(child) && now.isConnected))
          move(now, place, last ? last.nextSibling : place.firstChild);
        if (now.parentNode === place) last = now;
      }
    }
    for (const node of removed) node.remove();
    swapTexts(texts);
  };
}

/** Gives elements these children, in this order and no others. */
function arrange(places: Places): void {
  const place = (isWrong: (child: ChildNode, parent: Node, next: Node | null) => boolean) => {
    for (const [parent, children] of places)
      children.reduceRight<Node | null>((next, child) => {
        if (isWrong(child, parent, next)) move(child, parent, next);
        return child;
      }, null);
  };
  // First what is elsewhere in the page: taken out of it, it would lose the focus and begin anew.
  place((child, parent) => child.parentNode !== parent);
  for (const [parent, children] of places)
    for (const child of [...parent.childNodes].filter((each) => !children.includes(each))) child.remove();
  place((child, _, next) => child.nextSibling !== next);
}

function move(child: Node, parent: Node, next: Node | null): void {
  // Frames go on, where the browser has it (Chrome 133, Firefox 144).
  if ("moveBefore" in parent && child.isConnected && parent.isConnected) (parent as Element).moveBefore(child, next);
  else parent.insertBefore(child, next);
}

/** Gives texts what they had before, and keeps what they have now for the next time. */
function swapTexts(texts: Map<Node, string | null>): void {
  for (const [text, data] of texts) {
    texts.set(text, text.nodeValue);
    text.nodeValue = data;
  }
}

/** For each old element the new one of its kind and name, or of its class; the first for the first, and so on. */
function pairAlike(old: Element[], fresh: Element[]): Successors {
  const waiting = new Map<string, Element[]>();
  for (const element of fresh) {
    const alike = waiting.get(describe(element));
    if (alike) alike.push(element);
    else waiting.set(describe(element), [element]);
  }
  const successors: Successors = new Map();
  for (const element of old) {
    const successor = waiting.get(describe(element))?.shift();
    if (successor) successors.set(element, successor);
  }
  return successors;
}

function describe(element: Element): string {
  return element.localName + (element.getAttribute("name") ?? element.getAttribute("class"));
}

/** Gives a new element what the old one got from a person. */
function carryOver(old: Element, next: Element): void {
  if (old.matches(FIELDS)) copyInput(old as HTMLInputElement, next as HTMLInputElement);
  else if (old instanceof HTMLDetailsElement) (next as HTMLDetailsElement).open = old.open;
  else if (old instanceof HTMLMediaElement && old.played.length > 0) playOn(old, next as HTMLMediaElement);
}

const FIELDS = "input, select, textarea";

function copyInput(old: HTMLInputElement, next: HTMLInputElement): void {
  next.checked = old.checked;
  if (old.files) next.files = old.files;
  else if (old.value !== next.value) next.value = old.value;
}

function playOn(old: HTMLMediaElement, next: HTMLMediaElement): void {
  const { currentTime, volume, muted, playbackRate, paused } = old;
  Object.assign(next, { currentTime, volume, muted, playbackRate });
  if (paused) next.autoplay = false;
  // A browser may want another press for it.
  else next.play().catch(() => undefined);
}

/** Tells React and Conform what is in fields already: they hear only of what comes later. */
function announceInput(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>(FIELDS))
    if (field.value !== field.defaultValue || field.checked !== field.defaultChecked)
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Notes where a person is on the page: focus, caret, scroll, open menus. */
function noteView(): (successors: Successors | undefined) => void {
  const focused = document.activeElement as HTMLInputElement;
  const { selectionStart, selectionEnd } = focused;
  const views = [document.documentElement, ...listElements()].flatMap((element) => {
    const { scrollLeft, scrollTop, popover } = element as HTMLElement;
    const isOpen = popover && element.matches(":popover-open");
    return isOpen || scrollLeft || scrollTop ? [{ element, isOpen, scroll: { scrollLeft, scrollTop } }] : [];
  });
  return (successors) => {
    const find = (element: Element) => (successors?.get(element) ?? element) as HTMLInputElement;
    for (const { element, isOpen, scroll } of views) {
      const now = find(element);
      if (isOpen && !now.matches(":popover-open")) now.showPopover();
      Object.assign(now, scroll);
    }
    const target = find(focused);
    if (target === document.body || target === document.activeElement) return;
    target.focus({ preventScroll: true });
    // Fields of addresses have no caret that script may see.
    if (selectionStart !== null) target.setSelectionRange?.(selectionStart, selectionEnd);
  };
}
