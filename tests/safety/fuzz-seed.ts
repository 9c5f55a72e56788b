/** Every run is the same unless `FUZZ_SEED` says otherwise; `FUZZ_TIMES=20` makes it twenty times as long. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120);
const times = Number(process.env.FUZZ_TIMES ?? 1);

/** A failure names the seed and the path to its smallest case. */
export function runsOf(count: number): { seed: number; numRuns: number } {
  return { seed, numRuns: count * times };
}
