import type { Sessions } from "../sessions/sessions.ts";
import type { ActingSession } from "./acting-session.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import type { Standing } from "./remote-standing.ts";

type SessionParts = { tokens: ProviderTokens; standing: Standing; acting: ActingSession };

/**
 * Sessions of ours live as long as the provider's token behind them, each as long as its own: who is logged in elsewhere with a newer
 * one keeps no other alive.
 */
export function createRemoteSessions(own: Sessions, { tokens, standing, acting }: SessionParts): Sessions {
  return {
    ...own,
    async find(token) {
      const session = await own.find(token);
      if (!session) return undefined;
      const { memberId } = session;
      // Where the provider no longer takes the token, this ends the session.
      await acting.act({ token, memberId }, () => standing.find(memberId));
      return (await tokens.isKept(token)) ? session : undefined;
    },
    act: (session, work) => acting.act(session, work),
  };
}
