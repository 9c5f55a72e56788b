import { type ReactNode, useEffect, useLayoutEffect } from "react";

/**
 * Keeps what a person did before script came. Password managers, translators and other add-ons change the server's
 * page, and React then draws it again: an add-on repeats its work, a person could not. So typed text, choices, focus,
 * scroll, open menus and players are carried over before the browser paints.
 */
export function CarryOver({ children }: { children: ReactNode }) {
  // React renders this again just before it removes a page that it could not hydrate.
  notePage();
  useLayoutEffect(restorePage, []);
  // Conform listens from its own effects on, which come before those around it.
  useEffect(announceInput, []);
  return children;
}

type Page = {
  elements: Map<Element, string>;
  focused: Element | null;
  caret: [start: number | null, end: number | null];
  views: { element: Element; isOpen: boolean; isPlaying: boolean; scroll: { scrollLeft: number; scrollTop: number } }[];
};

let noted: Page | undefined;

/** Each element with its description. React may take one for another and change it: then its first description stays. */
function listElements(): Map<Element, string> {
  const elements = [...document.body.querySelectorAll("*")];
  return new Map(elements.map((element) => [element, noted?.elements.get(element) ?? describe(element)]));
}

function describe(element: Element): string {
  return `${element.localName} ${element.getAttribute("name") ?? element.getAttribute("class")}`;
}

function notePage(): void {
  const elements = listElements();
  const focused = document.activeElement;
  const { selectionStart, selectionEnd } = focused as HTMLInputElement;
  const views = [document.documentElement, ...elements.keys()].map((element) => {
    const { scrollLeft, scrollTop, popover } = element as HTMLElement;
    const isOpen = Boolean(popover) && element.matches(":popover-open");
    const isPlaying = element instanceof HTMLMediaElement && !element.paused;
    return { element, isOpen, isPlaying, scroll: { scrollLeft, scrollTop } };
  });
  noted = { elements, focused, caret: [selectionStart, selectionEnd], views };
}

function restorePage(): void {
  const page = noted;
  // Removed nodes need not stay in memory.
  noted = undefined;
  const [first] = page?.elements.keys() ?? [];
  if (!page || first?.isConnected) return;
  const { elements, focused, caret, views } = page;
  const successors = pairAlike(elements, listElements());
  const find = (element: Element) => (successors.get(element) ?? element) as HTMLInputElement & HTMLMediaElement;
  for (const [old, successor] of successors) if (successor) carryOver(old, successor);
  for (const { element, isOpen, isPlaying, scroll } of views) {
    const now = find(element);
    if (isOpen) now.showPopover();
    // A browser stops what leaves the page, and may require another press for it.
    if (isPlaying) now.play().catch(() => undefined);
    Object.assign(now, scroll);
  }
  if (!focused || focused === document.body) return;
  const target = find(focused);
  target.focus({ preventScroll: true });
  // Script may not see the caret in fields of addresses.
  if (caret[0] !== null) target.setSelectionRange?.(...caret);
}

/** Pairs each old element with the new one of its kind and name, or class, in order. */
function pairAlike(old: Page["elements"], fresh: Page["elements"]): Map<Element, Element | undefined> {
  const waiting: Record<string, Element[]> = {};
  for (const [element, what] of fresh) (waiting[what] ??= []).push(element);
  return new Map([...old].map(([element, what]) => [element, waiting[what]?.shift()]));
}

type Changeable = Record<string, unknown>;

function carryOver(old: Element, next: Element): void {
  const { files, played } = old as Partial<HTMLInputElement & HTMLMediaElement>;
  const names = ["open", "checked", files ? "files" : "value", "currentTime", "volume", "muted", "playbackRate"];
  const [from, to] = [old, next] as unknown as [Changeable, Changeable];
  for (const name of names) if (from[name] !== to[name]) to[name] = from[name];
  // A running player continues.
  if (played?.length) to.autoplay = false;
}

/** React and Conform learn of fields that are filled in already: they get only later events. */
function announceInput(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input, select, textarea"))
    if (field.value !== field.defaultValue || field.checked !== field.defaultChecked)
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}
