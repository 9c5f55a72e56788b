const times = Number(process.env.FUZZ_TIMES ?? 1);

/** So many cases; `FUZZ_TIMES=20` makes it twenty times as long. */
export function runsOf(count: number): { numRuns: number } {
  return { numRuns: count * times };
}
