import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
import { findAccount } from "./held-member.ts";
import { createPasswordAttempts } from "./password-attempts.ts";
import { verifyPassword } from "./password.ts";

/**
 * Asks a member who is logged in for their password again (ASVS 7.5.1). Counted together with guesses at log-in; right or wrong, it
 * takes the same time. `passwordHash` is what was looked at: whatever the proof is for holds only while the account has it still.
 */
export type ProvePassword = (attempt: {
  memberId: number;
  password: string;
  address: string;
}) => Promise<PasswordProof>;

export type PasswordProof = { ok: true; passwordHash: string } | { ok: false; reason: "password-wrong" } | TooMany;

type ProofParts = { db: Queries; clock: Clock; throttle: Throttle; log: Log };

export function createProvePassword({ db, log, ...counting }: ProofParts): ProvePassword {
  const attempts = createPasswordAttempts(counting);
  return async ({ memberId, password, address }) => {
    const account = await findAccount(memberId, db);
    const open = account?.eraseAt === undefined ? account : undefined;
    const guess = { email: account?.email ?? `member ${memberId}`, address };
    const blocked = await attempts.count(guess);
    const refuse = <Refusal extends { reason: string }>(refusal: Refusal): Refusal => {
      log.warn({ member: memberId, reason: refusal.reason }, "a password asked for again was refused");
      return refusal;
    };
    if (blocked) return refuse(blocked);
    const isRight = await verifyPassword(password, open?.passwordHash);
    if (!open || !isRight) return refuse({ ok: false, reason: "password-wrong" } as const);
    await attempts.giveBack(guess);
    return { ok: true, passwordHash: open.passwordHash };
  };
}
