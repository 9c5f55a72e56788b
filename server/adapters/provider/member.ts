import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { HeldToken, ProviderTokens } from "../../provider/client/tokens.ts";

/** Sends requests for any member who is logged in here. */
export type AnyMember = {
  /**
   * A list is refused because of the member: the next one is tried, and a member whose token has expired is logged out.
   */
  askForList: AskAsMember;
  /** A file may be refused for its own sake: a few members are tried, without conclusions about them. */
  askForFile: AskAsMember;
};

/** `undefined` if no member may see it. */
export type AskAsMember = <Answer extends { status?: number }>(
  ask: (token: string) => Promise<Answer>,
) => Promise<Answer | undefined>;

/** A tenth of what a provider allows a minute is more than this. */
const MOST = 20;
/** The member to whom lists were shown is the first of them. */
const MOST_FOR_FILE = 3;
/** A member without a subscription may buy one; not tried again before this. */
const REFUSED_FOR_IN_MS = MINUTE_IN_MS;

/** Begins with the member whose request was accepted last, if still logged in. Refused members come last. */
export function createAnyMember({ tokens, clock }: { tokens: ProviderTokens; clock: Clock }): AnyMember {
  let trustedId: number | undefined;
  /** By session, the longest ago first. */
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
    const trusted = await findTrusted();
    yield* trusted;
    for (const held of await listOthers()) {
      const isTrusted = trusted.some(({ sessionHash }) => sessionHash === held.sessionHash);
      // A concurrent request may have learned it meanwhile.
      if (!isTrusted && !refused.has(held.sessionHash)) yield held;
    }
  }

  return {
    async askForList(ask) {
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
    },

    async askForFile(ask) {
      let count = 0;
      for await (const held of listCandidates()) {
        const answer = await ask(held.token);
        if (answer.status !== 401 && answer.status !== 403) return answer;
        if ((count += 1) === MOST_FOR_FILE) break;
      }
      return undefined;
    },
  };
}
