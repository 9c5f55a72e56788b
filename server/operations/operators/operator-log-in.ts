import { countPasswordAttempt, giveBackPasswordAttempt } from "../../members/accounts/password-attempts.ts";
import { verifyPassword } from "../../members/accounts/passwords.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { toEmailKey } from "../../platform/email-address.ts";
import { toNetwork, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type Operator, operatorRows, type OperatorsContext, toOperator } from "./context.ts";
import { type StartedOperatorSession, startOperatorSession } from "./operator-sessions.ts";
import { claimCode, isRecoveryCode } from "./one-time-codes.ts";
import type { PasskeyAnswer } from "../../platform/passkeys/passkeys.ts";
import { provePasskey } from "./passkeys.ts";

/** By password and one-time code together, or by a passkey, which is both. */
export type OperatorCredentials = {
  email: string;
  password: string;
  code: string;
  address: string;
  userAgent?: string | undefined;
};

export type PasskeyLogIn = PasskeyAnswer & { address: string; userAgent?: string | undefined };

/** A refusal never reveals which of the three was wrong. */
export type OperatorLogIn =
  | { ok: true; operator: Operator; session: StartedOperatorSession }
  | { ok: false; reason: "wrong-credentials" }
  | TooMany;

/** Tries that a thief of the password has, from all networks: a code has only a million values. */
const CODES = { attempts: 50, windowInMs: HOUR_IN_MS };
/** A network is trusted for thirty days after a complete log-in. */
const USUAL = { attempts: 1, windowInMs: 30 * DAY_IN_MS };
const PASSWORDS_AGAIN = { attempts: 10, windowInMs: 15 * MINUTE_IN_MS };
/** Wrong passkey answers of one network. A right one is never refused. */
const WRONG_PASSKEYS = { attempts: 20, windowInMs: 15 * MINUTE_IN_MS };

/**
 * Compares a password even for an unknown address, and uses the code up only after a right password. Tries with a real
 * recovery code have their own counts, so strangers cannot block this way in.
 */
export async function logInByPassword(ctx: OperatorsContext, credentials: OperatorCredentials): Promise<OperatorLogIn> {
  const { email, password, code, address, userAgent } = credentials;
  const row = await operatorRows(ctx.db).where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
  const isRecovery = row !== undefined && (await isRecoveryCode(ctx, row.id, code));
  const guess = { email, address, name: isRecovery ? "desk recovery" : "desk log-in" } as const;
  const blocked = await countPasswordAttempt(ctx, guess);
  if (blocked) return refuse(ctx, blocked);
  const isRight = await verifyPassword(password, row?.passwordHash ?? undefined);
  const isIn =
    row && isRight && (isRecovery ? await claimCode(ctx, row.id, code) : await tryCode(ctx, row.id, credentials));
  if (!isIn) return refuse(ctx, { ok: false, reason: "wrong-credentials" });
  await giveBackPasswordAttempt(ctx, guess);
  return start(ctx, toOperator(row), { by: "password", userAgent });
}

/**
 * Counts by operator, so that many networks do not help a thief of the password; on a network of a recent log-in only
 * the count of the pair holds. Past the limit a right code counts as wrong: another answer would reveal that the
 * password was right.
 */
async function tryCode(ctx: OperatorsContext, operatorId: number, typed: { code: string; address: string }) {
  const { rateLimiter, log } = ctx;
  const key = `desk codes of ${operatorId}`;
  const usual = `desk usual network ${operatorId} ${toNetwork(typed.address)}`;
  const isSpent = (await rateLimiter.count(key, CODES)) !== undefined;
  if (isSpent && !(await rateLimiter.isSpent(usual, USUAL))) {
    log.warn({ operator: operatorId }, "many wrong codes came with the right password of an operator");
    return false;
  }
  const isRight = await claimCode(ctx, operatorId, typed.code);
  if (!isRight) return false;
  await rateLimiter.giveBack(key);
  await rateLimiter.take(usual, USUAL.windowInMs);
  return true;
}

/** `address`: the request's network address. */
export type PasswordProof = { operator: Operator; password: string; address: string };

export type PasswordProofResult = { ok: true } | Refused;

/**
 * Asks a logged-in operator for the password before their ways to log in change: an open session is not enough (ASVS
 * 7.5.1). Only an open session can use up these tries, so those of a log-in do not count.
 */
export async function provePassword(
  ctx: OperatorsContext,
  { operator, password, address }: PasswordProof,
): Promise<PasswordProofResult> {
  const key = `desk password again ${operator.id} ${toNetwork(address)}`;
  const blocked = await ctx.rateLimiter.count(key, PASSWORDS_AGAIN);
  if (blocked) return refuse(ctx, blocked);
  const row = await operatorRows(ctx.db).where("id", "=", operator.id).executeTakeFirst();
  const isRight = await verifyPassword(password, row?.passwordHash ?? undefined);
  if (!isRight) return refuse(ctx, { ok: false, reason: "wrong-credentials" });
  await ctx.rateLimiter.giveBack(key);
  return { ok: true };
}

export async function logInByPasskey(
  ctx: OperatorsContext,
  { address, userAgent, ...answer }: PasskeyLogIn,
): Promise<OperatorLogIn> {
  const operator = await provePasskey(ctx, answer);
  if (!operator?.isActive) {
    const blocked = await ctx.rateLimiter.count(`desk passkeys ${toNetwork(address)}`, WRONG_PASSKEYS);
    return refuse(ctx, blocked ?? { ok: false, reason: "wrong-credentials" });
  }
  return start(ctx, operator, { by: "passkey", userAgent });
}

async function start(
  ctx: OperatorsContext,
  operator: Operator,
  { by, userAgent }: { by: string; userAgent: string | undefined },
): Promise<OperatorLogIn> {
  const session = await ctx.db.transaction().execute(async (trx) => {
    await ctx.audit.record({ operator: operator.email, action: "desk log-in", facts: { by } }, trx);
    return startOperatorSession({ ...ctx, db: trx }, { operatorId: operator.id, userAgent });
  });
  ctx.log.info({ operator: operator.id }, "an operator logged in");
  return { ok: true, operator, session };
}

type Refused = Extract<OperatorLogIn, { ok: false }>;

/** Logs each refusal (ASVS 16.3.1), never typed text. */
function refuse({ log }: OperatorsContext, refusal: Refused): Refused {
  log.warn({ reason: refusal.reason }, "a log-in at the desk was refused");
  return refusal;
}
