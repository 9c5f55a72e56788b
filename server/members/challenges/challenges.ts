import { randomBytes, randomInt } from "node:crypto";

import { after, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { countChanged, hasChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { isSameSecret } from "../../platform/seal.ts";
import { tidyDigits } from "../../platform/text.ts";

/**
 * Proves that a person reads an address's email, which has one code and one link for a purpose and subject. The first
 * correct use of either uses up both.
 */
export type Challenges = ReturnType<typeof createChallenges>;

/** `subject`: the owner as the caller writes it, a draft's or a member's id. Without `code` a new one is made. */
export type NewChallenge = { purpose: string; subject: string; linkLifeInMs: number; code?: string };

/** `owner` is the id that subjects begin with, before a space. */
export type OwnersChallenges = { owner: number; purposes: readonly string[]; since?: Date | undefined };

export type OpenChallenge = { purpose: string; startedAt: Date; expiresAt: Date; wrongCodes: number };

export type StartResult =
  | { ok: true; code: string; token: string }
  | { ok: false; reason: "too-soon"; waitInMs: number };

export type CodeAnswer = { purpose: string; subject: string; code: string };

/** `worn-out`: no tries are left, whatever the code. `none`: no challenge, or it was answered already. */
export type CodeVerdict = "right" | CodeFault;
export type CodeFault = "wrong" | "expired" | "worn-out" | "none";

/** docs/behaviour.md, Codes in emails. Each purpose sets the life of its link. */
const CODE_LENGTH = 6;
export const CODE_LIFE_IN_MS = 10 * MINUTE_IN_MS;
const MAX_TRIES = 5;
export const RESEND_AFTER_IN_MS = 60 * SECOND_IN_MS;
const TOKEN_BYTES = 24;

/** The reason that a person sees. A code that was never sent, or is used up, counts as expired. */
export type CodeRefusal = "wrong-code" | "expired-code" | "too-many-tries";

export const codeRefusals: Record<CodeFault, CodeRefusal> = {
  wrong: "wrong-code",
  expired: "expired-code",
  none: "expired-code",
  "worn-out": "too-many-tries",
};

export function createChallenges(ctx: Context) {
  const { db, clock } = ctx;
  return {
    /**
     * Makes a code and a link, and voids the earlier ones. Refuses within a minute of the last; of two at once, one
     * wins.
     */
    start: (challenge: NewChallenge, trx: Queries = db) => startChallenge(ctx, challenge, trx),

    /** As `start`, however young the earlier ones are; returns the link's token. */
    async restart(challenge: NewChallenge, trx: Queries): Promise<string> {
      await voidOne(trx, challenge);
      const started = await startChallenge(ctx, challenge, trx);
      if (!started.ok) throw new Error("A challenge that was void stood in the way of another");
      return started.token;
    },

    /** Counts a try, then compares the code. A rollback loses the count, so a wrong answer must not throw. */
    async answerCode(answer: CodeAnswer, trx: Queries = db): Promise<CodeVerdict> {
      const tried = await tryCode(ctx, answer, trx);
      if (typeof tried === "string") return tried;
      return (await consume(trx, tried.tokenHash)) ? "right" : "none";
    },

    /** For a code that stays valid: a right one costs no try and is not used up. */
    async checkCode(answer: CodeAnswer, trx: Queries = db): Promise<CodeVerdict> {
      const tried = await tryCode(ctx, answer, trx);
      if (typeof tried === "string") return tried;
      await giveBackTry(trx, tried.tokenHash);
      return "right";
    },

    /** The subject of a link; changes nothing, because mail scanners open links too. */
    async peekLink(purpose: string, token: string): Promise<string | undefined> {
      const row = await db
        .selectFrom("challenges")
        .select("subject")
        .where("tokenHash", "=", hash(ctx, token))
        .where("purpose", "=", purpose)
        .where("expiresAt", ">", clock())
        .executeTakeFirst();
      return row?.subject;
    },

    /** The subject of a link, which is used up. */
    async claimLink(purpose: string, token: string, trx: Queries = db): Promise<string | undefined> {
      const row = await trx
        .deleteFrom("challenges")
        .where("tokenHash", "=", hash(ctx, token))
        .where("purpose", "=", purpose)
        .where("expiresAt", ">", clock())
        .returning("subject")
        .executeTakeFirst();
      return row?.subject;
    },

    /** Deletes code, link and the time of their start. */
    void: (purpose: string, subject: string, trx: Queries = db) => voidOne(trx, { purpose, subject }),

    /** All of one owner with these purposes, or only those since an instant. */
    voidAll: (whose: OwnersChallenges, trx: Queries = db) => voidAll(trx, whose),

    /** A minute later a new code may be requested. */
    async findStart(purpose: string, subject: string): Promise<Date | undefined> {
      const row = await findChallenge(db, { purpose, subject });
      return row && row.createdAt;
    },

    /** The latest first, without code or token. */
    listOpen: (whose: Omit<OwnersChallenges, "since">, queries: Queries = db) => listOpen(ctx, whose, queries),

    purge: () => countChanged(db.deleteFrom("challenges").where("expiresAt", "<=", clock())),
  };
}

async function listOpen(
  { clock }: Context,
  { owner, purposes }: OwnersChallenges,
  queries: Queries,
): Promise<OpenChallenge[]> {
  const rows = await queries
    .selectFrom("challenges")
    .select(["purpose", "createdAt", "expiresAt", "tries"])
    .where("purpose", "in", purposes)
    .where("subject", "like", `${owner} %`)
    .where("expiresAt", ">", clock())
    .orderBy("createdAt", "desc")
    .execute();
  return rows.map((row) => ({
    purpose: row.purpose,
    startedAt: row.createdAt,
    expiresAt: row.expiresAt,
    wrongCodes: row.tries,
  }));
}

function hash({ keyedHash }: Context, text: string): string {
  return keyedHash("challenge")(text);
}

/** Bound to its challenge, so that equal codes have different hashes. */
function hashCode(ctx: Context, { purpose, subject, code }: CodeAnswer): string {
  return hash(ctx, JSON.stringify([purpose, subject, tidyDigits(code)]));
}

/** Replaces an earlier challenge of the same purpose and subject, if that is old enough. */
async function startChallenge(ctx: Context, challenge: NewChallenge, trx: Queries): Promise<StartResult> {
  const { purpose, subject, linkLifeInMs, code = makeCode() } = challenge;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const now = ctx.clock();
  const values = {
    codeHash: hashCode(ctx, { purpose, subject, code }),
    tokenHash: hash(ctx, token),
    tries: 0,
    createdAt: now,
    codeExpiresAt: after(now, Math.min(CODE_LIFE_IN_MS, linkLifeInMs)),
    expiresAt: after(now, linkLifeInMs),
  };
  const started = await trx
    .insertInto("challenges")
    .values({ purpose, subject, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["purpose", "subject"])
        .doUpdateSet(values)
        .where("challenges.createdAt", "<=", after(now, -RESEND_AFTER_IN_MS)),
    )
    .returning("purpose")
    .executeTakeFirst();
  if (started) return { ok: true, code, token };
  return { ok: false, reason: "too-soon", waitInMs: await findWait(trx, { purpose, subject, now }) };
}

function makeCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, "0");
}

