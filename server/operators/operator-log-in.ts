import { verifyPassword } from "../accounts/passwords.ts";
import { toEmailKey } from "../accounts/rules.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import { toNetwork, type TooMany } from "../rate-limit/rate-limit.ts";
import { type Operator, operatorRows, type OperatorsContext, toOperator } from "./context.ts";
import { type StartedOperatorSession, startOperatorSession } from "./operator-sessions.ts";
import { claimCode } from "./one-time-codes.ts";
import { type PasskeyAnswer, provePasskey } from "./passkeys.ts";

/** How an operator logs in: by password and one-time code together, or by a passkey, which is both. */
export type OperatorCredentials = {
  email: string;
  password: string;
  /** A code of their app, or a recovery code. */
  code: string;
  /** The network address the attempt comes from. */
  address: string;
  userAgent?: string | undefined;
};

export type PasskeyLogIn = PasskeyAnswer & { address: string; userAgent?: string | undefined };

/** A refusal never says which of the three was wrong. */
export type OperatorLogIn =
  | { ok: true; operator: Operator; session: StartedOperatorSession }
  | { ok: false; reason: "wrong-credentials" }
  | TooMany;

const limits = {
  /** From one network, for all operators. */
  network: { attempts: 20, windowInMs: 15 * MINUTE_IN_MS },
  /** For one operator, from all networks: a code has only a million values. */
  operator: { attempts: 10, windowInMs: 15 * MINUTE_IN_MS },
};

/** Counts before anything is compared, so that a hundred tries at once are a hundred tries. */
export async function countLogIn(
  { rateLimiter }: Pick<OperatorsContext, "rateLimiter">,
  { address, name }: { address: string; name: string },
): Promise<TooMany | undefined> {
  return (
    (await rateLimiter.count(`desk log-in network ${toNetwork(address)}`, limits.network)) ??
    (await rateLimiter.count(`desk log-in operator ${name}`, limits.operator))
  );
}

/** Compares a password even for an unknown address, and uses the code up only after a right password. */
export async function logInByPassword(ctx: OperatorsContext, credentials: OperatorCredentials): Promise<OperatorLogIn> {
  const { email, password, code, address, userAgent } = credentials;
  const blocked = await countLogIn(ctx, { address, name: toEmailKey(email) });
  if (blocked) return refuse(ctx, blocked);
  const row = await operatorRows(ctx.db).where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
  const isRight = await verifyPassword(password, row?.passwordHash ?? undefined);
  if (!row || !isRight || !(await claimCode(ctx, row.id, code))) {
    return refuse(ctx, { ok: false, reason: "wrong-credentials" });
  }
  return start(ctx, toOperator(row), { by: "password", userAgent });
}

/** An operator's password once more, from the network address of the request. */
export type PasswordProof = { operator: Operator; password: string; address: string };

export type PasswordProofResult = { ok: true } | Refused;

/**
 * Asks for the password of an operator who is logged in, before their ways to log in change: a session that was left open is not
 * enough for that (ASVS 7.5.1). Tries count as those of a log-in.
 */
export async function provePassword(
  ctx: OperatorsContext,
  { operator, password, address }: PasswordProof,
): Promise<PasswordProofResult> {
  const blocked = await countLogIn(ctx, { address, name: toEmailKey(operator.email) });
  if (blocked) return refuse(ctx, blocked);
  const row = await operatorRows(ctx.db).where("id", "=", operator.id).executeTakeFirst();
  const isRight = await verifyPassword(password, row?.passwordHash ?? undefined);
  return isRight ? { ok: true } : refuse(ctx, { ok: false, reason: "wrong-credentials" });
}

export async function logInByPasskey(
  ctx: OperatorsContext,
  { address, userAgent, ...answer }: PasskeyLogIn,
): Promise<OperatorLogIn> {
  const blocked = await countLogIn(ctx, { address, name: `passkey of ${toNetwork(address)}` });
  if (blocked) return refuse(ctx, blocked);
  const operator = await provePasskey(ctx, answer);
  if (!operator?.isActive) return refuse(ctx, { ok: false, reason: "wrong-credentials" });
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

/** Each refusal is a line in the log (ASVS 16.3.1), never what was typed. */
function refuse({ log }: OperatorsContext, refusal: Refused): Refused {
  log.warn({ reason: refusal.reason }, "a log-in at the desk was refused");
  return refusal;
}
