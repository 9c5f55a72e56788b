import type { Clock } from "../clock.ts";
import type { Browser, Sessions, StartedSession } from "../sessions/sessions.ts";
import type { TooMany } from "../throttle/count-attempt.ts";
import type { Throttle } from "../throttle/throttle.ts";
import type { Accounts } from "./accounts.ts";
import { createPasswordAttempts } from "./password-attempts.ts";

/** Lets a member in by address and password, and wears out whoever guesses. */
export type LogIn = (credentials: Credentials) => Promise<LogInResult>;

export type Credentials = Browser & {
  email: string;
  password: string;
  /** The network address the attempt comes from. */
  address: string;
};

/** `unreachable`: whoever knows the passwords gives no answer. */
export type LogInResult =
  | { ok: true; session: StartedSession }
  | { ok: false; reason: "wrong-credentials" | "unreachable" }
  | TooMany;

type LogInRooms = { accounts: Accounts; sessions: Sessions; throttle: Throttle; clock: Clock };

export function createLogIn({ accounts, sessions, ...counting }: LogInRooms): LogIn {
  const attempts = createPasswordAttempts(counting);
  return async ({ email, password, address, ...browser }) => {
    const blocked = await attempts.count({ email, address });
    if (blocked) return blocked;

    const found = await accounts.findCredentials(email, password);
    if (!found) return { ok: false, reason: "wrong-credentials" };

    const session = await sessions.start(found.member.id, browser);
    // Whoever changed the password while it was being looked at has ended all sessions but the one that came just after.
    if (!(await accounts.isPasswordStill(found.member.id, found.passwordHash))) {
      await sessions.end(session.token);
      return { ok: false, reason: "wrong-credentials" };
    }
    await attempts.giveBack({ email, address });
    return { ok: true, session };
  };
}