/** The hash of the challenge's token if the code is right. */
async function tryCode(ctx: Context, answer: CodeAnswer, trx: Queries): Promise<CodeFault | { tokenHash: string }> {
  const { purpose, subject } = answer;
  const now = ctx.clock();
  const counted = await countTry(trx, { purpose, subject, now });
  if (!counted) return explainRefusal(trx, { purpose, subject, now });
  return isSameSecret(counted.codeHash, hashCode(ctx, answer)) ? { tokenHash: counted.tokenHash } : "wrong";
}

type Whose = { purpose: string; subject: string };

type Lookup = Whose & { now: Date };

async function findWait(trx: Queries, { now, ...whose }: Lookup): Promise<number> {
  const row = await findChallenge(trx, whose);
  return row ? row.createdAt.getTime() + RESEND_AFTER_IN_MS - now.getTime() : 0;
}

/** Counts before comparing, so that a hundred guesses at once are a hundred tries. */
function countTry(trx: Queries, { purpose, subject, now }: Lookup) {
  return trx
    .updateTable("challenges")
    .set((column) => ({ tries: column("tries", "+", 1) }))
    .where("purpose", "=", purpose)
    .where("subject", "=", subject)
    .where("tries", "<", MAX_TRIES)
    .where("codeExpiresAt", ">", now)
    .returning(["codeHash", "tokenHash"])
    .executeTakeFirst();
}

async function giveBackTry(trx: Queries, tokenHash: string): Promise<void> {
  await trx
    .updateTable("challenges")
    .set((column) => ({ tries: column("tries", "-", 1) }))
    .where("tokenHash", "=", tokenHash)
    .execute();
}

async function explainRefusal(trx: Queries, { now, ...whose }: Lookup): Promise<CodeFault> {
  const row = await findChallenge(trx, whose);
  if (!row) return "none";
  return row.codeExpiresAt <= now ? "expired" : "worn-out";
}

/** The token's hash identifies this challenge, not one that replaced it meanwhile. */
function consume(trx: Queries, tokenHash: string): Promise<boolean> {
  return hasChanged(trx.deleteFrom("challenges").where("tokenHash", "=", tokenHash));
}

async function voidOne(trx: Queries, { purpose, subject }: Whose): Promise<void> {
  await trx.deleteFrom("challenges").where("purpose", "=", purpose).where("subject", "=", subject).execute();
}

async function voidAll(trx: Queries, { owner, purposes, since }: OwnersChallenges): Promise<void> {
  const all = trx.deleteFrom("challenges").where("purpose", "in", purposes).where("subject", "like", `${owner} %`);
  await (since ? all.where("createdAt", ">=", since) : all).execute();
}

function findChallenge(trx: Queries, { purpose, subject }: Whose) {
  return trx
    .selectFrom("challenges")
    .select(["createdAt", "codeExpiresAt"])
    .where("purpose", "=", purpose)
    .where("subject", "=", subject)
    .executeTakeFirst();
}
