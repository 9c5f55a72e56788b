/** How long something may still play: so many minutes, or to the end of the item. */
export type Choice = 10 | 20 | 30 | 45 | 60 | "end";

export const choices: Choice[] = [10, 20, 30, 45, 60, "end"];

/** The first offer to a member who has not chosen before. */
export const FIRST_CHOICE: Choice = 30;

/** A choice, and the time at which it was made, in ms since 1970. It waits while nothing plays, since `waitsFrom`. */
export type Timer = { choice: Choice; setAt: number; waitsFrom?: number | undefined };

/** Sound and screen fade for so long before they end. */
export const FADE_MS = 30_000;

/** A choice as it was stored, such as `20`. */
export function parseChoice(text: string | null): Choice | undefined {
  return choices.find((choice) => String(choice) === text);
}

/** The hours in which a timer may start by itself, by the clock of the device. */
const NIGHT = { from: 22, to: 6 };

export function isNight(hour: number): boolean {
  return hour >= NIGHT.from || hour < NIGHT.to;
}

/** All choices, the last one made first. */
export function offerChoices(last: Choice | undefined): [Choice, ...Choice[]] {
  const first = last ?? FIRST_CHOICE;
  return [first, ...choices.filter((choice) => choice !== first)];
}

/**
 * How long a timer lets something play, in ms; nothing or less once it is over. It asks the clock, so it is right after any pause of the
 * page. `toEnd`: what is left of the item, in ms.
 */
export function msLeft({ choice, setAt, waitsFrom }: Timer, { now, toEnd }: { now: number; toEnd: number }): number {
  return choice === "end" ? toEnd : setAt + choice * 60_000 - (waitsFrom ?? now);
}

/** Pauses or resumes a timer with what it ends; the same timer if nothing changes. `now` may be before it was set. */
export function keepPace(timer: Timer, isPlaying: boolean, now: number): Timer {
  const { choice, setAt, waitsFrom } = timer;
  if (isPlaying === (waitsFrom === undefined)) return timer;
  if (waitsFrom !== undefined) return { choice, setAt: setAt + now - waitsFrom };
  return { choice, setAt, waitsFrom: Math.max(setAt, now) };
}

/** From 1, before the last half minute, to 0 at the end. Squared, because ears hear ratios. */
export function volumeAt(left: number): number {
  return shareAt(left) ** 2;
}

/** How dark the screen is: 0 before the last half minute, 1 at the end. */
export function darknessAt(left: number): number {
  return 1 - shareAt(left);
}

function shareAt(left: number): number {
  return Math.min(1, Math.max(0, left / FADE_MS));
}

/** How long the sound takes to full volume after the fade was broken off. */
const RISE_MS = 4000;

export type Course = {
  at: number;
  isPlaying: boolean;
  playedMs: number;
  /** The share of the volume that is heard. */
  heard: number;
  timer: Timer | undefined;
};

export type Moment = {
  now: number;
  isPlaying: boolean;
  /** It came to its end, or was stopped there. */
  isOver: boolean;
  /** The rest of it, in ms; endless where that is not known. */
  itemLeft: number;
  /** A loop ends after so long, timer or not. */
  loopMs: number;
};

/**
 * The course up to now: what has been played, the timer, which waits while nothing plays, and the volume, which falls over the last half
 * minute and comes back slowly. It asks the clock, because a page in the background is asked seldom.
 */
export function passTime(last: Course, { now, isPlaying, isOver, itemLeft, loopMs }: Moment) {
  const passed = now - last.at;
  const playedMs = last.playedMs + (last.isPlaying ? passed : 0);
  // The pause at an end is no reason to wait.
  const isActive = isPlaying || (last.isPlaying && isOver);
  // A device that slept reports a pause late.
  const timer = last.timer && keepPace(last.timer, isActive, isActive ? now : last.at);
  const loopLeft = loopMs - playedMs;
  const timerLeft = timer ? msLeft(timer, { now, toEnd: Math.min(loopLeft, itemLeft) }) : Infinity;
  const left = Math.min(timerLeft, loopLeft);
  const heard = isPlaying && left > 0 ? Math.min(volumeAt(left), last.heard + passed / RISE_MS) : last.heard;
  return { at: now, isPlaying, playedMs, heard, timer, isActive, left, timerLeft };
}

/** The kind of player: `frame` is another host's. */
export type Played = "sound" | "film" | "frame";

const ends: Record<Played, string> = {
  sound: "Fades out",
  film: "Fades out",
  frame: "Closes",
};

/** The effect of a timer in words, such as “Fades out in 20 minutes.” */
export function describeTimer(choice: Choice, played: Played): string {
  return `${ends[played]} ${choice === "end" ? "at the end of this item" : `in ${choice} minutes`}.`;
}

export function choiceText(choice: Choice): string {
  return choice === "end" ? "End of this item" : `${choice} minutes`;
}

/** An SVG path of a waning moon, of radius 9 about (12, 12), by its lit share: full at 1, a sickle near 0. */
export function drawPhase(lit: number): string {
  const share = Math.min(1, Math.max(0, lit));
  const width = (9 * Math.abs(2 * share - 1)).toFixed(2);
  return `M12 3A9 9 0 0 0 12 21A${width} 9 0 0 ${share > 0.5 ? 0 : 1} 12 3Z`;
}
