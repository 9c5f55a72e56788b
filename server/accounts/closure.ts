import type { Challenges } from "../challenges/challenges.ts";
import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
import { createLinkSubjects, entryPurposes, linkPurposes, TAKE_BACK_DAYS } from "./account-links.ts";
import type { Member, Person } from "./accounts.ts";
import { listDue, toPerson, type ClosedAccount } from "./due-erasures.ts";
import { changeHeld, emailColumns, holdMember, type HeldMember } from "./held-member.ts";
import { createProvePassword } from "./password-proof.ts";
import { createReopening } from "./reopening.ts";

/** How a member leaves: closed at once, erased two weeks later, and until then as if nothing had been if they think better of it. */
export type Closure = {
  /**
   * Closes now: sessions end, the address is free for somebody else; erased by a task after 14 days. A letter brings a link that
   * takes it back until then. What was paid for stays until it is erased, a seat at a company's code too.
   */
  close(wish: {
    memberId: number;
    password: string;
    address: string;
    site: string;
  }): Promise<{ ok: true; eraseAt: Date } | { ok: false; reason: "password-wrong" } | TooMany>;
  /** What the page behind that link may show before its button is pressed. */
  findReopening(token: string): Promise<{ email: string } | undefined>;
  /** Opens it again, with the password it had. `email-taken` leaves the link as it was. */
  reopen(token: string): Promise<"reopened" | "email-taken" | "over">;
  /** For the task list: erases what is due and writes the last letter; answers how many. Who has money on its way waits. */
  eraseDue(): Promise<number>;
};

type Recipient = Pick<Member, "id" | "email" | "firstName">;

export type AccountClosedLetter = { member: Recipient; site: string; token: string; eraseAt: Date };

export type AccountErasedLetter = { member: Recipient };

type ClosureRooms = {
  db: Queries;
  clock: Clock;
  sessions: Sessions;
  challenges: Challenges;
  throttle: Throttle;
  hash: KeyedHash;
  letters: {
    accountClosed(letter: AccountClosedLetter, trx: Queries): Promise<void>;
    accountErased(letter: AccountErasedLetter, trx: Queries): Promise<void>;
  };
  personalData: {
    eraseClosed(
      person: Person,
      closure: { dueBy: Date; sayFarewell: (trx: Queries) => Promise<void> },
    ): Promise<{ ok: boolean }>;
  };
  log: Log;
};

const GRACE_IN_MS = TAKE_BACK_DAYS * DAY_IN_MS;
const ERASED_AT_ONCE = 100;
const { reopen } = linkPurposes;

export function createClosure(rooms: ClosureRooms): Closure {
  const { db, clock, sessions, challenges, letters, personalData, log } = rooms;
  const prove = createProvePassword(rooms);
  const subjects = createLinkSubjects(rooms.hash);

  return {
    ...createReopening({ db, challenges }),

    async close({ memberId, password, address, site }) {
      const proof = await prove({ memberId, password, address });
      if (!proof.ok) return proof;
      return db.transaction().execute(async (trx) => {
        const held = await holdMember(memberId, trx);
        if (held?.passwordHash !== proof.passwordHash) return { ok: false, reason: "password-wrong" };
        // Pressed twice: the second press finds it done.
        return { ok: true, eraseAt: held.eraseAt ?? (await shut(held, { site, trx })) };
      });
    },

    async eraseDue() {
      const dueBy = clock();
      let count = 0;
      for (const account of await listDue({ dueBy, limit: ERASED_AT_ONCE }, db)) {
        try {
          if (await erase(account, dueBy)) count += 1;
          else log.warn({ member: account.id }, "a closed account could not be erased yet");
        } catch (error) {
          log.error({ member: account.id, error }, "a closed account could not be erased");
        }
      }
      return count;
    },
  };

  async function shut(held: HeldMember, { site, trx }: { site: string; trx: Queries }): Promise<Date> {
    const eraseAt = after(clock(), GRACE_IN_MS);
    const closed = { closed_email: held.email, pending_email: null, erase_at: eraseAt.toISOString() };
    await changeHeld(held, { columns: { ...emailColumns(tombstoneOf(held.id)), ...closed }, trx });
    await sessions.endAll(held.id, trx);
    await challenges.voidAll({ owner: held.id, purposes: entryPurposes }, trx);
    const challenge = { purpose: reopen, subject: subjects.of(held.id, held.email), linkLifeInMs: GRACE_IN_MS };
    // One from an earlier closing is worthless: the account was opened since.
    await challenges.void(reopen, challenge.subject, trx);
    const started = await challenges.start(challenge, trx);
    if (!started.ok) throw new Error("A link that was void stood in the way of another");
    await letters.accountClosed({ member: held, site, token: started.token, eraseAt }, trx);
    return eraseAt;
  }

  async function erase(account: ClosedAccount, dueBy: Date): Promise<boolean> {
    const person = await toPerson(account, db);
    const member = { ...account, email: account.closedEmail };
    const sayFarewell = (trx: Queries) => letters.accountErased({ member }, trx);
    return (await personalData.eraseClosed(person, { dueBy, sayFarewell })).ok;
  }
}

/** Stands where the address was, so that the address is free. Nobody can read it, so nobody can prove it is theirs (RFC 2606). */
function tombstoneOf(memberId: number): string {
  return `closed-${memberId}@closed.invalid`;
}
