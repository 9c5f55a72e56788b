/** How far an arrow goes, in seconds, and how much louder or softer it makes a film. */
const SEEK_SECONDS = 5;
const VOLUME_STEP = 0.1;

/** Keys that browsers' own controls handle once they have the focus. */
const nativeKeys = new Set([" ", "arrowleft", "arrowright", "arrowup", "arrowdown"]);

/**
 * Plays a film by the keys that players have (Space and k, the arrows, m, f), wherever in its dialog the focus is. Answers how to let go
 * of them. Keys stay with a field that is typed in, and Space with what it presses.
 */
export function listenForKeys(film: HTMLMediaElement): () => void {
  const dialog = film.closest("dialog");
  function onKeyDown(event: KeyboardEvent): void {
    const { key, target, repeat } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const name = key.toLowerCase();
    const does = actions[name];
    if (!does || !(target instanceof HTMLElement) || isForTarget(target, name)) return;
    event.preventDefault();
    // A key that is held down seeks on, and switches once.
    if (!repeat || name.startsWith("arrow")) does(film);
  }
  dialog?.addEventListener("keydown", onKeyDown);
  return () => dialog?.removeEventListener("keydown", onKeyDown);
}

function isForTarget(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLMediaElement) return nativeKeys.has(key);
  if (target.isContentEditable || target.matches("input, select, textarea")) return true;
  return key === " " && target.matches("button, summary, [role=button]");
}

type Action = (film: HTMLMediaElement) => void;

const actions: Partial<Record<string, Action>> = {
  " ": toggle,
  k: toggle,
  arrowleft: seekBy(-SEEK_SECONDS),
  arrowright: seekBy(SEEK_SECONDS),
  arrowup: (film) => setVolume(film, film.volume + VOLUME_STEP),
  arrowdown: (film) => setVolume(film, film.volume - VOLUME_STEP),
  m: (film) => {
    film.muted = !film.muted;
  },
  f: (film) => void toggleFullscreen(film).catch(() => undefined),
};

function toggle(film: HTMLMediaElement): void {
  if (film.paused) film.play().catch(() => undefined);
  else film.pause();
}

function seekBy(seconds: number): Action {
  return (film) => {
    film.currentTime = Math.min(film.duration || 0, Math.max(0, film.currentTime + seconds));
  };
}

function setVolume(film: HTMLMediaElement, volume: number): void {
  film.volume = Math.min(1, Math.max(0, volume));
}

/** An iPhone has its own full screen, and no API for it that others know. */
async function toggleFullscreen(film: HTMLMediaElement): Promise<void> {
  await (document.fullscreenElement ? document.exitFullscreen() : film.requestFullscreen());
}
