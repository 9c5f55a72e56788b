import { AsyncLocalStorage } from "node:async_hooks";

import type { Accounts } from "../../accounts/accounts.ts";
import type { MemberMirror } from "../../accounts/member-mirror.ts";
import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import type { KeyedHash } from "../../seal.ts";
import type { Access, Membership } from "../../membership/membership.ts";
import { api as words } from "../../refusals.ts";
import type { SessionOwner, Sessions } from "../../sessions/sessions.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import { toInstant } from "./answers.ts";
import type { ProviderClient, ProviderOutcome } from "./client.ts";
import { KeptElsewhereError } from "./errors.ts";
import { ProviderError } from "./line.ts";
import { createMemory, type ProviderTokens, type TakenTokens } from "./tokens.ts";

/**
 * For whose session something is done. Services know members and no sessions, so it goes beside them: whatever call they make meanwhile
 * finds it, and is made with what the provider gave for this very session.
 */
export type ActingSession = {
  act<Answer>(session: SessionOwner, work: () => Promise<Answer>): Promise<Answer>;
  /** What is kept of its token, if it is one of this member's. */
  findHash(memberId: number): string | undefined;
};

/** `hash` is what sessions are kept under. */
export function createActingSession({ hash }: { hash: KeyedHash }): ActingSession {
  const acting = new AsyncLocalStorage<{ sessionHash: string; memberId: number }>();
  return {
    act: ({ token, memberId }, work) => acting.run({ sessionHash: hash(token), memberId }, work),
    findHash(memberId) {
      const session = acting.getStore();
      return session?.memberId === memberId ? session.sessionHash : undefined;
    },
  };
}

/**
 * Makes a call for a member: for one of their sessions with its own token and no other, so that nobody lives on what somebody else has
 * logged in for; else with the newest they have. A token that the provider no longer takes ends the session that it was got for. Where
 * none is left the call is refused with 401, and the member logs in again.
 * @throws {ProviderError}
 */
export type CallForMember = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  member: { memberId: number; address?: string | undefined },
) => Promise<ProviderOutcome<Name>>;

/** Spec, section 7: these have the token in their body too. */
const inBody = new Set<CallName>(["login", "patchuser"]);

type CallParts = { client: ProviderClient; tokens: ProviderTokens; acting: ActingSession; taken: TakenTokens };

export function createCallForMember({ client, tokens, acting, taken }: CallParts): CallForMember {
  return async (name, input, { memberId, address }) => {
    const session = acting.findHash(memberId);
    const find = () => (session === undefined ? tokens.find(memberId) : tokens.findOf(session));
    for (let held = await find(); held; held = await find()) {
      const { token } = held;
      const outcome = await client.call(name, inBody.has(name) ? { ...input, token } : input, { token, address });
      if (outcome.ok) taken.note(held);
      if (outcome.ok || !isOver(name, outcome.status)) return outcome;
      await tokens.drop(held);
    }
    return { ok: false, status: 401, message: words.ours["not-logged-in"] };
  };
}

/** Some providers say 403 of a token that is over; of calls that ask for a subscription as well it says that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}

/** How members stand with the provider, asked for seldom: whether a subscription runs, and until when if that is told. */
export type Standing = {
  /** For a session it is asked again, with its own token, where the provider has not taken that one lately. */
  find(memberId: number): Promise<Access>;
  /** Something has happened: the next one who asks is told what is so by now. */
  forget(memberId: number): void;
};

type StandingParts = {
  call: CallForMember;
  mirror: MemberMirror;
  clock: Clock;
  acting: ActingSession;
  taken: TakenTokens;
};

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long the last good answer holds while the provider gives none. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** What is told beside it, and changes seldom: names, address, when a subscription ends. */
const DETAILS_FOR_MS = HOUR_IN_MS;

type Known = { isActive: boolean; endsAt: Date | undefined; askedAt: Date; detailsAt: Date | undefined };

