import { configureGlobal } from "fast-check";

import { passwordCost } from "../../server/members/accounts/passwords.ts";

/** The least that Argon2 can cost: tests hash thousands of passwords, and only `passwords.test.ts` is about what that takes. */
Object.assign(passwordCost, { memory: 8, passes: 1, parallelism: 1 });

/** Every run of the property tests is the same unless `FUZZ_SEED` says otherwise; a failure names the seed and the path to its smallest case. */
configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_120) });
