/**
 * `npm run test:deep` sets it, for large counts. Otherwise a test of many cases takes as many as find our planted
 * faults; the commits that chose them name those.
 */
export const isDeep = process.env.TEST_DEPTH === "deep";

/** All cases of a deep run, otherwise every `step`th. */
export function takeEvery<Case>(step: number, cases: readonly Case[]): Case[] {
  return isDeep ? [...cases] : cases.filter((_, index) => index % step === 0);
}
