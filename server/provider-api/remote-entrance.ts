import type { Member } from "../accounts/accounts.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { KnownElsewhere, MemberMirror } from "../accounts/member-mirror.ts";
import type { ProviderAnswer } from "./provider-client-answers.ts";
import { ProviderError, type ProviderRefusal } from "./provider-client-refusal.ts";
import type { ProviderClient } from "./provider-client.ts";
import type { RequireKey } from "./require-key.ts";

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

/** A member as any provider answers one; `email` is what they are known by where the answer brings none. */
function toKnown(user: ProviderAnswer<"login">, email: string): KnownElsewhere {
  const { id, firstName, lastName, accountType } = user;
  return { id, email: user.email || email, firstName, lastName, accountType };
}
