import { href } from "../../paths.ts";

/** How often a place is told while something plays. */
const TELL_EVERY_MS = 15_000;

/** Fewer seconds than that of an item that was not started before are nothing to go on with. */
const FIRST_SECONDS = 5;

type Place = { seconds: number; duration: number; seenAt: number };

/**
 * Tells the server where in an item a film or recording is (`routes/positions.ts`): every 15 seconds while it plays, and when it
 * pauses, ends, is let go or its page is hidden. What gets no answer is told again. Answers how to let go of the element;
 * `undefined` where it is gone already.
 */
export function keepPosition(element: HTMLMediaElement | null, itemKey: string): (() => void) | undefined {
  if (!element) return undefined;
  const ending = new AbortController();
  let untold: Place | undefined;
  let isStarted = false;

  function see({ currentTarget }: Event): void {
    const { currentTime: seconds, duration, loop } = currentTarget as HTMLMediaElement;
    isStarted ||= seconds >= FIRST_SECONDS;
    // A recording that begins again by itself is at no place, and neither is what has no end.
    if (!isStarted || loop || !Number.isFinite(duration)) return;
    untold = { seconds, duration, seenAt: performance.now() };
  }

  async function tellPlace(): Promise<void> {
    const told = untold;
    untold = undefined;
    const outcome = told && (await tell(toFields(itemKey, told)));
    if (outcome === "unanswered") untold ??= told;
    if (outcome === "unwanted") ending.abort();
  }

  /** Without waiting for an answer, as the page may be gone before it. */
  function tellAtOnce(): void {
    if (untold) navigator.sendBeacon(href("/positions"), new URLSearchParams(toFields(itemKey, untold)));
    untold = undefined;
  }

  const { signal } = ending;
  element.addEventListener("timeupdate", see, { signal });
  element.addEventListener("pause", () => void tellPlace(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden && tellAtOnce(), { signal });
  window.addEventListener("pagehide", tellAtOnce, { signal });
  const timer = setInterval(() => void tellPlace(), TELL_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  return () => {
    tellAtOnce();
    ending.abort();
  };
}

/** Marks an item as opened, as `opened.ts` does on pages without this script. */
export function tellOpened(itemKey: string): void {
  navigator.sendBeacon(href("/positions"), new URLSearchParams({ open: itemKey }));
}

function toFields(keep: string, { seconds, duration, seenAt }: Place): Record<string, string> {
  const age = Math.round(performance.now() - seenAt);
  // Some players are a hair past the end of a film at its end.
  return { keep, seconds: Math.min(seconds, duration).toFixed(3), duration: duration.toFixed(3), age: String(age) };
}

/** `unwanted`: the member has switched positions off, or it was refused and would be again. */
async function tell(fields: Record<string, string>): Promise<"told" | "unanswered" | "unwanted"> {
  try {
    const body = new URLSearchParams(fields);
    const answer = await fetch(href("/positions"), { method: "POST", body, keepalive: true });
    if (answer.status >= 500 || answer.status === 429) return "unanswered";
    return answer.ok && ((await answer.json()) as { isOn: boolean }).isOn ? "told" : "unwanted";
  } catch {
    return "unanswered";
  }
}
