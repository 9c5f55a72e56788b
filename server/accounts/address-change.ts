import type { Challenges } from "../challenges/challenges.ts";
import { DAY_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountLimits } from "./account-limits.ts";
import { linkPurposes, memberIdIn, type LinkSubjects } from "./account-links.ts";
import type { Member } from "./accounts.ts";
import type { AddressUndo } from "./address-undo.ts";
import { codeRefusals } from "./code-refusals.ts";
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
import { toEmailKey } from "./rules.ts";

/** A new address waits until whoever wants it has shown that they read it; until then the old one counts. */
export type AddressChange = Pick<
  Profile,
  "confirmEmailByCode" | "findEmailLink" | "confirmEmailByLink" | "resendEmailLetter" | "cancelEmailChange"
> & {
  /** Notes the wish of a held account, in place of the one before, and writes the letter to the new address. */
  ask(wish: { held: HeldMember; email: string; site: string }, trx: Queries): Promise<void>;
};

type Recipient = Pick<Member, "id" | "email" | "firstName">;

export type ConfirmAddressLetter = { member: Recipient; newEmail: string; site: string; code: string; token: string };

/** To the old address; `until` is how long `token` takes the change back. */
export type AddressChangedLetter = { member: Recipient; token: string; until: Date };

export type AddressLetters = {
  confirmAddress(letter: ConfirmAddressLetter, trx: Queries): Promise<void>;
  addressChanged(letter: AddressChangedLetter, trx: Queries): Promise<void>;
};

type ChangeRooms = {
  db: Queries;
  challenges: Challenges;
  limits: AccountLimits;
  subjects: LinkSubjects;
  makeUndoLink: AddressUndo["makeLink"];
  letters: AddressLetters;
};

/** As at sign-up: the letter may be opened in the morning. The code in it is good for ten minutes. */
const LINK_LIFE_IN_MS = DAY_IN_MS;
const { confirm } = linkPurposes;
const REGISTERED = { ok: false, reason: "email-registered" } as const;

export function createAddressChange(rooms: ChangeRooms): AddressChange {
  const { db, challenges, limits, subjects, makeUndoLink, letters } = rooms;
  return {
    async ask({ held, email, site }, trx) {
      // Asked for again within a minute, the letter that is on its way still counts.
      const isSame = held.pendingEmail !== undefined && toEmailKey(held.pendingEmail) === toEmailKey(email);
      if (!isSame) await challenges.voidAll({ owner: held.id, purposes: [confirm] }, trx);
      await changeHeld(held, { columns: { pending_email: email }, trx });
      await write({ held, email, site }, trx);
    },

    confirmEmailByCode(memberId, code) {
      const work = db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberId, trx);
        if (!held?.pendingEmail) return { ok: false, reason: "expired-code" } as const;
        const subject = subjects.of(held.id, held.pendingEmail);
        const verdict = await challenges.answerCode({ purpose: confirm, subject, code }, trx);
        if (verdict !== "right") return { ok: false, reason: codeRefusals[verdict] } as const;
        await move({ held, newEmail: held.pendingEmail }, trx);
        return { ok: true } as const;
      });
      return unlessTaken(work, REGISTERED);
    },

    async findEmailLink(token) {
      const subject = await challenges.peekLink(confirm, token);
      const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
      return subject !== undefined && isWaiting(subject, account) ? { email: account.pendingEmail } : undefined;
    },

    async confirmEmailByLink(token) {
      const subject = await challenges.peekLink(confirm, token);
      if (subject === undefined) return "over";
      const work = db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(memberIdIn(subject), trx);
        const claimed = await challenges.claimLink(confirm, token, trx);
        if (claimed === undefined || !isWaiting(claimed, held)) return "over" as const;
        await move({ held, newEmail: held.pendingEmail }, trx);
        return "confirmed" as const;
      });
      return unlessTaken(work, "email-registered" as const);
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
    const link = await makeUndoLink({ held, newEmail }, trx);
    await changeHeld(held, { columns: { ...emailColumns(newEmail), pending_email: null }, trx });
    await letters.addressChanged({ member: held, ...link }, trx);
  }
}
