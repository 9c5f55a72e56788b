export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const SECOND_IN_MS = 1000;
export const MINUTE_IN_MS = 60 * SECOND_IN_MS;
export const HOUR_IN_MS = 60 * MINUTE_IN_MS;
export const DAY_IN_MS = 24 * HOUR_IN_MS;

/** From one instant on, until before the other. */
export type Span = { from: Date; to: Date };

export function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
