import { configureGlobal } from "fast-check";

import { passwordCost } from "../../server/members/accounts/passwords.ts";

/** Argon2's lowest cost: tests hash thousands of passwords, and only `passwords.test.ts` is about the cost. */
Object.assign(passwordCost, { memory: 8, passes: 1, parallelism: 1 });

/** Property tests repeat unless `FUZZ_SEED` is set; a failure names the seed and the path to its smallest case. */
configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_120) });
