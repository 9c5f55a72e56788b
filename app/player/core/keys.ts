import { type Controls, skip, toggle } from "./controls.ts";

/** How far an arrow goes, in seconds. */
const STEP_SECONDS = 5;

const sliderKeys = new Set([" ", "arrowleft", "arrowright", "arrowup", "arrowdown"]);

/** Keys by their names in lower case, with what they do. */
export type Keys = Partial<Record<string, () => void>>;

/**
 * Plays by the keys that players have, wherever within an area the focus is: Space and k, j and l, the arrows, m, the digits, and `more` of
 * them. Keys stay with a field that is typed in, and Space with what it presses.
 * @returns a function that stops it.
 */
export function listenForKeys(area: HTMLElement | null, controls: Controls, more: Keys = {}): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const { key, target, repeat } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const name = key.toLowerCase();
    const act = more[name] ?? findAction(name, controls);
    if (!act || !(target instanceof HTMLElement) || isForTarget(target, name)) return;
    event.preventDefault();
    // A key that is held down seeks on, and switches once.
    if (!repeat || name.startsWith("arrow")) act();
  }
  area?.addEventListener("keydown", onKeyDown);
  return () => area?.removeEventListener("keydown", onKeyDown);
}

function isForTarget(target: HTMLElement, key: string): boolean {
  if (target.matches("input[type=range]")) return sliderKeys.has(key);
  if (target.matches("button, summary, [role=button], input[type=checkbox]")) return key === " ";
  return target.isContentEditable || target.matches("input, select, textarea");
}

function findAction(key: string, controls: Controls): (() => void) | undefined {
  if (/^\d$/.test(key)) return () => controls.seek((controls.read().duration * Number(key)) / 10);
  const { element, skipSeconds } = controls;
  const keys: Keys = {
    " ": () => toggle(controls),
    k: () => toggle(controls),
    j: () => skip(controls, -skipSeconds),
    l: () => skip(controls, skipSeconds),
    arrowleft: () => skip(controls, -STEP_SECONDS),
    arrowright: () => skip(controls, STEP_SECONDS),
    m: () => (element.muted = !element.muted),
  };
  return keys[key];
}
