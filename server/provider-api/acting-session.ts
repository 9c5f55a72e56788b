import { AsyncLocalStorage } from "node:async_hooks";

import type { KeyedHash } from "../keyed-hash.ts";
import type { SessionOwner } from "../sessions/sessions.ts";

/**
 * For whose session something is done. Rooms know members and no sessions, so it goes beside them: whatever call they make meanwhile
 * finds it, and is made with what the provider gave for this very session.
 */
export type ActingSession = {
  act<Answer>(session: SessionOwner, work: () => Promise<Answer>): Promise<Answer>;
  /** What is kept of its token, if it is one of this member's. */
  findHash(memberId: number): string | undefined;
};

/** `hash` is what sessions are kept under. */
export function createActingSession({ hash }: { hash: KeyedHash }): ActingSession {
  const acting = new AsyncLocalStorage<{ sessionHash: string; memberId: number }>();
  return {
    act: ({ token, memberId }, work) => acting.run({ sessionHash: hash(token), memberId }, work),
    findHash(memberId) {
      const session = acting.getStore();
      return session?.memberId === memberId ? session.sessionHash : undefined;
    },
  };
}
