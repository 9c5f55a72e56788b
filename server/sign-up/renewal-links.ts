import { timingSafeEqual } from "node:crypto";

import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { KeyedHash } from "../keyed-hash.ts";

/** Signed links that open step 2 for one account; nothing is stored of them. */
export type RenewalLinks = {
  make(memberId: number): string;
  /** The member of a link of ours that is not too old. */
  read(token: string): number | undefined;
};

/** From a week before the end of a term to some two months after it. */
export const RENEWAL_LINK_LIFE_IN_MS = 70 * DAY_IN_MS;

export function createRenewalLinks({ clock, hash }: { clock: Clock; hash: KeyedHash }): RenewalLinks {
  return {
    make(memberId) {
      const claim = `${memberId}.${after(clock(), RENEWAL_LINK_LIFE_IN_MS).getTime()}`;
      return `${claim}.${hash(claim)}`;
    },

    read(token) {
      const [, memberId = "", endsAt = "", signature = ""] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
      const expected = Buffer.from(hash(`${memberId}.${endsAt}`));
      const given = Buffer.from(signature);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && clock().getTime() < Number(endsAt) ? Number(memberId) : undefined;
    },
  };
}
