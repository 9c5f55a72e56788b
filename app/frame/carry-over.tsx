import { type ReactNode, useEffect, useLayoutEffect } from "react";

/**
 * The whole page, with what a person did to it before its script came. Password managers, translators and other add-ons change a page as
 * the server wrote it, and React then draws it again from the start: an add-on does its work again, a person could not. So typed text,
 * choices, focus, scroll, open menus and what plays are carried over, before the browser paints.
 */
export function CarryOver({ children }: { children: ReactNode }) {
  // React renders this again just before it removes the page that it could not take.
  notePage();
  useLayoutEffect(restorePage, []);
  // Conform listens from its own effects on, which come before those of what is around it.
  useEffect(announceInput, []);
  return children;
}

/** A page before React has it, and where a person is on it. */
type Page = {
  elements: Map<Element, string>;
  focused: Element | null;
  caret: [start: number | null, end: number | null];
  views: { element: Element; isOpen: boolean; isPlaying: boolean; scroll: { scrollLeft: number; scrollTop: number } }[];
};

let noted: Page | undefined;

/** Each element with what it is. One that React took for another, before it saw that it was not, stays what it was. */
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
  // Nodes that leave the page later need not stay in memory.
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
    // A browser stops what leaves the page, and may want another press for it.
    if (isPlaying) now.play().catch(() => undefined);
    Object.assign(now, scroll);
  }
  if (!focused || focused === document.body) return;
  const target = find(focused);
  target.focus({ preventScroll: true });
  // Fields of addresses have no caret that script may see.
  if (caret[0] !== null) target.setSelectionRange?.(...caret);
}

/** For each old element the new one of its kind and name, or of its class; the first for the first, and so on. */
function pairAlike(old: Page["elements"], fresh: Page["elements"]): Map<Element, Element | undefined> {
  const waiting: Record<string, Element[]> = {};
  for (const [element, what] of fresh) (waiting[what] ??= []).push(element);
  return new Map([...old].map(([element, what]) => [element, waiting[what]?.shift()]));
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
