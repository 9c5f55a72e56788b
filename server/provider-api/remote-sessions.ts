import type { Sessions } from "../sessions/sessions.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import type { Standing } from "./remote-standing.ts";

/** Sessions of ours live as long as the provider's token behind them: without one nothing can be had for the member. */
export function createRemoteSessions(
  own: Sessions,
  { tokens, standing }: { tokens: ProviderTokens; standing: Standing },
): Sessions {
  return {
    ...own,
    async find(token) {
      const session = await own.find(token);
      if (!session) return undefined;
      // Where the provider no longer takes the token, this ends the session.
      await standing.find(session.memberId);
      return (await tokens.isKept(token)) ? session : undefined;
    },
  };
}
