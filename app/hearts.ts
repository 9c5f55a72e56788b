import { useSyncExternalStore } from "react";

import { href } from "./paths.ts";

/**
 * Hearts where script runs: a press shows at once and is sent behind it. Of one item only one wish is under way at a
 * time, and what is sent next is the latest: ten fast presses on a slow line end in the last one. A wish that fails goes
 * back to what the server last agreed to, and says so, or leads to where one can do something about it.
 */
type HeartMessage = { text: string; isError: boolean };

/** What the reader wants, by item key, for as long as the page's own data may not know it. */
const wanted = new Map<string, boolean>();
/** What the server last agreed to. */
const agreed = new Map<string, boolean>();
const underWay = new Set<string>();
const listeners = new Set<() => void>();
const settledListeners = new Set<(key: string) => void>();
const silence: HeartMessage = { text: "", isError: false };
let message = silence;

/** Whether an item is a favourite, as the reader sees it: their wish, or what the page came with. */
export function useHeart(key: string, isKept: boolean): boolean {
  return useSyncExternalStore(
    subscribe,
    () => wanted.get(key) ?? isKept,
    () => isKept,
  );
}

/** What is said of the last wish, for a live region. */
export function useHeartMessage(): HeartMessage {
  return useSyncExternalStore(
    subscribe,
    () => message,
    () => silence,
  );
}

/** Calls back with the item key once the server has taken a change of a favourite and no other is under way for it. */
export function onHeartSettled(listener: (key: string) => void): () => void {
  settledListeners.add(listener);
  return () => settledListeners.delete(listener);
}

/** Takes a press on a heart. */
export function wishHeart(key: string, isKept: boolean): void {
  if (!agreed.has(key)) agreed.set(key, !isKept);
  wanted.set(key, isKept);
  message = silence;
  tell();
  void send(key);
}

/** A new page's data knows every wish that is settled. */
export function forgetSettledHearts(): void {
  for (const key of wanted.keys()) {
    if (underWay.has(key)) continue;
    wanted.delete(key);
    agreed.delete(key);
  }
  message = silence;
  tell();
}

async function send(key: string): Promise<void> {
  if (underWay.has(key)) return;
  underWay.add(key);
  const before = agreed.get(key);
  while (wanted.get(key) !== agreed.get(key)) {
    const isKept = wanted.get(key) ?? false;
    const status = await post(key, isKept);
    if (status === 204) {
      agreed.set(key, isKept);
      message = { text: isKept ? "Saved to your favourites." : "Removed from your favourites.", isError: false };
    } else {
      wanted.set(key, agreed.get(key) ?? false);
      if (status === REDIRECT) sendAsForm(key, isKept);
      else if (status === 403) window.location.reload();
      else message = { text: "That could not be saved. Please try again.", isError: true };
    }
    tell();
  }
  underWay.delete(key);
  if (agreed.get(key) === before) return;
  for (const listener of settledListeners) listener(key);
}

/** What script may see of one. */
const REDIRECT = 0;

/** The status of the answer, if there is one. */
async function post(key: string, isKept: boolean): Promise<number | undefined> {
  try {
    const response = await fetch(href("/favourites"), {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ [nameOf(isKept)]: key }),
      redirect: "manual",
    });
    return response.status;
  } catch {
    return undefined;
  }
}

/** Whose session is over is led to log-in and back, as by a heart where no script runs. */
function sendAsForm(key: string, isKept: boolean): void {
  const form = document.querySelector<HTMLFormElement>("form[data-hearts]");
  const button = Object.assign(document.createElement("input"), { type: "hidden", name: nameOf(isKept), value: key });
  form?.append(button);
  form?.submit();
  button.remove();
}

/** Of the button with such a wish. */
function nameOf(isKept: boolean): string {
  return isKept ? "save" : "remove";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
