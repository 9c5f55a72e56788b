/** Items stored for a member; the oldest goes first. */
export const POSITIONS_A_MEMBER = 200;

/** Played items searched for those to continue: some are finished or withdrawn. */
export const MOST_PLAYED = 24;

const END_IN_SECONDS = 15;
const END_SHARE = 0.05;

/** Less than 15 seconds or 5 % are left. Both arguments are in seconds. */
export function isAtEnd(seconds: number, duration: number): boolean {
  return duration - seconds < Math.max(END_IN_SECONDS, duration * END_SHARE);
}

/** "4 minutes left". */
export function remainingText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute left";
  const hours = Math.floor(minutes / 60);
  const parts = [countText(hours, "hour"), countText(minutes % 60, "minute")];
  return `${parts.filter(Boolean).join(" ")} left`;
}

/** A number of units, such as "2 minutes"; nothing where there are none. */
export function countText(number: number, unit: string): string {
  return number === 0 ? "" : `${number} ${unit}${number === 1 ? "" : "s"}`;
}
