import { randomBytes } from "node:crypto";

import { after, DAY_IN_MS, HOUR_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import { describeDevice } from "./device.ts";
import { createMemberSessions, type MemberSessions } from "./member-sessions.ts";

/** Which browser is whose: an opaque token in the browser, its hash here. */
export type Sessions = MemberSessions & {
  /** Starts a session and ends the one it replaces, so that no token outlives a log-in. */
  start(memberId: number, browser?: Browser): Promise<StartedSession>;
  /** The live session behind a token, kept alive by being used. */
  find(token: string): Promise<Session | undefined>;
  /**
   * Does something for whoever has a session that was found. Where a provider keeps the members, it is asked meanwhile with what it gave
   * for this very session.
   */
  act<Answer>(session: SessionOwner, work: () => Promise<Answer>): Promise<Answer>;
  end(token: string): Promise<void>;
  /** Forgets what has expired; answers how many. */
  purge(): Promise<number>;
};

/** Where a session starts: what the browser says of itself (its `User-Agent`), and the session that it had before. */
export type Browser = { userAgent?: string | undefined; replacedToken?: string | undefined };

export type SessionOwner = { token: string; memberId: number };

export type StartedSession = { token: string; expiresAt: Date };

export type Session = {
  memberId: number;
  expiresAt: Date;
  /** Whether this use moved the end: the browser's cookie must be told. */
  isExtended: boolean;
};

/** Idle limit, design section 3: sliding 30 days. */
export const SESSION_IDLE_IN_MS = 30 * DAY_IN_MS;
/** Absolute limit (ASVS 7.3.2): a year after log-in the password is asked again. */
const SESSION_LIMIT_IN_MS = 365 * DAY_IN_MS;
/** A session in use is written at most this often. */
const EXTEND_EVERY_IN_MS = HOUR_IN_MS;
const TOKEN_BYTES = 32;

export function createSessions({ db, clock, hash }: { db: Queries; clock: Clock; hash: KeyedHash }): Sessions {
  return {
    ...createMemberSessions({ db, clock, hash }),

    async start(memberId, { userAgent, replacedToken } = {}) {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const now = clock();
      const expiresAt = after(now, SESSION_IDLE_IN_MS);
      await db.transaction().execute(async (trx) => {
        if (replacedToken) await trx.deleteFrom("sessions").where("token_hash", "=", hash(replacedToken)).execute();
        await trx
          .insertInto("sessions")
          .values({
            token_hash: hash(token),
            member_id: memberId,
            created_at: now.toISOString(),
            seen_at: now.toISOString(),
            expires_at: expiresAt.toISOString(),
            device: describeDevice(userAgent),
          })
          .execute();
      });
      return { token, expiresAt };
    },

    async find(token) {
      const now = clock();
      const row = await db
        .selectFrom("sessions")
        .select(["token_hash", "member_id", "created_at", "seen_at", "expires_at"])
        .where("token_hash", "=", hash(token))
        .where("expires_at", ">", now.toISOString())
        .executeTakeFirst();
      if (!row) return undefined;

      const session = { memberId: row.member_id, expiresAt: new Date(row.expires_at), isExtended: false };
      if (now.getTime() - Date.parse(row.seen_at) < EXTEND_EVERY_IN_MS) return session;
      return { ...session, expiresAt: await extend(row, { db, now }), isExtended: true };
    },

    act: (_, work) => work(),

    async end(token) {
      await db.deleteFrom("sessions").where("token_hash", "=", hash(token)).execute();
    },

    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom("sessions")
        .where("expires_at", "<=", clock().toISOString())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Notes that a session is in use; answers when it ends by that. */
async function extend(
  { token_hash: tokenHash, created_at: createdAt }: { token_hash: string; created_at: string },
  { db, now }: { db: Queries; now: Date },
): Promise<Date> {
  const expiresAt = earlier(after(now, SESSION_IDLE_IN_MS), after(new Date(createdAt), SESSION_LIMIT_IN_MS));
  await db
    .updateTable("sessions")
    .set({ seen_at: now.toISOString(), expires_at: expiresAt.toISOString() })
    .where("token_hash", "=", tokenHash)
    .execute();
  return expiresAt;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
