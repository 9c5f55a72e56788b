/** Rules of positions that pages share. */

/** How many items are known of a member; the oldest goes first. */
export const POSITIONS_A_MEMBER = 200;

/** So many items that were played are looked through for those to go on with: some are over, or withdrawn. */
export const MOST_PLAYED = 24;

/** An item is finished when less than this is left of it, in seconds, or less than this share. */
const END_IN_SECONDS = 15;
const END_SHARE = 0.05;

/** Whether an item counts as finished: less than 15 seconds or 5 % of it is left. Both are in seconds. */
export function isAtEnd(seconds: number, duration: number): boolean {
  return duration - seconds < Math.max(END_IN_SECONDS, duration * END_SHARE);
}

/** The rest of an item, in words: "4 minutes left". */
export function remainingText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute left";
  const hours = Math.floor(minutes / 60);
  const parts = [count(hours, "hour"), count(minutes % 60, "minute")];
  return `${parts.filter(Boolean).join(" ")} left`;
}

function count(number: number, unit: string): string {
  return number === 0 ? "" : `${number} ${unit}${number === 1 ? "" : "s"}`;
}
