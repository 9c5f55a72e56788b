import type sanitizeHtml from "sanitize-html";

import { findHiding } from "./hidden.ts";

/**
 * `path`: for each open element its name, and which of `ALL`, `ICON`, `LOG_IN` and `HIDDEN` it is; `open`: the count of
 * each.
 */
export type OpenElements = { open: Map<string, number>; path: string[][] };

/** The parser scans all open elements at each end tag, so this bounds its work. */
const MAX_DEPTH = 1000;

/** Elements of any name, elements only for the eye, and WordPress's log-in and log-out. */
export const ALL = "*";
export const ICON = "[aria-hidden]";
export const LOG_IN = ".wp-block-loginout";
export const HIDDEN = "[hidden]";

const iconClass = /(?:^|[-_\s])(?:icon|indicator|arrow|chevron|caret|sign)(?:$|[-_\s])/i;

/**
 * Hooks for one run of `sanitize-html`: they count the elements that are open.
 * @throws at an element that is nested deeper than `MAX_DEPTH`.
 */
export function countOpenElements({
  open,
  path,
}: OpenElements): Pick<sanitizeHtml.IOptions, "onOpenTag" | "onCloseTag"> {
  const add = (name: string, count: number) => open.set(name, (open.get(name) ?? 0) + count);
  return {
    onOpenTag(name, attributes) {
      const { class: classes = "", "aria-hidden": hidden } = attributes;
      const isIcon = hidden === "true" || iconClass.test(classes);
      const isLogIn = /(?:^|\s)wp-block-loginout(?:\s|$)/.test(classes);
      const hiding = findHiding(attributes, { isInLink: (open.get("a") ?? 0) > 0 });
      const names = [name, ALL, ...(isIcon ? [ICON] : []), ...(isLogIn ? [LOG_IN] : [])];
      if (hiding !== undefined) names.push(HIDDEN, HIDDEN + hiding);
      path.push(names);
      for (const each of names) add(each, 1);
      if (path.length > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    },
    onCloseTag() {
      for (const each of path.pop() ?? []) add(each, -1);
    },
  };
}
