import type { HeldToken, ProviderTokens } from "../provider-api/provider-tokens.ts";

/**
 * Asks as a member who is logged in here, it does not matter which; with the next one where the provider refuses one. `undefined` where
 * there is nobody.
 */
export type AskAsMember = <Answer extends { status?: number }>(
  ask: (token: string) => Promise<Answer>,
) => Promise<Answer | undefined>;

/** How many are tried. */
const MOST = 5;

export function createAnyMember(tokens: Pick<ProviderTokens, "listNewest" | "drop">): AskAsMember {
  let trusted: HeldToken | undefined;

  async function listCandidates(): Promise<HeldToken[]> {
    const newest = await tokens.listNewest(MOST);
    const first = newest.filter(({ sessionHash }) => sessionHash === trusted?.sessionHash);
    return [...new Set([...first, ...newest])];
  }

  return async (ask) => {
    for (const held of await listCandidates()) {
      const answer = await ask(held.token);
      if (answer.status === 401) await tokens.drop(held);
      else if (answer.status !== 403) {
        trusted = held;
        return answer;
      }
    }
    return undefined;
  };
}
