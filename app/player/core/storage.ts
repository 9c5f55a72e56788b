type Kind = "localStorage" | "sessionStorage";

/** An entry of the browser's storage; `null` also where the browser keeps nothing for this site. */
export function readItem(key: string, kind: Kind = "localStorage"): string | null {
  try {
    return window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** Stores an entry, or removes it; where the browser keeps nothing, nothing happens. */
export function writeItem(key: string, value: string | undefined, kind: Kind = "localStorage"): void {
  try {
    if (value === undefined) window[kind].removeItem(key);
    else window[kind].setItem(key, value);
  } catch {
    // The page goes on without it.
  }
}
