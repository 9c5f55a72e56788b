import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";

import { after, MINUTE_IN_MS, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";

/**
 * Proves that a person reads an address: whoever types the code or opens the link that a letter brought there does. A challenge is
 * one code and one link for one purpose and subject; the first that is used right uses up both.
 */
export type Challenges = {
  /** Makes a new code and link; the ones before are void. Refuses within a minute of the one before: of two at once, one wins. */
  start(challenge: NewChallenge, trx?: Queries): Promise<StartResult>;
  /**
   * Counts a try, then looks at the code; spaces and hyphens in it do not matter. In a transaction that is rolled back the try is
   * not counted, so a wrong answer must not end one by throwing.
   */
  answerCode(answer: CodeAnswer, trx?: Queries): Promise<CodeVerdict>;
  /** The same of a code that stays good: one that is right costs no try and uses nothing up. */
  checkCode(answer: CodeAnswer, trx?: Queries): Promise<CodeVerdict>;
  /** Whose link it is; changes nothing, because mail scanners open links too. */
  peekLink(purpose: string, token: string): Promise<string | undefined>;
  /** Whose link it was, once. */
  claimLink(purpose: string, token: string, trx?: Queries): Promise<string | undefined>;
  /** Makes code and link worthless and forgets when they were made. */
  void(purpose: string, subject: string, trx?: Queries): Promise<void>;
  /** The same for all that one owner has of some purposes, or has been given since an instant. */
  voidAll(whose: OwnersChallenges, trx?: Queries): Promise<void>;
  /** When the present code and link were made: a minute later new ones may be asked for. */
  findStart(purpose: string, subject: string): Promise<Date | undefined>;
  /** Forgets what has expired; answers how many. */
  purge(): Promise<number>;
};

/**
 * `subject` is whose it is, in the words of the room that asks: a draft's or a member's number. `code` is one that is known already; else
 * there is a new one.
 */
export type NewChallenge = { purpose: string; subject: string; linkLifeInMs: number; code?: string };

/** `owner` is the number that subjects begin with, before a space. */
export type OwnersChallenges = { owner: number; purposes: readonly string[]; since?: Date | undefined };

export type StartResult =
  | { ok: true; code: string; token: string }
  | { ok: false; reason: "too-soon"; waitInMs: number };

export type CodeAnswer = { purpose: string; subject: string; code: string };

/** `worn-out`: the tries are used up, right or wrong. `none`: nothing was asked, or it has been answered already. */
export type CodeVerdict = "right" | CodeFault;
export type CodeFault = "wrong" | "expired" | "worn-out" | "none";

/** Design, section 3: six digits, ten minutes, five tries. A link lives as long as its purpose says. */
const CODE_LENGTH = 6;
export const CODE_LIFE_IN_MS = 10 * MINUTE_IN_MS;
const MAX_TRIES = 5;
export const RESEND_AFTER_IN_MS = 60 * SECOND_IN_MS;
const TOKEN_BYTES = 24;

type ChallengesParts = { db: Queries; clock: Clock; hash: KeyedHash };

export function createChallenges(parts: ChallengesParts): Challenges {
  const { db, clock, hash } = parts;
  /** Bound to its challenge, so that equal codes of two people do not look equal at rest. */
  const hashCode = ({ purpose, subject, code }: CodeAnswer) =>
    hash(JSON.stringify([purpose, subject, code.replace(/[\s\p{Pd}]/gu, "")]));

  return {
    async start({ purpose, subject, linkLifeInMs, code = makeCode() }, trx = db) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const now = clock();
      const secrets = { code_hash: hashCode({ purpose, subject, code }), token_hash: hash(token) };
      return (await replace(trx, { purpose, subject, secrets, now, linkLifeInMs }))
        ? { ok: true, code, token }
        : { ok: false, reason: "too-soon", waitInMs: await findWait(trx, { purpose, subject, now }) };
    },

    async answerCode(answer, trx = db) {
      const tried = await tryCode(answer, trx);
      if (typeof tried === "string") return tried;
      return (await consume(trx, tried.tokenHash)) ? "right" : "none";
    },

    async checkCode(answer, trx = db) {
      const tried = await tryCode(answer, trx);
      if (typeof tried === "string") return tried;
      await giveBackTry(trx, tried.tokenHash);
      return "right";
    },

    ...createLinks(parts),

    async void(purpose, subject, trx = db) {
      await trx.deleteFrom("challenges").where("purpose", "=", purpose).where("subject", "=", subject).execute();
    },

    voidAll: (whose, trx = db) => voidTheirs(trx, whose),

    async findStart(purpose, subject) {
      const row = await findChallenge(db, { purpose, subject });
      return row && new Date(row.created_at);
    },

    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom("challenges")
        .where("expires_at", "<=", clock().toISOString())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };

  /** Which challenge it is, where the code is right. */
  async function tryCode(answer: CodeAnswer, trx: Queries): Promise<CodeFault | { tokenHash: string }> {
    const { purpose, subject } = answer;
    const now = clock();
    const counted = await countTry(trx, { purpose, subject, now });
    if (!counted) return explainRefusal(trx, { purpose, subject, now });
    return isSame(counted.code_hash, hashCode(answer)) ? { tokenHash: counted.token_hash } : "wrong";
  }
}

function makeCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, "0");
}

function createLinks({ db, clock, hash }: ChallengesParts): Pick<Challenges, "peekLink" | "claimLink"> {
  return {
    async peekLink(purpose, token) {
      const row = await db
        .selectFrom("challenges")
        .select("subject")
        .where("token_hash", "=", hash(token))
        .where("purpose", "=", purpose)
        .where("expires_at", ">", clock().toISOString())
        .executeTakeFirst();
      return row?.subject;
    },

    async claimLink(purpose, token, trx = db) {
      const row = await trx
        .deleteFrom("challenges")
        .where("token_hash", "=", hash(token))
        .where("purpose", "=", purpose)
        .where("expires_at", ">", clock().toISOString())
        .returning("subject")
        .executeTakeFirst();
      return row?.subject;
    },
  };
}

type Whose = { purpose: string; subject: string };

type Asked = Whose & { now: Date };

type Replacement = Asked & { secrets: { code_hash: string; token_hash: string }; linkLifeInMs: number };

/** Puts a new challenge in the place of an old enough one; answers whether it may. */
async function replace(trx: Queries, { purpose, subject, secrets, now, linkLifeInMs }: Replacement): Promise<boolean> {
  const values = {
    ...secrets,
    tries: 0,
    created_at: now.toISOString(),
    code_expires_at: after(now, Math.min(CODE_LIFE_IN_MS, linkLifeInMs)).toISOString(),
    expires_at: after(now, linkLifeInMs).toISOString(),
  };
  const row = await trx
    .insertInto("challenges")
    .values({ purpose, subject, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["purpose", "subject"])
        .doUpdateSet(values)
        .where("challenges.created_at", "<=", after(now, -RESEND_AFTER_IN_MS).toISOString()),
    )
    .returning("purpose")
    .executeTakeFirst();
  return row !== undefined;
}

async function findWait(trx: Queries, { now, ...whose }: Asked): Promise<number> {
  const row = await findChallenge(trx, whose);
  return row ? Date.parse(row.created_at) + RESEND_AFTER_IN_MS - now.getTime() : 0;
}

/** Counted before the code is looked at, so that a hundred guesses at once are a hundred tries. */
function countTry(trx: Queries, { purpose, subject, now }: Asked) {
  return trx
    .updateTable("challenges")
    .set((column) => ({ tries: column("tries", "+", 1) }))
    .where("purpose", "=", purpose)
    .where("subject", "=", subject)
    .where("tries", "<", MAX_TRIES)
    .where("code_expires_at", ">", now.toISOString())
    .returning(["code_hash", "token_hash"])
    .executeTakeFirst();
}

async function giveBackTry(trx: Queries, tokenHash: string): Promise<void> {
  await trx
    .updateTable("challenges")
    .set((column) => ({ tries: column("tries", "-", 1) }))
    .where("token_hash", "=", tokenHash)
    .execute();
}

async function explainRefusal(trx: Queries, { now, ...whose }: Asked): Promise<CodeFault> {
  const row = await findChallenge(trx, whose);
  if (!row) return "none";
  return row.code_expires_at <= now.toISOString() ? "expired" : "worn-out";
}

/** The token's hash names this very challenge, not one that took its place meanwhile. */
async function consume(trx: Queries, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("challenges").where("token_hash", "=", tokenHash).executeTakeFirst();
  return numDeletedRows > 0n;
}

async function voidTheirs(trx: Queries, { owner, purposes, since }: OwnersChallenges): Promise<void> {
  const theirs = trx.deleteFrom("challenges").where("purpose", "in", purposes).where("subject", "like", `${owner} %`);
  await (since ? theirs.where("created_at", ">=", since.toISOString()) : theirs).execute();
}

function findChallenge(trx: Queries, { purpose, subject }: Whose) {
  return trx
    .selectFrom("challenges")
    .select(["created_at", "code_expires_at"])
    .where("purpose", "=", purpose)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

function isSame(hash: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(other));
}
