/**
 * Whether the large counts run: `npm run test:deep` sets it. Without it each test of many cases takes as many as find the faults that
 * we have planted; the commits that chose them name those.
 */
export const isDeep = process.env.TEST_DEPTH === "deep";

/** The cases that a test runs: all of a deep run, otherwise every so manieth. */
export function takeEvery<Case>(step: number, cases: readonly Case[]): Case[] {
  return isDeep ? [...cases] : cases.filter((_, index) => index % step === 0);
}
