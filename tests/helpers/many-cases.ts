/**
 * Whether the large counts run: `npm run test:many` sets it. Without it each test of many cases takes as many as find the faults that
 * we have planted; the commits that chose them name those.
 */
export const hasManyCases = process.env.TEST_CASES === "many";

/** The cases that a test runs: all where there are many, otherwise every so manieth. */
export function takeEvery<Case>(step: number, cases: readonly Case[]): Case[] {
  return hasManyCases ? [...cases] : cases.filter((_, index) => index % step === 0);
}
