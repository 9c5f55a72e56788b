import { countPasswordAttempt, giveBackPasswordAttempt, refuseLogIn, type LogIn } from "../accounts/log-in.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import type { Enter } from "./remote-entrance.ts";
import type { Standing } from "./remote-standing.ts";

type LogInParts = {
  enter: Enter;
  sessions: Sessions;
  tokens: ProviderTokens;
  standing: Standing;
  rateLimiter: RateLimiter;
  clock: Clock;
  log: Log;
  /** What is to be done for whoever came in, before they see a page. */
  welcome: { done(): Promise<void> };
};

/** Log-in where the provider knows the passwords. Whoever guesses is worn out here first, and so is spared there. */
export function createRemoteLogIn({ enter, sessions, tokens, standing, welcome, log, ...counting }: LogInParts): LogIn {
  return async ({ email, password, address, ...browser }) => {
    const blocked = await countPasswordAttempt(counting, { email, address });
    if (blocked) return refuseLogIn(blocked, log);

    const found = await enter({ email, password, address }).catch((error: unknown) => {
      if (error instanceof ProviderError) return { ok: false, reason: "unreachable" } as const;
      throw error;
    });
    // Nobody has looked at the password.
    if (!found.ok && found.reason !== "wrong-credentials") await giveBackPasswordAttempt(counting, { email, address });
    if (!found.ok) return refuseLogIn(found, log);

    const session = await sessions.start(found.member.id, browser);
    // Somebody who has just bought something does not want to hear what was so half a minute ago.
    standing.forget(found.member.id);
    await tokens.keep(session.token, { memberId: found.member.id, token: found.token });
    await giveBackPasswordAttempt(counting, { email, address });
    log.info({ member: found.member.id }, "a member logged in");
    await welcome.done();
    return { ok: true, session };
  };
}
