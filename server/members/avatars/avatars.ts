import { createHash } from "node:crypto";

import { HOUR_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import { createGate } from "../../platform/gate.ts";
import type { RateLimiter, TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { findPictureKind, redraw, type RedrawRefusal } from "../../platform/pictures/redraw.ts";
import { PICTURE_MAX_BYTES, PICTURE_MAX_HEIGHT, PICTURE_MAX_WIDTH, PICTURE_MIN_BYTES } from "./limits.ts";

/** One picture a member, re-encoded from the uploaded file. */
export type Avatars = ReturnType<typeof createAvatars>;

/** WebP within 800 by 400, and the SHA-256 of its bytes in hexadecimal. */
export type Picture = { hash: string; bytes: Uint8Array };

export type AvatarRecord = Picture & { savedAt: Date };

export type AvatarRefusal = "too-small" | "too-big" | RedrawRefusal;

export type DrawResult = { ok: true; picture: Picture } | { ok: false; reason: AvatarRefusal };

export type SaveResult = { ok: true; hash: string } | { ok: false; reason: AvatarRefusal } | TooMany;

/** Each occupies a processor, and for a moment up to half a gigabyte. */
const DRAWN_AT_ONCE = 2;
const frame = { width: PICTURE_MAX_WIDTH, height: PICTURE_MAX_HEIGHT, quality: 82 };
/** One member must not delay the others. */
const OF_ONE_MEMBER = { attempts: 30, windowInMs: HOUR_IN_MS };

const selectHash = prepareQuery((db, { memberId }: { memberId: number }) =>
  avatarHashes(db).where("memberId", "=", memberId),
);

/** The names of all pictures, to join: a page never reads the bytes. */
export function avatarHashes(db: Queries) {
  return db.selectFrom("avatars").select(["memberId", "hash"]);
}

/** `drawing` is for tests. */
export type AvatarsContext = Context & { rateLimiter: RateLimiter; drawing?: { cpuInMs: number } };

export function createAvatars({ db, clock, rateLimiter, drawing }: AvatarsContext) {
  const gate = createGate(DRAWN_AT_ONCE);

  const avatars = {
    /** Re-encodes a file by its real type. Takes a second or more, so never call it within a transaction. */
    async draw(bytes: Uint8Array): Promise<DrawResult> {
      if (bytes.byteLength < PICTURE_MIN_BYTES) return { ok: false, reason: "too-small" };
      if (bytes.byteLength > PICTURE_MAX_BYTES) return { ok: false, reason: "too-big" };
      const kind = findPictureKind(bytes);
      if (!kind) return { ok: false, reason: "unsupported" };
      const drawn = await gate(() => redraw(bytes, kind, { frame, ...drawing }));
      if (!drawn.ok) return drawn;
      const hash = createHash("sha256").update(drawn.bytes).digest("hex");
      return { ok: true, picture: { hash, bytes: drawn.bytes } };
    },

    async keep(memberId: number, { hash, bytes }: Picture, trx: Queries = db): Promise<void> {
      const row = { hash, bytes, savedAt: clock() };
      await trx
        .insertInto("avatars")
        .values({ memberId, ...row })
        .onConflict((conflict) => conflict.column("memberId").doUpdateSet(row))
        .execute();
    },

    /** Draws and stores within an hourly limit; the old one stays when the new one is refused. */
    async save(memberId: number, bytes: Uint8Array): Promise<SaveResult> {
      const tooMany = await rateLimiter.count(`picture of ${memberId}`, OF_ONE_MEMBER);
      if (tooMany) return tooMany;
      const drawn = await avatars.draw(bytes);
      if (!drawn.ok) return drawn;
      await avatars.keep(memberId, drawn.picture);
      return { ok: true, hash: drawn.picture.hash };
    },

    /** Whether the limit is used up, so that we need not read more bytes. */
    hasNoneLeft: (memberId: number) => rateLimiter.isSpent(`picture of ${memberId}`, OF_ONE_MEMBER),

    async move({ from, to }: { from: number; to: number }, trx: Queries): Promise<void> {
      if (await trx.selectFrom("avatars").select("hash").where("memberId", "=", to).executeTakeFirst()) return;
      await trx.updateTable("avatars").set({ memberId: to }).where("memberId", "=", from).execute();
    },

    async remove(memberId: number): Promise<void> {
      await db.deleteFrom("avatars").where("memberId", "=", memberId).execute();
    },

    /** Reads no bytes, because every page needs it. */
    async findHash(memberId: number): Promise<string | undefined> {
      const [row] = await selectHash(db, { memberId });
      return row?.hash;
    },

    /** `undefined` once another picture has replaced it. */
    async find(memberId: number, hash: string): Promise<Uint8Array | undefined> {
      if (!/^[\da-f]{64}$/.test(hash)) return undefined;
      const row = await db
        .selectFrom("avatars")
        .select("bytes")
        .where("memberId", "=", memberId)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row?.bytes;
    },

    async findFor(memberId: number): Promise<AvatarRecord | undefined> {
      const row = await db.selectFrom("avatars").selectAll().where("memberId", "=", memberId).executeTakeFirst();
      return row && { hash: row.hash, bytes: row.bytes, savedAt: row.savedAt };
    },
  };
  return avatars;
}
