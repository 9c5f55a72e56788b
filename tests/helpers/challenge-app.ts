import { createChallenges, type NewChallenge } from "../../server/challenges/challenges.ts";
import { DAY_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestContext } from "./test-context.ts";

/** Whose challenge the tests are about. */
export const whose = { purpose: "sign-up", subject: "12" };
export const asked: NewChallenge = { ...whose, linkLifeInMs: DAY_IN_MS };

/** Challenges over one database. */
export async function openChallengeApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const challenges = createChallenges(ctx);
  const start = async (challenge = asked) => {
    const result = await challenges.start(challenge);
    if (!result.ok) throw new Error(result.reason);
    return result;
  };
  const answer = (code: string) => challenges.answerCode({ ...whose, code });
  return { ...database, clock: ctx.clock, challenges, start, answer };
}
