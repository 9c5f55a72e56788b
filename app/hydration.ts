/**
 * Password managers, translators and other add-ons change a page before its script comes. React takes in a page only as the server wrote
 * it: one element more beside a field, and it draws the whole page anew. A person's typed text, choices, open menus and players must survive both.
 */

declare global {
  interface Window {
    /** Calls `listener` once with all that has changed in the body since it was parsed, as soon as anything has. Answers how to stop. */
    whenChanged?: (listener: (changes: MutationRecord[]) => void) => () => void;
  }
}

/** Notes what changes in a page from its end on. It runs in the page itself, behind everything that React takes in. */
export function noteChanges(): void {
  const changes: MutationRecord[] = [];
  let listen: (() => void) | undefined;
  const note = (records: MutationRecord[]) => {
    changes.push(...records);
    if (changes.length > 0) listen?.();
  };
  const observer = new MutationObserver(note);
  observer.observe(document.body, {
    childList: true,
    characterData: true,
    characterDataOldValue: true,
    subtree: true,
  });
  const stop = () => observer.disconnect();
  window.whenChanged = (listener) => {
    listen = () => {
      stop();
      listener(changes);
    };
    note(observer.takeRecords());
    return stop;
  };
}

/** Which children nodes have. */
type Places = Map<Node, ChildNode[]>;

/** The elements of the page as it was, and those in their place where React has drawn it anew. */
type Successors = Map<Node, Element | undefined>;

/** Puts back what was noted, on the successors where the page was drawn anew. */
type Restore = (successors: Successors | undefined) => void;

/** The files that must be there before a page is hydrated, or written. */
const awaited: Promise<unknown>[] = [];

export function waitBeforeHydration(promise: Promise<unknown>): void {
  awaited.push(promise);
}

export async function waitForParts(): Promise<void> {
  await Promise.all(awaited);
}

/** React's callbacks about the page that it hydrates: when it begins with it, when it has it, and when all its effects have run. */
export type Progress = { onBegin: () => void; onTaken: () => void; onDone: () => void };

/**
 * Has React take in the page as the server wrote it: in slices, between which the page answers. If others have changed it, or change it
 * meanwhile, all happens in one task, so that neither the person nor an add-on meets the page in between: the changes are undone before and
 * done again afterwards. If React draws the page anew all the same, what a person did is carried over to it.
 * @param hydrate begins, and answers how that is ended at once.
 */
export async function hydrateAsServed(hydrate: (progress: Progress) => () => void): Promise<void> {
  await waitForParts();
  let served = listElements();
  let isInOneTask = false;
  let hasBegun = false;
  let restoreView: Restore | undefined;
  let redo: Restore | undefined;
  let stop: (() => void) | undefined;
  const isDrawnAnew = () => !served[0]?.isConnected;
  const end = hydrate({
    // React begins again just before it draws the page anew: only then is the view wanted.
    onBegin() {
      if (hasBegun && !isInOneTask) restoreView = noteView();
      hasBegun = true;
    },
    onTaken() {
      stop?.();
      // React would let the new page be seen, and used, before its effects have run.
      if (isDrawnAnew()) queueMicrotask(end);
    },
    onDone() {
      const successors = isDrawnAnew() ? pairAlike(served, listElements()) : undefined;
      for (const [old, successor] of successors ?? []) if (successor) carryOver(old as Element, successor);
      announceInput();
      redo?.(successors);
      if (isInOneTask || successors) restoreView?.(successors);
      // Nodes that leave the page later need not stay in memory.
      served = [];
    },
  });
  stop = window.whenChanged?.((changes) => {
    isInOneTask = true;
    restoreView = noteView();
    redo = undo(changes);
    served = listElements();
    end();
  });
}

function listElements(): Element[] {
  return [...document.body.querySelectorAll("*")];
}

/** Undoes changes; answers how they are done again. Nodes that React has changed by then stay as they are. */
function undo(changes: MutationRecord[]): Restore {
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
  const waiting: Record<string, Element[]> = {};
  for (const element of fresh) (waiting[describe(element)] ??= []).push(element);
  return new Map(old.map((element) => [element, waiting[describe(element)]?.shift()]));
}

function describe(element: Element): string {
  return `${element.localName} ${element.getAttribute("name") ?? element.getAttribute("class")}`;
}

type Changeable = Record<string, unknown>;

/** Gives a new element what a person did to the old one. */
function carryOver(old: Element, next: Element): void {
  const { files, played } = old as Partial<HTMLInputElement & HTMLMediaElement>;
  const names = ["open", "checked", files ? "files" : "value", "currentTime", "volume", "muted", "playbackRate"];
  const [from, to] = [old, next] as unknown as [Changeable, Changeable];
  for (const name of names) if (from[name] !== to[name]) to[name] = from[name];
  // A player that was running goes on.
  if (played?.length) to.autoplay = false;
}

/** Tells React and Conform what is in fields already: they hear only of what comes later. */
function announceInput(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input, select, textarea"))
    if (field.value !== field.defaultValue || field.checked !== field.defaultChecked)
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Notes where a person is on the page: focus, caret, scroll, open menus, what plays. */
function noteView(): Restore {
  const focused = document.activeElement as HTMLInputElement;
  const { selectionStart, selectionEnd } = focused;
  const views = [document.documentElement, ...listElements()].map((element) => {
    const { scrollLeft, scrollTop, popover } = element as HTMLElement;
    const isOpen = popover && element.matches(":popover-open");
    const isPlaying = element instanceof HTMLMediaElement && !element.paused;
    return { element, isOpen, isPlaying, scroll: { scrollLeft, scrollTop } };
  });
  return (successors) => {
    const find = (element: Element) => (successors?.get(element) ?? element) as HTMLInputElement & HTMLMediaElement;
    for (const { element, isOpen, isPlaying, scroll } of views) {
      const now = find(element);
      if (isOpen && !now.matches(":popover-open")) now.showPopover();
      // A browser stops what leaves the page, and may want another press for it.
      if (isPlaying) now.play().catch(() => undefined);
      Object.assign(now, scroll);
    }
    const target = find(focused);
    if (target === document.body || target === document.activeElement) return;
    target.focus({ preventScroll: true });
    // Fields of addresses have no caret that script may see.
    if (selectionStart !== null) target.setSelectionRange?.(selectionStart, selectionEnd);
  };
}
