import type { Membership } from "../membership/membership.ts";
import { KeptElsewhereError } from "./kept-elsewhere.ts";
import type { Standing } from "./remote-standing.ts";

/** Subscriptions that the provider keeps: it says whether one runs, and what it was sold for is its own affair. */
export function createRemoteMembership(own: Membership, standing: Standing): Membership {
  return {
    ...own,
    findAccess: (memberId) => standing.find(memberId),
    async findCoverEnd(memberId) {
      const access = await standing.find(memberId);
      return access.isActive ? access.endsAt : undefined;
    },
    listFor: async () => [],
    grant: refuse,
    revoke: refuse,
    restore: refuse,
  };
}

async function refuse(): Promise<never> {
  throw new KeptElsewhereError("Subscriptions");
}
