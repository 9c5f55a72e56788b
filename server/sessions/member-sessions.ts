import type { Queries } from "../database/database.ts";

/** All browsers in which one member is logged in. */
export type MemberSessions = {
  /** Logs a member out everywhere; answers how many sessions that ended. */
  endAll(memberId: number, trx?: Queries): Promise<number>;
  /** The newest first. */
  listFor(memberId: number): Promise<SessionRecord[]>;
};

export type SessionRecord = { startedAt: Date; seenAt: Date; expiresAt: Date; device: string | undefined };

export function createMemberSessions(db: Queries): MemberSessions {
  return {
    async endAll(memberId, trx = db) {
      const { numDeletedRows } = await trx.deleteFrom("sessions").where("member_id", "=", memberId).executeTakeFirst();
      return Number(numDeletedRows);
    },

    async listFor(memberId) {
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
    },
  };
}
