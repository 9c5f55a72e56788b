import { configureGlobal } from "fast-check";

/** Every run of the property tests is the same unless `FUZZ_SEED` says otherwise; a failure names the seed and the path to its smallest case. */
configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_120) });
