import { href } from "../../frame/paths.ts";
import { sendAtOnce } from "./send-at-once.ts";

/** How often a position is sent while something plays. */
const SEND_EVERY_MS = 15_000;

/** Fewer seconds of an item are no reason to continue it later. */
const FIRST_SECONDS = 5;

/** The server does not accept an older position. */
const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** The server's state of an item when it rendered the page. */
export type KnownPosition = {
  /** Where it continues, in seconds; absent at the beginning. */
  startAt?: number | undefined;
  /** When it was read, in ms since 1970 by the server's clock. */
  readAt: number;
};

/** A loop's position is how long it has played, within the minutes that it is to play. */
export type Loop = { playedMs: { current: number }; playMinutes: number };

/** `seenAt` is by the server's clock; `tick` and `date` are the page's own. */
type StoredPosition = { seconds: number; duration: number; seenAt: number; tick: number; date: number };

type KeepOptions = { itemKey: string; known: KnownPosition; loop?: Loop | undefined };

/**
 * Tells the server where in an item a film or recording is (`routes/member/positions.ts`): as soon as it is begun, every 15 seconds
 * while it plays, and when it pauses, ends, is released or its page is hidden. A message without an answer is sent again.
 * @returns a function that releases the element.
 */
export function keepPosition(element: HTMLMediaElement, { itemKey, known, loop }: KeepOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const clock = createServerClock(known.readAt);
  let latest: StoredPosition | undefined;
  /** The last position that need not be sent again. */
  let settled: StoredPosition | undefined;
  let isStarted = known.startAt !== undefined;
  /** Whether the next position is sent at once: a member may leave the page soon. */
  let isUrgent = true;
  let asking: AbortController | undefined;

  function readPosition(): void {
    const seconds = loop ? loop.playedMs.current / 1000 : element.currentTime;
    const duration = loop ? loop.playMinutes * 60 : element.duration;
    isStarted ||= seconds >= FIRST_SECONDS;
    // An endless stream has no position.
    if (!isStarted || !Number.isFinite(duration)) return;
    // Some players are a hair past the end of a film at its end.
    const position = { seconds: Math.min(seconds, duration), duration };
    latest = { ...position, seenAt: clock.now(), tick: performance.now(), date: Date.now() };
    if (isUrgent) void sendPosition();
  }

  async function sendPosition(): Promise<void> {
    const position = latest;
    if (!position || position === settled) return;
    isUrgent = false;
    if (measureAge(position) > DAY_IN_MS) {
      settled = position;
      return;
    }
    // One at a time: on a silent connection they would pile up.
    asking?.abort();
    asking = new AbortController();
    const answer = await sendFields(toFields(itemKey, position), asking.signal);
    if (answer === "unanswered") return;
    settled = position;
    if (!answer.isWanted) ending.abort();
    // The server took this for older than it is, so the next position is sent at once: by then it is known to be new.
    if (clock.catchUp(answer.date)) isUrgent = true;
  }

  function sendLastPosition(): void {
    if (latest && latest !== settled && measureAge(latest) <= DAY_IN_MS) sendAtOnce(toFields(itemKey, latest));
    settled = latest;
  }

  continueFrom(element, known.startAt, signal);
  element.addEventListener("timeupdate", readPosition, { signal });
  element.addEventListener("pause", () => void sendPosition(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden && void sendPosition(), { signal });
  window.addEventListener("pagehide", sendLastPosition, { signal });
  const timer = setInterval(() => void sendPosition(), SEND_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  return () => {
    sendLastPosition();
    ending.abort();
  };
}

/**
 * The server's time, from its last answer and the page's own clock since. That clock pauses while a device sleeps, so this
 * may be behind, and is never ahead: a position that was seen long ago never looks new.
 */
function createServerClock(readAt: number) {
  let known = { time: readAt, tick: performance.now() };
  const now = () => known.time + performance.now() - known.tick;
  return {
    now,
    /** Corrects the clock by the time in an answer. Returns whether it was behind by more than a page takes to load. */
    catchUp(time: number): boolean {
      // An answer has whole seconds: one that is not ahead is no more exact than our clock.
      if (!(time > now())) return false;
      const isBehind = time - now() > SEND_EVERY_MS;
      known = { time, tick: performance.now() };
      return isBehind;
    },
  };
}

/** A film continues by its address, a loop by script. A film that is shorter now than its position starts again. */
function continueFrom(element: HTMLMediaElement, startAt: number | undefined, signal: AbortSignal): void {
  if (startAt === undefined) return;
  const seek = () => {
    const { duration, loop, autoplay, paused } = element;
    if (loop) element.currentTime = startAt % duration;
    else if (startAt >= duration) {
      element.currentTime = 0;
      if (autoplay && paused) element.play().catch(() => undefined);
    }
  };
  if (element.readyState === HTMLMediaElement.HAVE_NOTHING) {
    element.addEventListener("loadedmetadata", seek, { once: true, signal });
  } else if (!element.loop) seek();
}

function toFields(keep: string, position: StoredPosition): Record<string, string> {
  return {
    keep,
    seconds: position.seconds.toFixed(3),
    duration: position.duration.toFixed(3),
    age: String(Math.round(measureAge(position))),
    seen: String(Math.round(position.seenAt)),
  };
}

/** How long ago a position was seen, in ms: the page's clock pauses in sleep, and that of the device may be set back. */
function measureAge({ tick, date }: StoredPosition): number {
  return Math.max(performance.now() - tick, Date.now() - date);
}

/** `isWanted`: false where the member has switched positions off, or the server refuses them for good. */
type Answer = { isWanted: boolean; date: number };

async function sendFields(fields: Record<string, string>, signal: AbortSignal): Promise<Answer | "unanswered"> {
  try {
    const body = new URLSearchParams(fields);
    const answer = await fetch(href("/positions"), { method: "POST", body, keepalive: true, signal });
    if (answer.status >= 500 || answer.status === 429) return "unanswered";
    const isWanted = answer.ok && ((await answer.json()) as { isOn: boolean }).isOn;
    return { isWanted, date: Date.parse(answer.headers.get("Date") ?? "") };
  } catch {
    return "unanswered";
  }
}
