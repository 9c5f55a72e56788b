import type { Member } from "../../accounts/accounts.ts";
import { countPasswordAttempt, giveBackPasswordAttempt, type LogIn, refuseLogIn } from "../../accounts/log-in.ts";
import type { KnownElsewhere, MemberMirror } from "../../accounts/member-mirror.ts";
import { type Clock, MINUTE_IN_MS } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { RateLimiter } from "../../rate-limit/rate-limit.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { ProviderAnswer } from "./answers.ts";
import type { ProviderClient } from "./client.ts";
import { ProviderError, type ProviderRefusal } from "./line.ts";
import type { Standing } from "./members.ts";
import type { ProviderTokens, RequireKey } from "./tokens.ts";

/**
 * Asks the provider whether this password is this member's. If so, the member is known here from then on, and there is a token to act for
 * them.
 * @throws {ProviderError} when it cannot be asked.
 */
export type Enter = (credentials: { email: string; password: string; address: string }) => Promise<EnterResult>;

export type EnterResult =
  | { ok: true; member: Member; token: string }
  | { ok: false; reason: "wrong-credentials" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

type EnterParts = { client: ProviderClient; mirror: MemberMirror; requireKey: RequireKey };

export function createEnter({ client, mirror, requireKey }: EnterParts): Enter {
  return async ({ email, password, address }) => {
    // Some providers know an address by one name, some by the other.
    const credentials = { email, username: email, password };
    const given = await client.call("grabtoken", credentials, { address });
    if (!given.ok) return refuse(given, requireKey);
    const token = given.answer;
    const found = await client.call("login", { ...credentials, token }, { token, address });
    if (!found.ok) return refuse(found, requireKey);
    return { ok: true, member: await mirror.remember(toKnown(found.answer, email)), token };
  };
}

const USUAL_WAIT_IN_MS = MINUTE_IN_MS;

/** @throws {ProviderError} where nobody has looked at the password. */
async function refuse(
  { status, waitInMs = USUAL_WAIT_IN_MS }: ProviderRefusal,
  requireKey: RequireKey,
): Promise<EnterResult> {
  if (status === 429) return { ok: false, reason: "too-many-attempts", waitInMs };
  if (status === 401 || status === 403) await requireKey();
  if (status >= 500) throw new ProviderError(`logging in answered ${status}`, { isUnreachable: true });
  return { ok: false, reason: "wrong-credentials" };
}

/** Reads a member from a provider's answer; `email` stands in where the answer has none. */
function toKnown(user: ProviderAnswer<"login">, email: string): KnownElsewhere {
  const { id, firstName, lastName, accountType } = user;
  return { id, email: user.email || email, firstName, lastName, accountType };
}

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
