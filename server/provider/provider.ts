import { createMemberMirror } from "../accounts/member-mirror.ts";
import type { Backend } from "../backend.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { PartCheck } from "../part-check.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import { createSeal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { createProviderAccess } from "./client/access.ts";
import { createProviderClient, type ProviderClient, type ProviderPatience } from "./client/client.ts";
import type { ProviderContext } from "./client/context.ts";
import { createProviderFavourites } from "./client/favourites.ts";
import { checkCode, completeOrder, isAddressTaken, openAccount, startSession, takeSeat } from "./client/joining.ts";
import { ProviderError } from "./client/line.ts";
import { findMemberByEmail, findSession, logIn, saveProfile } from "./client/members.ts";
import { type CardFieldsOf, createProviderFields } from "./client/payment-fields.ts";
import { createProviderCards } from "./client/payments.ts";
import { checkResetCode, requestReset, setPassword } from "./client/reset.ts";
import {
  createActingSession,
  createCallForMember,
  createProviderTokens,
  createRequireKey,
  createTakenTokens,
} from "./client/tokens.ts";

/** Somebody else's back end. */
export type Provider = Omit<ProviderContext, "client"> & {
  client: ProviderClient;
  /** Content that only members may read is read as soon as one is here: done before they see a page. */
  beforeFirstPage(work: () => Promise<void>): void;
  check(): Promise<PartCheck>;
};

type OpenContext = Context & {
  sessions: Sessions;
  rateLimiter: RateLimiter;
  patience: Partial<ProviderPatience> | undefined;
  cardFieldsOf: CardFieldsOf;
};

/** `undefined` where accounts are kept here. */
export function openProvider(
  { provider, product, sessionSecret }: Config,
  { patience, ...ctx }: OpenContext,
): Provider | undefined {
  if (!provider) return undefined;
  const hash = ctx.keyedHash("session");
  const seals = {
    grant: createSeal(sessionSecret, "reset-grant"),
    admission: createSeal(sessionSecret, "admission"),
    password: createSeal(sessionSecret, "draft-password"),
  };
  const client = createProviderClient({ ...provider, ...ctx, patience });
  const requireKey = createRequireKey({ ...ctx, client });
  const tokenSeal = createSeal(sessionSecret, "provider-token");
  const tokens = createProviderTokens({ ...ctx, requireKey, hash, seal: tokenSeal });
  const mirror = createMemberMirror(ctx);
  const acting = createActingSession({ hash });
  const taken = createTakenTokens(ctx);
  const call = createCallForMember({ client, tokens, acting, taken });
  const access = createProviderAccess({ ...ctx, call, mirror, acting, taken });
  const fields = createProviderFields({ ...ctx, client });
  let beforeFirstPage: (() => Promise<void>) | undefined;
  return {
    ...ctx,
    client,
    call,
    requireKey,
    tokens,
    acting,
    access,
    fields,
    mirror,
    seals,
    productName: product.name,
    welcome: async () => beforeFirstPage?.(),
    beforeFirstPage: (work) => void (beforeFirstPage = work),
    check: () => checkProvider(client),
  };
}

/** What a member does, where the provider keeps them. */
export function createProviderBackend(ctx: Provider): Backend {
  return {
    capabilities: { canChangePassword: false, canClose: false, holdsAll: false },
    logIn: (credentials) => logIn(ctx, credentials),
    findSession: (token) => findSession(ctx, token),
    act: (session, work) => ctx.acting.act(session, work),
    findMember: (email) => findMemberByEmail(ctx, email),
    findAccess: (memberId) => ctx.access.find(memberId),
    async findCoverEnd(memberId) {
      const access = await ctx.access.find(memberId);
      return access.isActive ? access.endsAt : undefined;
    },
    saveProfile: (wish) => saveProfile(ctx, wish),
    favourites: createProviderFavourites(ctx),
    passwordReset: {
      request: (wish) => requestReset(ctx, wish),
      checkCode: (answer) => checkResetCode(ctx, answer),
      // The links of its emails are its own.
      peekLink: async () => false,
      useLink: async () => undefined,
      setPassword: (wish) => setPassword(ctx, wish),
    },
    checkCode: (code) => checkCode(ctx, code),
    keepPassword: async (password) => ctx.seals.password.seal(password),
    isAddressTaken: (wanted) => isAddressTaken(ctx, wanted),
    openAccount: (draft, address) => openAccount(ctx, draft, address),
    startSession: (memberId, browser) => startSession(ctx, memberId, browser),
    forgetsRestingPasswords: true,
    takeSeat: (order) => takeSeat(ctx, order),
    cards: createProviderCards(ctx),
    refunds: undefined,
    completeOrder: (order, trx) => completeOrder({ ...ctx, db: trx }, order),
    writesAboutMoney: true,
    refused: {
      accounts: { register: refuse("Accounts"), admit: refuse("Accounts") },
      membership: { grant: refuse("Subscriptions"), revoke: refuse("Subscriptions"), restore: refuse("Subscriptions") },
      codes: { create: refuse("Codes"), revoke: refuse("Codes") },
    },
  };
}

/** An operator asks us to change what the provider keeps, for which the API has no call. */
class KeptElsewhereError extends Error {
  override name = "KeptElsewhereError";

  constructor(what: string) {
    super(`${what} are kept by the provider at API_URL, and changed there.`);
  }
}

/** Two back ends that number members would give one number twice; of codes and subscriptions one alone may decide. */
function refuse(what: string): () => Promise<never> {
  return () => Promise.reject(new KeptElsewhereError(what));
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
