import type { MouseEvent } from "react";

import { moveFocus } from "../frame/focus.ts";
import { Icon } from "./icons.tsx";
import buttons from "./button.module.css";
import styles from "./scroll-to-top.module.css";

/** docs/behaviour.md, Widths and times. */
const SCROLL_IN_MS = 500;

/** A plain link to the top. With script it adds nothing to history, and scrolls smoothly unless motion is reduced. */
export function ScrollToTop() {
  return (
    <a className={`${buttons.pill} ${styles.top}`} href="#main" onClick={goUp}>
      <Icon name="up" />
      Back to top
    </a>
  );
}

function goUp(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  moveFocus();
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) window.scrollTo({ top: 0, behavior: "instant" });
  else glide();
}

function glide(): void {
  const from = window.scrollY;
  const start = performance.now();
  requestAnimationFrame(function step(now) {
    const part = Math.min(1, (now - start) / SCROLL_IN_MS);
    window.scrollTo({ top: from * (1 - part) ** 3, behavior: "instant" });
    if (part < 1) requestAnimationFrame(step);
  });
}
