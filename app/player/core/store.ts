import { useSyncExternalStore } from "react";

/** A value that components in different places of the page share. */
export function createStore<State>(initial: State) {
  let state = initial;
  const listeners = new Set<() => void>();
  const read = () => state;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    read,
    set(next: State): void {
      state = next;
      for (const listener of listeners) listener();
    },
    /** The value in a component; the initial one while a page is taken in. */
    use: () => useSyncExternalStore(subscribe, read, () => initial),
  };
}
