import { SECOND_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { createGate, LateTurnError } from "../../platform/gate.ts";
import type { Log } from "../../platform/log.ts";
import type { Browser, StartedSession } from "../sessions/sessions.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import type { AccountsContext } from "./context.ts";
import { findAccount, findHashAt, findMemberWithHash, holdOpenMember, type Member, replaceHash } from "./members.ts";
import { countPasswordAttempt, giveBackPasswordAttempt } from "./password-attempts.ts";
import { HASHES_AT_ONCE, hashPassword, isForeignHash, isOwnHash, verifyPassword } from "./passwords.ts";
import { toEmailKey } from "../../platform/email-address.ts";

export type LogIn = (credentials: Credentials) => Promise<LogInResult>;

export type Credentials = Browser & {
  email: string;
  password: string;
  address: string;
};

/** `unavailable`: the visitor waited too long behind others, or the provider that has the passwords does not answer. */
export type LogInResult =
  | { ok: true; session: StartedSession; memberId: number }
  | { ok: false; reason: "wrong-credentials" | "unavailable" }
  | TooMany;

/**
 * When a hundred people log in at once they take turns, so that pages wait for one of them only. One more than can be
 * hashed is always ready.
 */
export const turns = createGate(2 * HASHES_AT_ONCE);
/** For hashes of another system, which cost more: other log-ins do not wait for them. */
const foreignTurns = createGate(2);
/** A person who waits longer thinks that it is broken. */
const MAX_WAIT_IN_MS = 5 * SECOND_IN_MS;

type LogInContext = Context & Pick<AccountsContext, "sessions" | "rateLimiter">;

/** Logs each outcome (ASVS 16.3.1) with the member's id, never with typed text. */
export async function logIn(ctx: LogInContext, credentials: Credentials): Promise<LogInResult> {
  try {
    const gate = (await hasForeignHash(ctx, credentials.email)) ? foreignTurns : turns;
    return await gate(() => compare(ctx, credentials), MAX_WAIT_IN_MS);
  } catch (error) {
    if (!(error instanceof LateTurnError)) throw error;
    return refuseLogIn({ ok: false, reason: "unavailable" } as const, ctx.log);
  }
}

async function compare(ctx: LogInContext, { email, password, address, ...browser }: Credentials): Promise<LogInResult> {
  const { sessions, log } = ctx;
  const blocked = await countPasswordAttempt(ctx, { email, address });
  if (blocked) return refuseLogIn(blocked, log);

  const found = await findByPassword(ctx, email, password);
  if (!found) return refuseLogIn({ ok: false, reason: "wrong-credentials" } as const, log);

  const session = await sessions.start(found.member.id, { ...browser, proof: {} });
  // A change of the password meanwhile has ended all sessions but one that started after it.
  const account = await holdOpenMember(found.member.id, ctx.db);
  if (account?.passwordHash !== found.passwordHash) {
    await sessions.end(session.token);
    return refuseLogIn({ ok: false, reason: "wrong-credentials" } as const, log);
  }
  await giveBackPasswordAttempt(ctx, { email, address });
  log.info({ member: found.member.id }, "a member logged in");
  return { ok: true, session, memberId: found.member.id };
}

export function refuseLogIn<Refusal extends { reason: string }>(refusal: Refusal, log: Log): Refusal {
  log.warn({ reason: refusal.reason }, "a log-in was refused");
  return refusal;
}

type FoundByPassword = { member: Member; passwordHash: string };

/** Takes the same time without a member. A hash of another system is replaced by one of ours. */
export async function findByPassword(
  ctx: Context,
  email: string,
  password: string,
): Promise<FoundByPassword | undefined> {
  const like = await findHashLike(email, ctx);
  const found = await findMemberWithHash(email, ctx.db);
  const isRight = await verifyPassword(password, found?.passwordHash, like);
  if (!found || !isRight) return undefined;
  if (isOwnHash(found.passwordHash)) return found;
  const passwordHash = await hashPassword(password);
  const change = { memberId: found.member.id, from: found.passwordHash, to: passwordHash };
  // Another log-in or a change of the password was faster.
  if (!(await replaceHash(change, ctx.db))) return findByPassword(ctx, email, password);
  ctx.log.info({ member: found.member.id }, "a password from elsewhere was hashed anew");
  return { member: found.member, passwordHash };
}

/** Whether another system made the hash that this address is compared with. */
async function hasForeignHash(ctx: Context, email: string): Promise<boolean> {
  const found = await findMemberWithHash(email, ctx.db);
  const hash = found?.passwordHash ?? (await findHashLike(email, ctx));
  return hash !== undefined && isForeignHash(hash);
}

/**
 * Some member's hash, always the same for an address. An address without a member takes as long as checking it, so the
 * times of unknown addresses are distributed as those of members.
 */
async function findHashLike(email: string, { db, keyedHash }: Context): Promise<string | undefined> {
  const bytes = Buffer.from(keyedHash("hash like")(toEmailKey(email)), "base64url");
  return findHashAt(bytes.readUInt32BE() / 2 ** 32, db);
}

export type PasswordProof = { ok: true; passwordHash: string } | { ok: false; reason: "password-wrong" } | TooMany;

/**
 * Asks a logged-in member for their password (ASVS 7.5.1), within the limits of log-in and in constant time. The proof
 * holds only while the account still has the compared `passwordHash`.
 */
export async function provePassword(
  ctx: LogInContext,
  { memberId, password, address }: { memberId: number; password: string; address: string },
): Promise<PasswordProof> {
  const account = await findAccount(memberId, ctx.db);
  const open = account?.eraseAt === undefined ? account : undefined;
  const guess = { email: account?.email ?? `member ${memberId}`, address };
  const blocked = await countPasswordAttempt(ctx, guess);
  const refuse = <Refusal extends { reason: string }>(refusal: Refusal): Refusal => {
    ctx.log.warn({ member: memberId, reason: refusal.reason }, "the password of a member who is logged in was refused");
    return refusal;
  };
  if (blocked) return refuse(blocked);
  const isRight = await verifyPassword(password, open?.passwordHash);
  if (!open || !isRight) return refuse({ ok: false, reason: "password-wrong" } as const);
  await giveBackPasswordAttempt(ctx, guess);
  return { ok: true, passwordHash: open.passwordHash };
}
