/**
 * Closes an open menu by a press beside it, by Escape, and when the focus leaves it.
 * @returns a function that stops it.
 */
export function closeElsewhere(menu: HTMLDetailsElement | null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  function closeUnlessIn({ target }: Event): void {
    if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
  }
  document.addEventListener("pointerdown", closeUnlessIn, { signal });
  document.addEventListener("focusin", closeUnlessIn, { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !menu?.open) return;
      // It closes this menu, and not the player around it.
      event.preventDefault();
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary")?.focus();
    },
    { signal, capture: true },
  );
  return () => ending.abort();
}
