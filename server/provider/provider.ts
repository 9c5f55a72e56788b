import { AsyncLocalStorage } from "node:async_hooks";

import { createMemberMirror } from "../members/accounts/member-mirror.ts";
import type { Backend, MemberModules } from "../backend.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { PartCheck } from "../platform/part-check.ts";
import type { RateLimiter } from "../platform/rate-limit/rate-limit.ts";
import { createSeal } from "../platform/seal.ts";
import type { Sessions } from "../members/sessions/sessions.ts";
import { forgetPassword } from "../money/sign-up/drafts.ts";
import type { Joining } from "../money/sign-up/joining.ts";
import { findAccess } from "./client/access.ts";
import { catchProviderError } from "./client/answers.ts";
import { createProviderClient, type ProviderClient, type ProviderPatience } from "./client/client.ts";
import { BoundedMap, type ProviderContext } from "./client/context.ts";
import { createProviderFavourites } from "./client/favourites.ts";
import { checkCode, fulfilOrder, isAddressTaken, openAccount, startSession, takeSeat } from "./client/joining.ts";
import { findMemberByEmail, findSession, findCaller, logIn, saveProfile } from "./client/members.ts";
import { type ToCardFields, createProviderFields } from "./client/payment-fields.ts";
import { createProviderCardGateway } from "./client/payments.ts";
import { checkResetCode, requestReset, setPassword } from "./client/reset.ts";
import { act, dropToken, findToken, listNewestTokens, type ProviderTokens } from "./client/tokens.ts";

export type Provider = ProviderContext & {
  client: ProviderClient;
  tokens: ProviderTokens;
  check(): Promise<PartCheck>;
};

type OpenContext = Context & {
  sessions: Sessions;
  rateLimiter: RateLimiter;
  patience: ProviderPatience | undefined;
  welcome: () => Promise<void>;
  toCardFields: ToCardFields;
};

/** `undefined` where accounts are in this product. */
export function openProvider(
  { provider, product, sessionSecret }: Config,
  { patience, ...ctx }: OpenContext,
): Provider | undefined {
  if (!provider) return undefined;
  const client = createProviderClient({ ...provider, ...ctx, patience });
  const own: ProviderContext & { client: ProviderClient } = {
    ...ctx,
    client,
    acting: new AsyncLocalStorage(),
    memory: new BoundedMap(MOST_MEMBERS),
    fields: createProviderFields({ ...ctx, client }),
    mirror: createMemberMirror(ctx),
    seals: {
      token: createSeal(sessionSecret, "provider-token"),
      joiningToken: createSeal(sessionSecret, "provider-sign-up"),
      password: createSeal(sessionSecret, "draft-password"),
      grant: createSeal(sessionSecret, "reset-grant"),
    },
    productName: product.name,
  };
  const tokens: ProviderTokens = {
    find: (memberId) => findToken(own, memberId),
    listNewest: (count, besides) => listNewestTokens(own, count, besides),
    drop: (held) => dropToken(own, held),
  };
  return Object.assign(own, { tokens, check: () => checkProvider(client) });
}

const MOST_MEMBERS = 10_000;

/**
 * A provider as the back end. Sessions, drafts and a mirror of members who have logged in are ours; the rest is a call.
 * It sends receipts and reminders with its own links, and makes its own refunds.
 */
export function createProviderBackend(ctx: Provider, own: MemberModules): Backend {
  return {
    members: createProviderModules(ctx, own),
    joining: createProviderJoining(ctx),
    renewalLinks: { make: refuseLink, read: () => undefined },
    sendEndingEmails: async () => undefined,
    cardGateway: createProviderCardGateway(ctx),
    refunds: undefined,
    fulfil: (order, trx) => fulfilOrder({ ...ctx, db: trx }, order),
    endOrder: (order, _why, trx) => own.membership.revokeOrder(order.id, trx),
    paymentEmails: { receipt: async () => undefined, refund: async () => undefined },
    listCounters: () => ({}),
  };
}