export function createStanding(parts: StandingParts): Standing {
  const { call, clock, acting, taken } = parts;
  const memory = createMemory<Known>();
  const resting = createMemory<Date>();
  /** By member, or by the session whose token is looked at: another's answer says nothing of that. */
  const asking = new Map<number | string, Promise<Access>>();

  async function find(memberId: number): Promise<Access> {
    const now = clock();
    const known = memory.get(memberId);
    const sessionHash = acting.findHash(memberId);
    const isTaken = sessionHash === undefined || isFresh(taken.findTime({ memberId, sessionHash }), now);
    if (known && isTaken && isFresh(known.askedAt, now)) return toAccess(known, now);
    const restsUntil = resting.get(memberId);
    if (restsUntil && now < restsUntil) return toHeldAccess(known, now);
    const asker = sessionHash ?? memberId;
    const under = asking.get(asker);
    if (under) return under;
    const work = ask(memberId, known).finally(() => asking.delete(asker));
    asking.set(asker, work);
    return work;
  }

  async function ask(memberId: number, known: Known | undefined): Promise<Access> {
    try {
      const outcome = await call("getsubscriptionstatus", { id: memberId }, { memberId });
      if (outcome.ok) return await note(memberId, { isActive: outcome.answer, known });
      if (outcome.status === 401) return { isActive: false };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
    resting.set(memberId, after(clock(), FRESH_FOR_MS));
    return toHeldAccess(known, clock());
  }

  async function note(memberId: number, { isActive, known }: { isActive: boolean; known: Known | undefined }) {
    const askedAt = clock();
    const isKnown = known?.detailsAt && askedAt < after(known.detailsAt, DETAILS_FOR_MS) && known.isActive === isActive;
    const details = isKnown ? known : await askDetails(memberId, parts);
    const noted = { isActive, askedAt, endsAt: details.endsAt, detailsAt: details.detailsAt };
    memory.set(memberId, noted);
    return toAccess(noted, askedAt);
  }

  return {
    find,
    forget(memberId) {
      memory.delete(memberId);
      taken.forget(memberId);
      resting.delete(memberId);
    },
  };
}

/** What else a provider tells of a member. Without it they see their content all the same. */
async function askDetails(
  memberId: number,
  { call, mirror, clock }: Pick<StandingParts, "call" | "mirror" | "clock">,
): Promise<Pick<Known, "endsAt" | "detailsAt">> {
  const detailsAt = clock();
  try {
    const outcome = await call("getcurrentuser", { id: memberId }, { memberId });
    if (!outcome.ok) return { endsAt: undefined, detailsAt };
    const [{ first_name, last_name, email, subscription_ends_at: end }] = outcome.answer;
    if (email) {
      const names = { firstName: first_name ?? undefined, lastName: last_name ?? undefined };
      await mirror.remember({ id: memberId, email, ...names });
    }
    return { endsAt: toInstant(end), detailsAt };
  } catch (error) {
    if (error instanceof ProviderError) return { endsAt: undefined, detailsAt };
    throw error;
  }
}

function isFresh(at: Date | undefined, now: Date): boolean {
  return at !== undefined && now < after(at, FRESH_FOR_MS);
}

/** A date that is past may be an old one: it is the provider who says what runs. */
function toAccess({ isActive, endsAt }: Known, now: Date): Access {
  if (!isActive) return { isActive: false };
  return endsAt && endsAt > now ? { isActive: true, endsAt } : { isActive: true };
}

function toHeldAccess(known: Known | undefined, now: Date): Access {
  if (known && now < after(known.askedAt, HOLDS_FOR_MS)) return toAccess(known, now);
  return { isActive: false, isUnknown: true };
}

type SessionParts = { tokens: ProviderTokens; standing: Standing; acting: ActingSession };

/**
 * Sessions of ours live as long as the provider's token behind them, each as long as its own: who is logged in elsewhere with a newer
 * one keeps no other alive.
 */
export function createRemoteSessions(own: Sessions, { tokens, standing, acting }: SessionParts): Sessions {
  return {
    ...own,
    async find(token) {
      const session = await own.find(token);
      if (!session) return undefined;
      const { memberId } = session;
      // Where the provider no longer takes the token, this ends the session.
      await acting.act({ token, memberId }, () => standing.find(memberId));
      return (await tokens.isKept(token)) ? session : undefined;
    },
    act: (session, work) => acting.act(session, work),
  };
}

/** Subscriptions that the provider keeps: it says whether one runs, and what it was sold for is its own affair. */
export function createRemoteMembership(own: Membership, standing: Standing): Membership {
  return {
    ...own,
    findAccess: (memberId) => standing.find(memberId),
    async findCoverEnd(memberId) {
      const access = await standing.find(memberId);
      return access.isActive ? access.endsAt : undefined;
    },
    listFor: async () => [],
    grant: refuseSubscription,
    revoke: refuseSubscription,
    restore: refuseSubscription,
  };
}

async function refuseSubscription(): Promise<never> {
  throw new KeptElsewhereError("Subscriptions");
}

/** Accounts that the provider keeps. Here are only the members who have been seen, and none is added but by the provider. */
export function createRemoteAccounts(own: Accounts, client: ProviderClient): Accounts {
  return {
    ...own,

    async findByEmail(email) {
      const outcome = await client.call("grabuserid", { email: email.trim() });
      if (!outcome.ok) return undefined;
      const { id } = outcome.answer;
      const known = await own.findMember(id);
      return known ?? { id, email: email.trim(), firstName: "", lastName: "", accountType: "individual" };
    },

    findMemberByPassword: async () => undefined,
    register: refuseAccount,
    admit: refuseAccount,
  };
}

/** Two that number members would give one number twice. */
async function refuseAccount(): Promise<never> {
  throw new KeptElsewhereError("Accounts");
}
