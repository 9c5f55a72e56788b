import type { Member } from "../accounts/accounts.ts";
import { holdMember } from "../accounts/members.ts";
import type { Challenges } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { createDraftRecords } from "../sign-up/draft-view.ts";
import type { Drafts } from "../sign-up/drafts.ts";

/** Drafts that are made on behalf of members whose front is not ours. */
export type ApiDrafts = {
  /** The member's open draft, or a new one; of two that ask at once both get the same. */
  open(member: Member, site: string): Promise<{ id: number; isNew: boolean }>;
  remove(draftId: number): Promise<void>;
};

type DraftRooms = { db: Queries; clock: Clock; drafts: Drafts; challenges: Challenges };

export function createApiDrafts({ db, clock, drafts, challenges }: DraftRooms): ApiDrafts {
  return {
    open: ({ id: memberId, email, firstName, lastName }, site) =>
      db.transaction().execute(async (trx) => {
        await holdMember(memberId, trx);
        const all = await createDraftRecords({ db: trx, challenges }).listDraftsFor({ memberId, email });
        const open = all.find(
          ({ draft, expiresAt }) =>
            draft.purpose === "renew" &&
            draft.state === "open" &&
            draft.memberId === memberId &&
            draft.site === site &&
            expiresAt > clock(),
        );
        if (open) return { id: open.draft.id, isNew: false };
        const details = { email, firstName, lastName, accountType: "individual" as const, code: undefined, site };
        const { id } = await drafts.add(
          { ...details, purpose: "renew", memberId, keptPassword: undefined, isVerified: true },
          trx,
        );
        return { id, isNew: true };
      }),

    remove: (draftId) => drafts.remove(draftId),
  };
}
