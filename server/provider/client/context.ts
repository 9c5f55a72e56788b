import type { AsyncLocalStorage } from "node:async_hooks";

import type { MemberMirror } from "../../members/accounts/member-mirror.ts";
import type { Context } from "../../context.ts";
import type { Access } from "../../money/membership/membership.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Seal } from "../../platform/seal.ts";
import type { Sessions } from "../../members/sessions/sessions.ts";
import type { ProviderClient } from "./client.ts";
import type { ProviderFields } from "./payment-fields.ts";

export type ProviderContext = Context & {
  client: Pick<ProviderClient, "call" | "requireKey">;
  /**
   * The session that a piece of work runs for. Services know members and no sessions, so it is passed beside them:
   * meanwhile all calls use the provider's token of this session.
   */
  acting: AsyncLocalStorage<{ memberId: number; sessionHash: string }>;
  /** By the members that this process saw last. Each process has its own cache. */
  memory: BoundedMap<number, MemberMemory>;
  fields: ProviderFields;
  mirror: MemberMirror;
  /** Our own, beside which the provider's tokens are stored. */
  sessions: Sessions;
  rateLimiter: RateLimiter;
  seals: {
    /** For the tokens of sessions and sign-ups. */
    token: Seal;
    joiningToken: Seal;
    /** For a draft's password, and for a reset. */
    password: Seal;
    grant: Seal;
  };
  /** Runs before a member who has just logged in sees a page. */
  welcome: () => Promise<void>;
  productName: string;
};

export type MemberMemory = {
  access?: KnownAccess;
  /** After a failed question about access. */
  restsUntil?: Date;
  /** The provider's last acceptance of each session's token, by hash. */
  acceptedAt: BoundedMap<string, Date>;
  /** Questions about access under way, by session: another session's answer does not cover its token. */
  asking: Map<string | undefined, Promise<Access>>;
};

export type KnownAccess = { isActive: boolean; endsAt: Date | undefined; checkedAt: Date; detailsAt: Date };

/** Drops the entry that was set longest ago beyond `most`. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly most: number;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.most) break;
      this.delete(oldest);
    }
    return this;
  }
}
