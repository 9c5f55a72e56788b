import type { MemberMirror } from "../../accounts/member-mirror.ts";
import type { Context } from "../../context.ts";
import type { RateLimiter } from "../../rate-limit/rate-limit.ts";
import type { Seal } from "../../seal.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { ProviderAccess } from "./access.ts";
import type { ProviderClient } from "./client.ts";
import type { ProviderFields } from "./payment-fields.ts";
import type { ActingSession, CallForMember, ProviderTokens, RequireKey } from "./tokens.ts";

/** What is needed to ask somebody else's back end for what our members do. */
export type ProviderContext = Context & {
  client: Pick<ProviderClient, "call">;
  /** For a member who is logged in here. */
  call: CallForMember;
  requireKey: RequireKey;
  tokens: ProviderTokens;
  acting: ActingSession;
  access: ProviderAccess;
  /** How it takes cards. */
  fields: ProviderFields;
  mirror: MemberMirror;
  /** Our own: the provider's tokens are kept beside them. */
  sessions: Sessions;
  rateLimiter: RateLimiter;
  /** For what is kept of a reset, of the account that a draft has asked for, and of a draft's password. */
  seals: { grant: Seal; admission: Seal; password: Seal };
  /** What is done before a member who has just logged in sees a page. */
  welcome: () => Promise<void>;
  productName: string;
};
