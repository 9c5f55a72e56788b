import type { Challenges } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { entryPurposes } from "./account-links.ts";
import { changeHeld, findAccount, holdOpenMember } from "./held-member.ts";
import { checkNewPassword } from "./new-password.ts";
import type { ProvePassword } from "./password-proof.ts";
import type { PasswordChangedLetter } from "./password-reset.ts";
import { hashPassword } from "./password.ts";
import type { ChangePasswordResult, Profile } from "./profile.ts";

type ChangeRooms = {
  db: Queries;
  clock: Clock;
  log: Log;
  sessions: Sessions;
  challenges: Challenges;
  prove: ProvePassword;
  letters: { passwordChanged(letter: PasswordChangedLetter, trx: Queries): Promise<void> };
  productName: string;
};

type Refusals = Extract<ChangePasswordResult, { reason: "refused" }>["refusals"];

/** The function behind `Profile.changePassword`. */
export function createChangePassword(rooms: ChangeRooms): Profile["changePassword"] {
  const { db, clock, log, sessions, challenges, prove, letters, productName } = rooms;

  return async ({ memberId, oldPassword, keptToken, address, ...wanted }) => {
    const proof = await prove({ memberId, password: oldPassword, address });
    if (!proof.ok && proof.reason === "too-many-attempts") return proof;
    const account = await findAccount(memberId, db);
    const refusals: Refusals = account ? checkNewPassword(wanted, { ...account, productName }) : [];
    if (!proof.ok) return refuse("old-password-wrong", ...refusals);
    if (refusals.length > 0) return refuse(...refusals);

    const passwordHash = await hashPassword(wanted.password);
    const result = await db.transaction().execute(async (trx): Promise<ChangePasswordResult> => {
      const held = await holdOpenMember(memberId, trx);
      // Changed in another tab in the meantime, it is the old one no more.
      if (held?.passwordHash !== proof.passwordHash) return refuse("old-password-wrong");
      await changeHeld(held, { columns: { password_hash: passwordHash, pending_email: null }, trx });
      await sessions.endOthers(memberId, keptToken ?? "", trx);
      await challenges.voidAll({ owner: memberId, purposes: entryPurposes }, trx);
      await letters.passwordChanged({ member: held, at: clock() }, trx);
      return { ok: true };
    });
    if (result.ok) log.info({ member: memberId }, "a password was changed");
    return result;
  };
}

function refuse(...refusals: Refusals): ChangePasswordResult {
  return { ok: false, reason: "refused", refusals };
}
