import { passwordCost } from "../../server/accounts/passwords.ts";

/** The least that Argon2 can cost: tests hash thousands of passwords, and only `passwords.test.ts` is about what that takes. */
Object.assign(passwordCost, { memory: 8, passes: 1, parallelism: 1 });
