import type { Challenges } from "../challenges/challenges.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountLimits } from "./account-limits.ts";
import { linkPurposes, type LinkSubjects } from "./account-links.ts";
import type { Member } from "./accounts.ts";
import { changeHeld, findAccount, holdOpenMember, type HeldMember } from "./held-member.ts";
import type { Profile } from "./profile.ts";
import { toEmailKey } from "./rules.ts";

/** A new address waits until whoever wants it has shown that they read it; until then the old one counts. */
export type AddressChange = Pick<Profile, "resendEmailLetter" | "cancelEmailChange"> & {
  /** Notes the wish of a held account, in place of the one before, and writes the letter to the new address. */
  ask(wish: { held: HeldMember; email: string; site: string }, trx: Queries): Promise<void>;
};

export type ConfirmAddressLetter = {
  member: Pick<Member, "id" | "firstName">;
  newEmail: string;
  site: string;
  code: string;
  token: string;
};

type ChangeRooms = {
  db: Queries;
  challenges: Challenges;
  limits: AccountLimits;
  subjects: LinkSubjects;
  letters: { confirmAddress(letter: ConfirmAddressLetter, trx: Queries): Promise<void> };
};

/** As at sign-up: the letter may be opened in the morning. The code in it is good for ten minutes. */
const LINK_LIFE_IN_MS = DAY_IN_MS;
const { confirm } = linkPurposes;

export function createAddressChange(rooms: ChangeRooms): AddressChange {
  const { db, challenges, limits, subjects, letters } = rooms;
  return {
    async ask({ held, email, site }, trx) {
      // Asked for again within a minute, the letter that is on its way still counts.
      const isSame = held.pendingEmail !== undefined && toEmailKey(held.pendingEmail) === toEmailKey(email);
      if (!isSame) await challenges.voidAll({ owner: held.id, purposes: [confirm] }, trx);
      await changeHeld(held, { columns: { pending_email: email }, trx });
      await write({ held, email, site }, trx);
    },

    async resendEmailLetter(memberId, { site }) {
      const pending = (await findAccount(memberId, db))?.pendingEmail;
      if (pending === undefined) return { ok: false, reason: "nothing-pending" };
      const tooMany = (await limits.countNewAddress(memberId)) ?? (await limits.countAddressLetter(pending));
      if (tooMany) return tooMany;
      return db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberId, trx);
        if (!held?.pendingEmail) return { ok: false, reason: "nothing-pending" };
        return write({ held, email: held.pendingEmail, site }, trx);
      });
    },

    cancelEmailChange: (memberId) =>
      db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberId, trx);
        if (!held) return;
        await changeHeld(held, { columns: { pending_email: null }, trx });
        await challenges.voidAll({ owner: held.id, purposes: [confirm] }, trx);
      }),
  };

  async function write({ held, email, site }: { held: HeldMember; email: string; site: string }, trx: Queries) {
    const challenge = { purpose: confirm, subject: subjects.of(held.id, email), linkLifeInMs: LINK_LIFE_IN_MS };
    const started = await challenges.start(challenge, trx);
    if (!started.ok) return started;
    const { code, token } = started;
    await letters.confirmAddress({ member: held, newEmail: email, site, code, token }, trx);
    return { ok: true as const };
  }
}
