import { useSyncExternalStore } from "react";

import type { Store } from "../core/store.ts";

/** The value of a store, as it changes. */
export function useStore<State>({
  subscribe,
  read,
  initial,
}: Pick<Store<State>, "subscribe" | "read" | "initial">): State {
  return useSyncExternalStore(subscribe, read, () => initial);
}
