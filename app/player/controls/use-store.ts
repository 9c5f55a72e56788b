import { useSyncExternalStore } from "react";

import type { Store } from "../core/store.ts";

export function useStore<State>({
  subscribe,
  read,
  initial,
}: Pick<Store<State>, "subscribe" | "read" | "initial">): State {
  return useSyncExternalStore(subscribe, read, () => initial);
}
