import { createHash } from "node:crypto";

import { HOUR_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { createGate } from "../gate.ts";
import type { Throttle, TooMany } from "../throttle/throttle.ts";
import { findPictureKind } from "./picture-kind.ts";
import { redraw, type RedrawRefusal } from "./redraw.ts";
import { PICTURE_MAX_BYTES, PICTURE_MIN_BYTES } from "./rules.ts";

/** The pictures that members show of themselves: one each, drawn anew from whatever they sent. */
export type Avatars = {
  /**
   * Draws a picture from a file, told by its bytes and not by its name. It takes a second and more,
   * so never within a transaction: `keep` is for that.
   */
  draw(bytes: Uint8Array): Promise<DrawResult>;
  /** Puts a drawn picture in the place of the old one. */
  keep(memberId: number, picture: Picture, trx?: Queries): Promise<void>;
  /** Both at once, so often an hour; the old one stays when the new one is refused. */
  save(memberId: number, bytes: Uint8Array): Promise<SaveResult>;
  remove(memberId: number): Promise<void>;
  /** What a member's picture is called. It is asked for at every page, so it never touches the bytes. */
  findHash(memberId: number): Promise<string | undefined>;
  /** The WebP of a member's own picture, if it is still called so. */
  find(memberId: number, hash: string): Promise<Uint8Array | undefined>;
};

/** WebP within 800 by 400, and the SHA-256 of its bytes in hexadecimal. */
export type Picture = { hash: string; bytes: Uint8Array };

export type AvatarRefusal = "too-small" | "too-big" | RedrawRefusal;

export type DrawResult = { ok: true; picture: Picture } | { ok: false; reason: AvatarRefusal };

export type SaveResult = { ok: true; hash: string } | { ok: false; reason: AvatarRefusal } | TooMany;

/** Each takes a processor, and for a moment up to half a gigabyte. */
const DRAWN_AT_ONCE = 2;
/** Of one member: nobody keeps all others waiting for their pictures. */
const OF_ONE_MEMBER = { attempts: 30, windowInMs: HOUR_IN_MS };

/** `drawing` is for tests, as `redraw` says. */
type AvatarParts = { db: Queries; clock: Clock; throttle: Throttle; drawing?: { cpuInMs: number } };

export function createAvatars({ db, clock, throttle, drawing }: AvatarParts): Avatars {
  const gate = createGate(DRAWN_AT_ONCE);

  const avatars: Avatars = {
    async draw(bytes) {
      if (bytes.byteLength < PICTURE_MIN_BYTES) return { ok: false, reason: "too-small" };
      if (bytes.byteLength > PICTURE_MAX_BYTES) return { ok: false, reason: "too-big" };
      const kind = findPictureKind(bytes);
      if (!kind) return { ok: false, reason: "unsupported" };
      const drawn = await gate(() => redraw(bytes, kind, drawing));
      if (!drawn.ok) return drawn;
      const hash = createHash("sha256").update(drawn.bytes).digest("hex");
      return { ok: true, picture: { hash, bytes: drawn.bytes } };
    },

    async keep(memberId, { hash, bytes }, trx = db) {
      const row = { hash, bytes, saved_at: clock().toISOString() };
      await trx
        .insertInto("avatars")
        .values({ member_id: memberId, ...row })
        .onConflict((conflict) => conflict.column("member_id").doUpdateSet(row))
        .execute();
    },

    async save(memberId, bytes) {
      const tooMany = await throttle.count(`picture of ${memberId}`, OF_ONE_MEMBER);
      if (tooMany) return tooMany;
      const drawn = await avatars.draw(bytes);
      if (!drawn.ok) return drawn;
      await avatars.keep(memberId, drawn.picture);
      return { ok: true, hash: drawn.picture.hash };
    },

    async remove(memberId) {
      await db.deleteFrom("avatars").where("member_id", "=", memberId).execute();
    },

    async findHash(memberId) {
      const row = await db.selectFrom("avatars").select("hash").where("member_id", "=", memberId).executeTakeFirst();
      return row?.hash;
    },

    async find(memberId, hash) {
      if (!/^[\da-f]{64}$/.test(hash)) return undefined;
      const row = await db
        .selectFrom("avatars")
        .select("bytes")
        .where("member_id", "=", memberId)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row?.bytes;
    },
  };
  return avatars;
}
