import { CODE_LIFE_IN_MS, type Challenges } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { entryPurposes, linkPurposes, memberIdIn, type LinkSubjects } from "./account-links.ts";
import { changeHeld, findAccount, holdOpenMember } from "./held-member.ts";
import { checkNewPassword } from "./new-password.ts";
import type { PasswordChangedLetter, PasswordReset } from "./password-reset.ts";
import { hashPassword } from "./password.ts";

/** What a reset's code or link is exchanged for: it may set one new password. */
export type ResetGrants = Pick<PasswordReset, "setPassword"> & {
  /** One at a time: the one before is void. */
  start(subject: string, trx: Queries): Promise<string>;
};

type GrantRooms = {
  db: Queries;
  clock: Clock;
  log: Log;
  sessions: Sessions;
  challenges: Challenges;
  subjects: LinkSubjects;
  letters: { passwordChanged(letter: PasswordChangedLetter, trx: Queries): Promise<void> };
  productName: string;
};

const { grant: purpose } = linkPurposes;
const GRANT_OVER = { ok: false, reason: "grant-over" } as const;

export function createResetGrants(rooms: GrantRooms): ResetGrants {
  const { db, clock, log, sessions, challenges, subjects, letters, productName } = rooms;
  return {
    async start(subject, trx) {
      await challenges.void(purpose, subject, trx);
      const started = await challenges.start({ purpose, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
      if (!started.ok) throw new Error("A grant that was void stood in the way of another");
      return started.token;
    },

    async setPassword({ grant, ...wanted }) {
      const subject = await challenges.peekLink(purpose, grant);
      const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
      if (!account) return GRANT_OVER;
      const [refusal] = checkNewPassword(wanted, { ...account, productName });
      if (refusal) return { ok: false, reason: refusal };

      const passwordHash = await hashPassword(wanted.password);
      const isSet = await db.transaction().execute(async (trx) => {
        const held = await holdOpenMember(account.id, trx);
        const claimed = await challenges.claimLink(purpose, grant, trx);
        if (!held || claimed === undefined || !subjects.isOf(claimed, held)) return false;
        await changeHeld(held, { columns: { password_hash: passwordHash, pending_email: null }, trx });
        await sessions.endAll(held.id, trx);
        await challenges.voidAll({ owner: held.id, purposes: entryPurposes }, trx);
        await letters.passwordChanged({ member: held, at: clock() }, trx);
        return true;
      });
      if (!isSet) return GRANT_OVER;
      log.info({ member: account.id }, "a forgotten password was replaced");
      return { ok: true };
    },
  };
}
