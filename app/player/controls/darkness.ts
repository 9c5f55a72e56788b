import styles from "./sleep-timer.module.css";

let veil: HTMLElement | undefined;

/** Darkens the whole screen, from 0 (not at all) to 1 (black). Controls under it can still be pressed. */
export function darken(darkness: number): void {
  if (darkness === 0) {
    veil?.remove();
    veil = undefined;
    return;
  }
  if (!veil) {
    veil = document.createElement("div");
    veil.className = `${styles.dark} ${styles.veil}`;
    // From here it grows dark; without a first value it would begin black.
    veil.style.opacity = "0";
    // Above a dialog that is already open, and above a film that fills the screen.
    veil.popover = "manual";
    document.body.append(veil);
    veil.showPopover?.();
  }
  veil.style.opacity = String(darkness);
}

/** Makes the whole screen black until it is tapped or a key is pressed; then the page is there again. */
export function goDark(): void {
  const cover = document.createElement("dialog");
  cover.className = styles.dark ?? "";
  cover.setAttribute("aria-label", "The screen is dark");
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", "Show the page again");
  cover.append(button);
  const themeColour = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
  const shown = themeColour?.content ?? "";
  if (themeColour) themeColour.content = "#000000";
  cover.addEventListener("close", () => {
    cover.remove();
    if (themeColour) themeColour.content = shown;
  });
  button.addEventListener("click", () => cover.close());
  document.body.append(cover);
  cover.showModal();
  darken(0);
  void leaveSmallWindow();
}

/** A film in a window of its own would go on shining. */
async function leaveSmallWindow(): Promise<void> {
  if (document.pictureInPictureElement) await document.exitPictureInPicture();
}
