import { after, MINUTE_IN_MS, type Clock } from "../clock.ts";
import type { HeldToken, ProviderTokens } from "../provider-api/provider-tokens.ts";

/**
 * Asks as a member who is logged in here, it does not matter which; with the next one where the provider refuses one. `undefined` where
 * there is nobody.
 */
export type AskAsMember = <Answer extends { status?: number }>(
  ask: (token: string) => Promise<Answer>,
) => Promise<Answer | undefined>;

type AnyMemberParts = { tokens: Pick<ProviderTokens, "find" | "listNewest" | "drop">; clock: Clock };

/** How many are tried for one answer: a tenth of what a provider lets us ask within a minute is more than this. */
const MOST = 20;
/** Who has no subscription may buy one, and is not asked for again before. */
const REFUSED_FOR_IN_MS = MINUTE_IN_MS;

/** Whoever was let in last is asked for first, as long as they are logged in. Who was refused stands behind all who were not. */
export function createAnyMember({ tokens, clock }: AnyMemberParts): AskAsMember {
  let trustedId: number | undefined;
  /** When a session's token was refused, the longest ago first. */
  const refused = new Map<string, Date>();

  async function findTrusted(): Promise<HeldToken[]> {
    const held = trustedId === undefined ? undefined : await tokens.find(trustedId);
    return held && !refused.has(held.sessionHash) ? [held] : [];
  }

  async function listOthers(): Promise<HeldToken[]> {
    const fresh = await tokens.listNewest(MOST, [...refused.keys()]);
    const hasForgotten = forgetRefusals(MOST - fresh.length);
    return hasForgotten ? tokens.listNewest(MOST, [...refused.keys()]) : fresh;
  }

  function forgetRefusals(count: number): boolean {
    const since = after(clock(), -REFUSED_FOR_IN_MS);
    const old = [...refused].filter(([, at]) => at <= since).slice(0, count);
    for (const [sessionHash] of old) refused.delete(sessionHash);
    return old.length > 0;
  }

  async function* listCandidates(): AsyncGenerator<HeldToken> {
    yield* await findTrusted();
    yield* await listOthers();
  }

  return async (ask) => {
    for await (const held of listCandidates()) {
      const answer = await ask(held.token);
      if (answer.status === 401) await tokens.drop(held);
      else if (answer.status === 403) refused.set(held.sessionHash, clock());
      else {
        trustedId = held.memberId;
        return answer;
      }
    }
    return undefined;
  };
}
