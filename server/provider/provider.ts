import type { Accounts, OwnAccount } from "../accounts/accounts.ts";
import { createMemberMirror, type MemberMirror } from "../accounts/member-mirror.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { Membership } from "../membership/membership.ts";
import type { PartCheck } from "../part-check.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import { createSeal } from "../seal.ts";
import { createSessions, type Sessions } from "../sessions/sessions.ts";
import { createProviderClient, type ProviderClient, type ProviderPatience } from "./client/client.ts";
import { createRemoteFavourites } from "./client/favourites.ts";
import { ProviderError } from "./client/line.ts";
import { createEnter, createRemoteLogIn, type Enter } from "./client/log-in.ts";
import {
  type ActingSession,
  type CallForMember,
  createActingSession,
  createCallForMember,
  createRemoteAccounts,
  createRemoteMembership,
  createRemoteSessions,
  createStanding,
  type Standing,
} from "./client/members.ts";
import { createRemoteFields, type RemoteFields } from "./client/payment-fields.ts";
import { createRemoteProfile } from "./client/profile.ts";
import { createRemoteReset } from "./client/reset.ts";
import { createProviderTokens, createRequireKey, createTakenTokens, type ProviderTokens } from "./client/tokens.ts";

/** Somebody else's back end, as the services that it owns ask it. */
export type Provider = {
  client: ProviderClient;
  /** For a member who is logged in here. */
  call: CallForMember;
  tokens: ProviderTokens;
  /** Whose session a call is made for. */
  acting: ActingSession;
  enter: Enter;
  mirror: MemberMirror;
  /** To be told when something may have changed how a member stands. */
  standing: Standing;
  /** How it takes cards. */
  fields: RemoteFields;
  /** What is done before somebody who came in sees a page; only one such thing is known. */
  welcome: { first(work: () => Promise<void>): void; done(): Promise<void> };
  check(): Promise<PartCheck>;
};

/** `undefined` where accounts are kept here. */
export function openProvider(
  { provider, sessionSecret }: Config,
  { patience, ...ground }: Context & { patience?: Partial<ProviderPatience> | undefined },
): Provider | undefined {
  if (!provider) return undefined;
  const hash = ground.keyedHash("session");
  const client = createProviderClient({ ...provider, ...ground, patience });
  const requireKey = createRequireKey({ ...ground, client });
  const tokens = createProviderTokens({
    ...ground,
    requireKey,
    hash,
    seal: createSeal(sessionSecret, "provider-token"),
    sessions: createSessions(ground),
  });
  const mirror = createMemberMirror(ground);
  const acting = createActingSession({ hash });
  const taken = createTakenTokens(ground);
  const call = createCallForMember({ client, tokens, acting, taken });
  return {
    client,
    call,
    tokens,
    acting,
    mirror,
    enter: createEnter({ client, mirror, requireKey }),
    standing: createStanding({ ...ground, call, mirror, acting, taken }),
    fields: createRemoteFields({ ...ground, client }),
    welcome: createWelcome(),
    check: () => checkProvider(client),
  };
}

type OwnMembers = Pick<OwnAccount, "profile"> & {
  accounts: Accounts;
  sessions: Sessions;
  membership: Membership;
  rateLimiter: RateLimiter;
};

/** What takes the place of our own modules, where the provider keeps the members. */
export function createRemoteMembers(
  house: Context & OwnMembers,
  { config, provider }: { config: Config; provider: Provider },
) {
  const { client } = provider;
  const { sessionSecret, product } = config;
  const sessions = createRemoteSessions(house.sessions, provider);
  const accounts = createRemoteAccounts(house.accounts, client);
  const seal = createSeal(sessionSecret, "reset-grant");
  return {
    sessions,
    accounts,
    logIn: createRemoteLogIn({ ...house, ...provider, sessions }),
    profile: createRemoteProfile(house.profile, { ...provider, accounts }),
    passwordReset: createRemoteReset({ ...house, ...provider, sessions, seal, productName: product.name }),
    capabilities: { canChangePassword: false, canClose: false, holdsAll: false },
    membership: createRemoteMembership(house.membership, provider.standing),
    favourites: createRemoteFavourites({ ...house, ...provider }),
  };
}

async function nothing(): Promise<void> {
  // Until something is to be done.
}

/** Content that only members may read is read as soon as one is here. */
function createWelcome(): Provider["welcome"] {
  let work: () => Promise<void> = nothing;
  return { first: (first) => void (work = first), done: () => work() };
}

/** Whether it answers, and takes our key. */
async function checkProvider(client: ProviderClient): Promise<PartCheck> {
  try {
    const outcome = await client.call("fetchCustomers", { per_page: 1 });
    if (outcome.ok) return { isWell: true, says: `the provider at ${client.base.href} answers and takes our key` };
    const hint = outcome.status === 401 || outcome.status === 403 ? ": is API_KEY right?" : "";
    return { isWell: false, says: `the provider refuses us (${outcome.status})${hint}` };
  } catch (error) {
    if (error instanceof ProviderError) return { isWell: false, says: error.message };
    throw error;
  }
}
