import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Browser, Sessions, StartedSession } from "../sessions/sessions.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
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

type LogInRooms = { accounts: Accounts; sessions: Sessions; throttle: Throttle; clock: Clock; log: Log };

/** Each end of it is a line in the log (ASVS 16.3.1): the member by number, never what was typed. */
export function createLogIn({ accounts, sessions, log, ...counting }: LogInRooms): LogIn {
  const attempts = createPasswordAttempts(counting);
  return async ({ email, password, address, ...browser }) => {
    const blocked = await attempts.count({ email, address });
    if (blocked) return tellRefused(blocked, log);

    const found = await accounts.findCredentials(email, password);
    if (!found) return tellRefused({ ok: false, reason: "wrong-credentials" } as const, log);

    const session = await sessions.start(found.member.id, browser);
    // Whoever changed the password while it was being looked at has ended all sessions but the one that came just after.
    if (!(await accounts.isPasswordStill(found.member.id, found.passwordHash))) {
      await sessions.end(session.token);
      return tellRefused({ ok: false, reason: "wrong-credentials" } as const, log);
    }
    await attempts.giveBack({ email, address });
    log.info({ member: found.member.id }, "a member logged in");
    return { ok: true, session };
  };
}

export function tellRefused<Refusal extends { reason: string }>(refusal: Refusal, log: Log): Refusal {
  log.warn({ reason: refusal.reason }, "a log-in was refused");
  return refusal;
}
