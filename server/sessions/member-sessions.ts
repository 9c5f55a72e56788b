import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import { UNKNOWN_DEVICE } from "./device.ts";

/** All browsers in which one member is logged in. */
export type MemberSessions = {
  /** The living ones as the member is shown them: the one that asks with `token`, then the last used. */
  list(memberId: number, token?: string): Promise<DeviceSession[]>;
  /** Logs a member out on one of their devices; answers whether they were logged in there. */
  endOne(memberId: number, id: string): Promise<boolean>;
  /** Logs a member out everywhere but where `keptToken` is; answers how many sessions that ended. */
  endOthers(memberId: number, keptToken: string | undefined, trx?: Queries): Promise<number>;
  /** Logs a member out everywhere; answers how many sessions that ended. */
  endAll(memberId: number, trx?: Queries): Promise<number>;
  /** Ends the session whose token has this hash. */
  endHashed(tokenHash: string): Promise<void>;
  /** The newest first. */
  listFor(memberId: number): Promise<SessionRecord[]>;
};

export type SessionRecord = { startedAt: Date; seenAt: Date; expiresAt: Date; device: string | undefined };

/** `id` names the session in a form and says nothing of its token, nor of what is kept of that. */
export type DeviceSession = { id: string; device: string; startedAt: Date; seenAt: Date; isThis: boolean };

type MemberSessionsGround = { db: Queries; clock: Clock; hash: KeyedHash };

export function createMemberSessions({ db, clock, hash }: MemberSessionsGround): MemberSessions {
  const toId = (tokenHash: string) => hash(`listed ${tokenHash}`);

  return {
    async list(memberId, token) {
      const here = token && hash(token);
      const rows = await db
        .selectFrom("sessions")
        .select(["token_hash", "created_at", "seen_at", "device"])
        .where("member_id", "=", memberId)
        .where("expires_at", ">", clock().toISOString())
        .orderBy("seen_at", "desc")
        .orderBy("created_at", "desc")
        .execute();
      const sessions = rows.map((row) => ({
        id: toId(row.token_hash),
        device: row.device ?? UNKNOWN_DEVICE,
        startedAt: new Date(row.created_at),
        seenAt: new Date(row.seen_at),
        isThis: row.token_hash === here,
      }));
      return sessions.toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
    },

    async endOne(memberId, id) {
      const rows = await db.selectFrom("sessions").select("token_hash").where("member_id", "=", memberId).execute();
      const row = rows.find(({ token_hash }) => toId(token_hash) === id);
      if (!row) return false;
      const ended = await db.deleteFrom("sessions").where("token_hash", "=", row.token_hash).executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    async endOthers(memberId, keptToken, trx = db) {
      const { numDeletedRows } = await trx
        .deleteFrom("sessions")
        .where("member_id", "=", memberId)
        .where("token_hash", "!=", hash(keptToken ?? ""))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async endAll(memberId, trx = db) {
      const { numDeletedRows } = await trx.deleteFrom("sessions").where("member_id", "=", memberId).executeTakeFirst();
      return Number(numDeletedRows);
    },

    async endHashed(tokenHash) {
      await db.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
    },

    listFor: (memberId) => listRecords(memberId, db),
  };
}

async function listRecords(memberId: number, db: Queries): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["created_at", "seen_at", "expires_at", "device"])
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map((row) => ({
    startedAt: new Date(row.created_at),
    seenAt: new Date(row.seen_at),
    expiresAt: new Date(row.expires_at),
    device: row.device ?? undefined,
  }));
}
