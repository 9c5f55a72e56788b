import { useEffect, useReducer } from "react";

/** Draws a component again at each of these events. */
export function useEvents(target: EventTarget | undefined, events: readonly string[]): void {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ending = new AbortController();
    for (const event of events) target?.addEventListener(event, drawAgain, { signal: ending.signal, capture: true });
    return () => ending.abort();
  }, [target, events]);
}