function createProviderModules(ctx: Provider, own: MemberModules): Backend["members"] {
  return {
    ...own,
    capabilities: {
      canChangePassword: false,
      // A provider starts no session without a password.
      canLogInWithoutPassword: false,
      canClose: false,
      canRenew: false,
      canCancel: false,
      canGive: false,
      // A provider answers about a member's access only while they are logged in, and sends only emails that it knows.
      canGetNewsletter: false,
      holdsAll: false,
    },
    logIn: (credentials) => logIn(ctx, credentials),
    logInLink: { request: refuse("Accounts"), peek: async () => false, use: async () => undefined },
    passwordReset: createPasswordReset(ctx),
    profile: { ...own.profile, save: (change) => saveProfile(ctx, change) },
    support: {
      ...own.support,
      correctName: refuse("Accounts"),
      startAddressChange: refuse("Accounts"),
      close: refuse("Accounts"),
    },
    accounts: {
      ...own.accounts,
      findCaller: (token) => findCaller(ctx, token),
      findByEmail: (email) => findMemberByEmail(ctx, email),
      register: refuse("Accounts"),
      admit: refuse("Accounts"),
      holdByEmail: refuse("Accounts"),
      listOpen: refuse("Accounts"),
    },
    sessions: {
      ...own.sessions,
      find: (token) => findSession(ctx, token),
      act: (session, work) => act(ctx, session, work),
    },
    membership: {
      ...own.membership,
      findAccess: (memberId) => findAccess(ctx, memberId),
      async findCoverEnd(memberId) {
        const access = await findAccess(ctx, memberId);
        return access.isActive ? access.endsAt : undefined;
      },
      grant: refuse("Subscriptions"),
      importTerm: refuse("Subscriptions"),
      extend: refuse("Subscriptions"),
      revoke: refuse("Subscriptions"),
      restore: refuse("Subscriptions"),
    },
    favourites: { ...createProviderFavourites(ctx), importItems: refuse("Favourites"), move: refuse("Favourites") },
    codes: {
      ...own.codes,
      check: (code) => checkCode(ctx, code),
      create: refuse("Codes"),
      revoke: refuse("Codes"),
    },
  };
}

function createPasswordReset(ctx: Provider): MemberModules["passwordReset"] {
  return {
    request: (input) => requestReset(ctx, input),
    checkCode: (answer) => checkResetCode(ctx, answer),
    // The links of its emails are its own.
    peekLink: async () => false,
    turnsOn: async () => false,
    useLink: async () => undefined,
    setPassword: (input) => setPassword(ctx, input),
  };
}

function createProviderJoining(ctx: Provider): Joining {
  return {
    protectPassword: async (password) => ctx.seals.password.seal(password),
    isAddressTaken: (input) => isAddressTaken(ctx, input),
    openAccount: (draft, address) => openAccount(ctx, draft, address),
    takeSeat: (order) => takeSeat(ctx, order),
    startSession: (memberId, browser, claim) => startSession(ctx, { memberId, browser, claim }),
    welcome: () => ctx.welcome(),
    // It makes accounts before it charges, so nothing needs the password any more.
    forgetEndedPassword: (draftId) => forgetPassword(ctx, draftId),
    findRenewing: async () => undefined,
  };
}

function refuseLink(): never {
  throw new Error("The provider makes renewal links");
}

/** For changes of a provider's data, for which the API has no call. */
class StoredElsewhereError extends Error {
  override name = "StoredElsewhereError";

  constructor(what: string) {
    super(`${what} are held by the provider at API_URL. Please change them there.`);
  }
}

/** Two back ends that number members would collide; only one may decide about codes and subscriptions. */
function refuse(what: string): () => Promise<never> {
  return () => Promise.reject(new StoredElsewhereError(what));
}

async function checkProvider(client: ProviderClient): Promise<PartCheck> {
  const call = client.call("fetchCustomers", { per_page: 1 });
  const outcome = await catchProviderError(call, ({ message }) => ({ isWell: false, message }));
  if ("isWell" in outcome) return outcome;
  if (outcome.ok) return { isWell: true, message: `the provider at ${client.base.href} answers and accepts our key` };
  const hint = outcome.status === 401 || outcome.status === 403 ? ": is API_KEY right?" : "";
  return { isWell: false, message: `the provider refuses us (${outcome.status})${hint}` };
}
