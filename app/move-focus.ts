/**
 * After a change of screens the reader is at what was asked for, or at the place that the address names, or else at the heading, as
 * after a page load.
 */
export function moveFocus(selector?: string, hash = ""): void {
  const target =
    (selector ? document.querySelector<HTMLElement>(selector) : null) ??
    document.getElementById(hash.slice(1)) ??
    document.querySelector<HTMLElement>("main h1");
  if (!target) return;
  // A paragraph can have the focus once it is said.
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
