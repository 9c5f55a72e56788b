import { linkPurposes, subjectOf } from "../accounts/account-links.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { holdMember } from "../accounts/members.ts";
import { startGrant, type PasswordReset } from "../accounts/password-reset.ts";
import type { NewPasswordRefusal } from "../accounts/passwords.ts";
import { CODE_LIFE_IN_MS, type Challenges, type CodeRefusal } from "../challenges/challenges.ts";
import type { Context } from "../context.ts";
import type { Queries } from "../database/database.ts";
import type { TooMany } from "../rate-limit/rate-limit.ts";

/**
 * A reset whose steps are told nothing of each other but address and code: a code that was right once is right again, for who sets the
 * password with it, for ten minutes, until it is set or until five others were tried. Every answer is counted before it is looked at.
 */
export type ApiReset = {
  checkCode(answer: CodeAnswer): Promise<{ ok: true } | CheckRefusal>;
  setPassword(
    wish: CodeAnswer & { password: string },
  ): Promise<{ ok: true } | CheckRefusal | { ok: false; reason: NewPasswordRefusal }>;
};

type CodeAnswer = { email: string; code: string; address: string };
type Proof = { purpose: string; subject: string; code: string; grant: string };
type CheckRefusal = { ok: false; reason: CodeRefusal } | TooMany;

type ResetRooms = Context & { accounts: Accounts; challenges: Challenges; passwordReset: PasswordReset };

/** A challenge of the code that was right, with a link that nobody is told; it ends with whatever else lets somebody in. */
const { proof } = linkPurposes;

export function createApiReset(rooms: ResetRooms): ApiReset {
  const { db, accounts, challenges, passwordReset } = rooms;

  return {
    async checkCode(answer) {
      const found = await findGrant(answer);
      return found.ok ? { ok: true } : found;
    },

    async setPassword({ password, ...answer }) {
      const found = await findGrant(answer);
      if (!found.ok) return found;
      const result = await passwordReset.setPassword({ grant: found.grant, password, confirmation: password });
      if (result.ok) return result;
      return { ok: false, reason: result.reason === "grant-over" ? "expired-code" : result.reason };
    },
  };

  /** Asked as if the code came for the first time, so that one that comes again is counted too. */
  async function findGrant(answer: CodeAnswer): Promise<{ ok: true; grant: string } | CheckRefusal> {
    const checked = await passwordReset.checkCode(answer);
    if (!checked.ok && checked.reason === "too-many-attempts") return checked;
    const member = await accounts.findByEmail(answer.email);
    const asked = { purpose: proof, subject: subjectOf(rooms, member?.id, answer.email), code: answer.code };
    return db.transaction().execute(async (trx) => {
      await holdMember(member?.id ?? 0, trx);
      if (checked.ok) await noteProof({ ...asked, grant: checked.grant }, trx);
      const isRight = (await challenges.checkCode(asked, trx)) === "right";
      if (isRight) return { ok: true, grant: await startGrant(rooms, asked.subject, trx) };
      return checked.ok ? { ok: false, reason: "expired-code" } : checked;
    });
  }

  /** Only for a grant that is there still: a password that was changed meanwhile has ended it. */
  async function noteProof({ grant, ...known }: Proof, trx: Queries): Promise<void> {
    if ((await challenges.claimLink(linkPurposes.grant, grant, trx)) === undefined) return;
    await challenges.void(known.purpose, known.subject, trx);
    await challenges.start({ ...known, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
  }
}
