import { giveTimeAgain } from "../core/fading.ts";

/** Unused controls stay for so long. */
const PATIENCE_MS = 3000;

/**
 * Marks the stage of a film that plays as `data-resting` after a while without use: its controls go then, until a mouse moves, a finger
 * taps or a key is pressed. A finger's first tap only brings them back. A click on the picture plays and pauses.
 * @returns a function that stops it.
 */
export function restWhenUnused(stage: HTMLElement, film: HTMLVideoElement, onClick: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let isTouched = false;
  /** Whether a press has done its work: it brought the controls back, closed a menu, or renewed a timer. */
  let isHandled = false;
  const rest = () => stage.toggleAttribute("data-resting", !film.paused);

  function wake(): void {
    stage.removeAttribute("data-resting");
    clearTimeout(patience);
    patience = setTimeout(rest, PATIENCE_MS);
  }

  function onPointerDown({ pointerType, target }: PointerEvent): void {
    isTouched = pointerType === "touch";
    const awakens = isTouched && stage.hasAttribute("data-resting");
    const closesMenu = stage.querySelector("details[open]") !== null;
    isHandled = awakens || (target === film && (closesMenu || giveTimeAgain()));
    if (target instanceof Node && stage.contains(target)) wake();
  }

  function onTap(event: MouseEvent): void {
    const isPicture = event.target === film;
    if (isHandled) {
      event.preventDefault();
      event.stopPropagation();
    } else if (isPicture && isTouched) rest();
    else if (isPicture) onClick();
    isHandled = false;
  }

  // Before a menu and the timer take it.
  addEventListener("pointerdown", onPointerDown, { signal, capture: true });
  stage.addEventListener("click", onTap, { signal, capture: true });
  for (const event of ["pointermove", "focusin"]) stage.addEventListener(event, wake, { signal });
  // The focus may be on the dialog around it.
  document.addEventListener("keydown", wake, { signal, capture: true });
  // No click follows a press that became a scroll, and what a key presses is no second one.
  for (const event of ["pointercancel", "keydown"])
    document.addEventListener(event, () => (isHandled = false), { signal, capture: true });
  for (const event of ["play", "pause"]) film.addEventListener(event, wake, { signal });
  wake();
  return () => {
    ending.abort();
    clearTimeout(patience);
    stage.removeAttribute("data-resting");
  };
}
