import { createChallenges, type NewChallenge } from "../../server/challenges/challenges.ts";
import { DAY_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import { createKeyedHash } from "../../server/keyed-hash.ts";
import { openTestDatabase } from "./databases.ts";
import { createTestClock } from "./test-clock.ts";

/** Whose challenge the tests are about. */
export const whose = { purpose: "sign-up", subject: "12" };
export const asked: NewChallenge = { ...whose, linkLifeInMs: DAY_IN_MS };

/** Challenges over one database. */
export async function openChallengeHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const hash = createKeyedHash("secret", "challenge");
  const challenges = createChallenges({ db: database.db, clock, hash });
  const start = async (challenge = asked) => {
    const result = await challenges.start(challenge);
    if (!result.ok) throw new Error(result.reason);
    return result;
  };
  const answer = (code: string) => challenges.answerCode({ ...whose, code });
  return { ...database, clock, challenges, start, answer };
}
