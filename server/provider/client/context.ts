import type { AsyncLocalStorage } from "node:async_hooks";

import type { MemberMirror } from "../../members/accounts/member-mirror.ts";
import type { Context } from "../../context.ts";
import type { Access } from "../../money/membership/membership.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Seal } from "../../platform/seal.ts";
import type { Sessions } from "../../members/sessions/sessions.ts";
import type { ProviderClient } from "./client.ts";
import type { ProviderFields } from "./payment-fields.ts";

/** The context for calls of another back end. */
export type ProviderContext = Context & {
  client: Pick<ProviderClient, "call" | "requireKey">;
  /**
   * The session that something is done for. Services know members and no sessions, so it goes beside them: whatever call they make
   * meanwhile is made with what the provider gave for this very session.
   */
  acting: AsyncLocalStorage<{ memberId: number; sessionHash: string }>;
  /** The members that this process saw last. Each process has its own, so each of them asks once. */
  memory: BoundedMap<number, MemberMemory>;
  /** The card fields of the provider. */
  fields: ProviderFields;
  mirror: MemberMirror;
  /** Our own: the provider's tokens are kept beside them. */
  sessions: Sessions;
  rateLimiter: RateLimiter;
  seals: {
    /** For the tokens of sessions, and of sign-ups. */
    token: Seal;
    joiningToken: Seal;
    /** For a draft's password, and for what is kept of a reset. */
    password: Seal;
    grant: Seal;
  };
  /** Done before a member who has just logged in sees a page. */
  welcome: () => Promise<void>;
  productName: string;
};

export type MemberMemory = {
  access?: KnownAccess;
  /** After a question about access that found no answer. */
  restsUntil?: Date;
  /** When the provider last accepted the token of each session, by its hash. */
  acceptedAt: BoundedMap<string, Date>;
  /** Questions about access under way, by session: another session's answer does not hold for its token. */
  asking: Map<string | undefined, Promise<Access>>;
};

export type KnownAccess = { isActive: boolean; endsAt: Date | undefined; checkedAt: Date; detailsAt: Date };

/** Forgets what was set longest ago where there is more than `most`. */
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
