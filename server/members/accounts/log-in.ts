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

/** Logs a member in by address and password, and limits guessing. */
export type LogIn = (credentials: Credentials) => Promise<LogInResult>;

export type Credentials = Browser & {
  email: string;
  password: string;
  /** The network address the attempt comes from. */
  address: string;
};

/** `unavailable`: so many people log in that this one waited too long, or the provider that knows the passwords gives no answer. */
export type LogInResult =
  | { ok: true; session: StartedSession }
  | { ok: false; reason: "wrong-credentials" | "unavailable" }
  | TooMany;

/**
 * A hundred people may log in at once, and each writes to the database before and after the hash. They take turns, so that pages wait for
 * one of them and not for all; there is always one more to hash the next password.
 */
export const turns = createGate(2 * HASHES_AT_ONCE);
/** The same for hashes from elsewhere, which cost more: those who log in with ours do not wait for them. */
const foreignTurns = createGate(2);
/** A person who waits longer thinks that it is broken. */
const MAX_WAIT_IN_MS = 5 * SECOND_IN_MS;

type LogInContext = Context & Pick<AccountsContext, "sessions" | "rateLimiter">;

/** Each outcome is a line in the log (ASVS 16.3.1): the member by id, never what was typed. */
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

  const session = await sessions.start(found.member.id, browser);
  // A change of the password meanwhile has ended all sessions except the one that started just after it.
  const account = await holdOpenMember(found.member.id, ctx.db);
  if (account?.passwordHash !== found.passwordHash) {
    await sessions.end(session.token);
    return refuseLogIn({ ok: false, reason: "wrong-credentials" } as const, log);
  }
  await giveBackPasswordAttempt(ctx, { email, address });
  log.info({ member: found.member.id }, "a member logged in");
  return { ok: true, session };
}

export function refuseLogIn<Refusal extends { reason: string }>(refusal: Refusal, log: Log): Refusal {
  log.warn({ reason: refusal.reason }, "a log-in was refused");
  return refusal;
}

type FoundByPassword = { member: Member; passwordHash: string };

/**
 * The member with this address and password; takes the same time when there is none. A hash that the member brought from elsewhere is
 * replaced by one of ours.
 */
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
  // Another log-in may have been quicker, or a change of the password.
  if (!(await replaceHash(change, ctx.db))) return findByPassword(ctx, email, password);
  ctx.log.info({ member: found.member.id }, "a password from elsewhere was hashed anew");
  return { member: found.member, passwordHash };
}

/** Whether the hash that this address is compared with is from elsewhere. */
async function hasForeignHash(ctx: Context, email: string): Promise<boolean> {
  const found = await findMemberWithHash(email, ctx.db);
  const hash = found?.passwordHash ?? (await findHashLike(email, ctx));
  return hash !== undefined && isForeignHash(hash);
}

/**
 * The hash of some member, always the same one for an address. An address without a member takes as long as the check of that hash: so of
 * these addresses as many take the time of each form as of members, and the time does not tell them apart.
 */
async function findHashLike(email: string, { db, keyedHash }: Context): Promise<string | undefined> {
  const bytes = Buffer.from(keyedHash("hash like")(toEmailKey(email)), "base64url");
  return findHashAt(bytes.readUInt32BE() / 2 ** 32, db);
}

export type PasswordProof = { ok: true; passwordHash: string } | { ok: false; reason: "password-wrong" } | TooMany;

/**
 * Asks a logged-in member for their password again (ASVS 7.5.1). It shares its limit with log-in; right or wrong, it takes the same
 * time. `passwordHash` is the hash that was compared: the proof holds only while the account still has it.
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
