import { linkPurposes, createLinkSubjects } from "../accounts/account-links.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { NewPasswordRefusal } from "../accounts/new-password.ts";
import type { PasswordReset } from "../accounts/password-reset.ts";
import { createResetGrants } from "../accounts/reset-grants.ts";
import { toEmailKey } from "../accounts/rules.ts";
import type { CodeRefusal } from "../challenges/code-refusals.ts";
import { CODE_LIFE_IN_MS } from "../challenges/challenges.ts";
import { after } from "../clock.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { TooMany } from "../throttle/count-attempt.ts";

/**
 * A reset whose steps are told nothing of each other but address and code: a code that was right once is right again, for who sets the
 * password with it, for ten minutes and until it is set.
 */
export type ApiReset = {
  checkCode(answer: CodeAnswer): Promise<{ ok: true } | CheckRefusal>;
  setPassword(
    wish: CodeAnswer & { password: string },
  ): Promise<{ ok: true } | CheckRefusal | { ok: false; reason: NewPasswordRefusal }>;
};

type CodeAnswer = { email: string; code: string; address: string };
type CheckRefusal = { ok: false; reason: CodeRefusal } | TooMany;

type ResetRooms = Omit<Parameters<typeof createResetGrants>[0], "subjects"> & {
  accounts: Accounts;
  passwordReset: PasswordReset;
  /** The one that account links are made with. */
  accountHash: KeyedHash;
  hash: KeyedHash;
};

/** Kept as a challenge whose own code and link nobody is told. */
const PROVED = "api-reset";

export function createApiReset(rooms: ResetRooms): ApiReset {
  const { db, clock, accounts, challenges, passwordReset, accountHash, hash } = rooms;
  const subjects = createLinkSubjects(accountHash);
  const grants = createResetGrants({ ...rooms, subjects });

  return {
    async checkCode(answer) {
      if (await isProved(answer)) return { ok: true };
      const checked = await passwordReset.checkCode(answer);
      if (!checked.ok) return checked;
      await noteProof(answer);
      return { ok: true };
    },

    async setPassword({ password, ...answer }) {
      const found = await findGrant(answer);
      if (!found.ok) return found;
      const result = await passwordReset.setPassword({ grant: found.grant, password, confirmation: password });
      if (!result.ok && result.reason !== "grant-over") return { ok: false, reason: result.reason };
      await challenges.void(PROVED, toSubject(answer));
      return result.ok ? result : { ok: false, reason: "expired-code" };
    },
  };

  async function findGrant(answer: CodeAnswer): Promise<{ ok: true; grant: string } | CheckRefusal> {
    if (await isProved(answer)) {
      const subject = await findSubject(answer);
      return { ok: true, grant: await db.transaction().execute((trx) => grants.start(subject, trx)) };
    }
    const checked = await passwordReset.checkCode(answer);
    if (checked.ok) await noteProof(answer);
    return checked;
  }

  /** Only while what the code was exchanged for is there still: a password that was changed meanwhile has ended both. */
  async function isProved(answer: CodeAnswer): Promise<boolean> {
    const provedAt = await challenges.findStart(PROVED, toSubject(answer));
    const grantedAt = await challenges.findStart(linkPurposes.grant, await findSubject(answer));
    return [provedAt, grantedAt].every((at) => at !== undefined && clock() < after(at, CODE_LIFE_IN_MS));
  }

  async function noteProof(answer: CodeAnswer): Promise<void> {
    const subject = toSubject(answer);
    await db.transaction().execute(async (trx) => {
      await challenges.void(PROVED, subject, trx);
      await challenges.start({ purpose: PROVED, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
    });
  }

  async function findSubject({ email }: CodeAnswer): Promise<string> {
    return subjects.of((await accounts.findByEmail(email))?.id, email);
  }

  function toSubject({ email, code }: CodeAnswer): string {
    return hash(JSON.stringify([toEmailKey(email), code.replace(/[\s\p{Pd}]/gu, "")]));
  }
}
