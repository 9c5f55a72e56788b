import type { Queries } from "../database/database.ts";

/** Pictures as exports see them. */
export type AvatarRecords = {
  findFor(memberId: number): Promise<AvatarRecord | undefined>;
};

/** WebP. */
export type AvatarRecord = { hash: string; bytes: Uint8Array; savedAt: Date };

export function createAvatarRecords(db: Queries): AvatarRecords {
  return {
    async findFor(memberId) {
      const row = await db.selectFrom("avatars").selectAll().where("member_id", "=", memberId).executeTakeFirst();
      return row && { hash: row.hash, bytes: row.bytes, savedAt: new Date(row.saved_at) };
    },
  };
}
