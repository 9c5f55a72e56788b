import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

import { onHeartSettled } from "../../hearts.ts";
import { moveFocus } from "../../focus.ts";

/**
 * Loads the page's favourites again after each change of one (spec, section 4). A card that goes takes its button with it: a focus that
 * was there moves to the heart of the next card, or to the heading.
 */
export function useRefreshedFavourites(): void {
  const { revalidate } = useRevalidator();
  const next = useRef<Element | null>(undefined);

  useEffect(
    () =>
      onHeartSettled((key) => {
        const focused = document.activeElement;
        const card = focused instanceof HTMLButtonElement && focused.value === key && focused.closest("li");
        if (card) next.current = card.nextElementSibling ?? card.previousElementSibling;
        void revalidate();
      }),
    [revalidate],
  );

  useEffect(() => {
    if (next.current === undefined || document.activeElement !== document.body) return;
    const heart = next.current?.isConnected
      ? next.current.querySelector<HTMLElement>("button[aria-pressed]")
      : undefined;
    next.current = undefined;
    if (heart) heart.focus({ preventScroll: true });
    else moveFocus();
  });
}
