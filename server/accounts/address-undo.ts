import { randomBytes } from "node:crypto";
import { z } from "zod";

import type { Challenges } from "../challenges/challenges.ts";
import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Seal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { entryPurposes, linkPurposes, memberIdIn, TAKE_BACK_DAYS, type LinkSubjects } from "./account-links.ts";
import { changeHeld, emailColumns, holdMember, requireFree, unlessTaken, type HeldMember } from "./held-member.ts";
import { hashPassword } from "./password.ts";
import type { Profile } from "./profile.ts";

/** Takes back a new address from the old one's inbox: whoever is logged in may not be the owner. */
export type AddressUndo = Pick<Profile, "findUndo" | "undoEmail"> & {
  /** The token of a link that gives a held account back the address it is about to lose, and until when it does. */
  makeLink(change: { held: HeldMember; newEmail: string }, trx: Queries): Promise<{ token: string; until: Date }>;
};

type UndoRooms = {
  db: Queries;
  clock: Clock;
  challenges: Challenges;
  sessions: Sessions;
  seal: Seal;
  subjects: LinkSubjects;
};

/** What the link brings along, because the house forgets it: the address, and when it was left. */
const leftAddress = z.object({ email: z.string(), leftAt: z.string() });

const LIFE_IN_MS = TAKE_BACK_DAYS * DAY_IN_MS;
const SECRET_BYTES = 32;

export function createAddressUndo({ db, clock, challenges, sessions, seal, subjects }: UndoRooms): AddressUndo {
  return {
    async makeLink({ held, newEmail }, trx) {
      const now = clock();
      // Back at an address there is nothing to be taken back to it.
      await challenges.void(linkPurposes.undo, subjects.of(held.id, newEmail), trx);
      const subject = subjects.of(held.id, held.email);
      const challenge = { purpose: linkPurposes.undo, subject, linkLifeInMs: LIFE_IN_MS };
      const started = await challenges.start(challenge, trx);
      if (!started.ok) throw new Error("An address was left that was left before");
      const left = seal.seal(JSON.stringify({ email: held.email, leftAt: now.toISOString() }));
      return { token: `${started.token}.${left}`, until: after(now, LIFE_IN_MS) };
    },

    async findUndo(token) {
      const link = await read(token);
      return link && { email: link.email };
    },

    async undoEmail(token) {
      const link = await read(token);
      if (!link) return "over";
      // Nobody knows it, so whoever changed the address cannot come back with the old one: the owner asks for a new one by mail.
      const passwordHash = await hashPassword(randomBytes(SECRET_BYTES).toString("base64url"));
      const work = db.transaction().execute(async (trx) => {
        const held = await holdMember(memberIdIn(link.subject), trx);
        if (!held || !(await challenges.claimLink(linkPurposes.undo, link.secret, trx))) return "over" as const;
        await giveBack(held, { ...link, passwordHash, trx });
        return "undone" as const;
      });
      return unlessTaken(work, "email-registered" as const);
    },
  };

  async function read(token: string) {
    const [secret = "", left = ""] = token.split(".");
    const opened = seal.open(left);
    if (opened === undefined) return undefined;
    const { email, leftAt } = leftAddress.parse(JSON.parse(opened));
    const subject = await challenges.peekLink(linkPurposes.undo, secret);
    if (subject === undefined || !subjects.isOf(subject, { id: memberIdIn(subject), email })) return undefined;
    return { secret, subject, email, leftAt: new Date(leftAt) };
  }

  /** A closed account too: who could give it another address could close it. */
  async function giveBack(
    held: HeldMember,
    { email, leftAt, passwordHash, trx }: { email: string; leftAt: Date; passwordHash: string; trx: Queries },
  ): Promise<void> {
    await requireFree(email, { held, trx });
    const open = { pending_email: null, closed_email: null, erase_at: null };
    await changeHeld(held, { columns: { ...emailColumns(email), ...open, password_hash: passwordHash }, trx });
    await sessions.endAll(held.id, trx);
    await challenges.voidAll({ owner: held.id, purposes: [...entryPurposes, linkPurposes.reopen] }, trx);
    // Links to addresses that came after this one: they are not the owner's, and would lead away from here again.
    await challenges.voidAll({ owner: held.id, purposes: [linkPurposes.undo], since: leftAt }, trx);
  }
}
