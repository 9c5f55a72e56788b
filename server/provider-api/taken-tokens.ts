import type { Clock } from "../clock.ts";
import { createMemory, type Memory } from "./memory.ts";
import type { HeldToken } from "./provider-tokens.ts";

/**
 * When the provider last took the token of each session, as far as this process has seen. What another process has seen counts for
 * nothing here: at worst each of them asks once.
 */
export type TakenTokens = {
  note(held: HeldToken): void;
  findTime(whose: { memberId: number; sessionHash: string }): Date | undefined;
  /** All of a member: from now on each has to show again that it is good. */
  forget(memberId: number): void;
};

/** Of one member. */
const MOST_SESSIONS = 100;

export function createTakenTokens({ clock }: { clock: Clock }): TakenTokens {
  const members = createMemory<Memory<Date, string>>();
  return {
    note({ memberId, sessionHash }) {
      const times = members.get(memberId) ?? createMemory<Date, string>(MOST_SESSIONS);
      times.set(sessionHash, clock());
      members.set(memberId, times);
    },
    findTime: ({ memberId, sessionHash }) => members.get(memberId)?.get(sessionHash),
    forget: (memberId) => members.delete(memberId),
  };
}
