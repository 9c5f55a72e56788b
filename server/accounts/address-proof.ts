import { codeRefusals, type Challenges } from "../challenges/challenges.ts";
import type { Queries } from "../database/database.ts";
import { linkPurposes, memberIdIn, type LinkSubjects } from "./account-links.ts";
import type { Member } from "./accounts.ts";
import type { AddressUndo } from "./address-undo.ts";
import {
  changeHeld,
  emailColumns,
  findAccount,
  holdOpenMember,
  requireFree,
  unlessTaken,
  type HeldMember,
} from "./held-member.ts";
import type { Profile } from "./profile.ts";

/** To the old address; `until` is how long `token` takes the change back. */
export type AddressChangedLetter = {
  member: Pick<Member, "id" | "email" | "firstName">;
  token: string;
  until: Date;
};

type ProofRooms = {
  db: Queries;
  challenges: Challenges;
  subjects: LinkSubjects;
  undo: AddressUndo;
  letters: { addressChanged(letter: AddressChangedLetter, trx: Queries): Promise<void> };
};

const { confirm: purpose } = linkPurposes;
const REGISTERED = { ok: false, reason: "email-registered" } as const;

/** Makes the new address of an account the one that counts, once its owner has shown that they read it. */
export function createAddressProof(
  rooms: ProofRooms,
): Pick<Profile, "confirmEmailByCode" | "findEmailLink" | "confirmEmailByLink"> {
  const { db, challenges, subjects, undo, letters } = rooms;
  return {
    confirmEmailByCode(memberId, code) {
      const work = db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberId, trx);
        if (!held?.pendingEmail) return { ok: false, reason: "expired-code" } as const;
        const subject = subjects.of(held.id, held.pendingEmail);
        const verdict = await challenges.answerCode({ purpose, subject, code }, trx);
        if (verdict !== "right") return { ok: false, reason: codeRefusals[verdict] } as const;
        await move({ held, newEmail: held.pendingEmail }, trx);
        return { ok: true } as const;
      });
      return unlessTaken(work, REGISTERED);
    },

    async findEmailLink(token) {
      const subject = await challenges.peekLink(purpose, token);
      const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
      return subject !== undefined && isWaiting(subject, account) ? { email: account.pendingEmail } : undefined;
    },

    async confirmEmailByLink(token) {
      const subject = await challenges.peekLink(purpose, token);
      if (subject === undefined) return "over";
      const work = db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberIdIn(subject), trx);
        const claimed = await challenges.claimLink(purpose, token, trx);
        if (claimed === undefined || !isWaiting(claimed, held)) return "over" as const;
        await move({ held, newEmail: held.pendingEmail }, trx);
        return "confirmed" as const;
      });
      return unlessTaken(work, "email-registered" as const);
    },
  };

  /** Whether an account waits for the very address that a link is about. */
  function isWaiting(
    subject: string,
    account: HeldMember | undefined,
  ): account is HeldMember & { pendingEmail: string } {
    const email = account?.pendingEmail;
    return account !== undefined && email !== undefined && subjects.isOf(subject, { id: account.id, email });
  }

  async function move({ held, newEmail }: { held: HeldMember; newEmail: string }, trx: Queries): Promise<void> {
    await requireFree(newEmail, { held, trx });
    const link = await undo.makeLink({ held, newEmail }, trx);
    await changeHeld(held, { columns: { ...emailColumns(newEmail), pending_email: null }, trx });
    await letters.addressChanged({ member: held, ...link }, trx);
  }
}
