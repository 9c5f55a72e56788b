import { AsyncLocalStorage } from "node:async_hooks";

import { after, type Clock, MINUTE_IN_MS } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { KeyedHash, Seal } from "../../seal.ts";
import { api as messages } from "../../refusals.ts";
import type { SessionOwner, Sessions } from "../../sessions/sessions.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import type { ProviderClient, ProviderOutcome } from "./client.ts";
import { ProviderError } from "./line.ts";

/**
 * Makes sure that a 401 is about the member, and not about our own key: a key that was changed there must not log everybody out here.
 * @throws {ProviderError} where the provider does not take our key.
 */
export type RequireKey = () => Promise<void>;

const GOOD_FOR_MS = MINUTE_IN_MS;

export function createRequireKey({ client, clock }: { client: ProviderClient; clock: Clock }): RequireKey {
  let goodUntil: Date | undefined;
  return async () => {
    if (goodUntil && clock() < goodUntil) return;
    const outcome = await client.call("fetchCustomers", { per_page: 1 });
    if (!outcome.ok && (outcome.status === 401 || outcome.status === 403)) {
      throw new ProviderError("the provider does not take our key: is API_KEY right?", { isUnreachable: true });
    }
    goodUntil = after(clock(), GOOD_FOR_MS);
  };
}

/** What is remembered of the members seen last, by number, one thing each; those not seen for longest are forgotten first. */
export type Memory<Thing, Key = number> = {
  get(key: Key): Thing | undefined;
  set(key: Key, thing: Thing): void;
  delete(key: Key): void;
};

const MOST = 10_000;

export function createMemory<Thing, Key = number>(most = MOST): Memory<Thing, Key> {
  const things = new Map<Key, Thing>();
  return {
    get: (key) => things.get(key),
    set(key, thing) {
      things.delete(key);
      things.set(key, thing);
      for (const oldest of things.keys()) {
        if (things.size <= most) break;
        things.delete(oldest);
      }
    },
    delete: (key) => void things.delete(key),
  };
}

/** The tokens that the provider gave us for members who are logged in here: sealed, one for each session, gone with it. */
export type ProviderTokens = {
  /** Keeps what was got for a session of ours. */
  keep(sessionToken: string, held: { memberId: number; token: string }): Promise<void>;
  /** The newest of a member. */
  find(memberId: number): Promise<HeldToken | undefined>;
  /** What was got for the session whose token has this hash. */
  findOf(sessionHash: string): Promise<HeldToken | undefined>;
  /** Whether there is one for this session of ours. */
  isKept(sessionToken: string): Promise<boolean>;
  /**
   * The provider no longer takes it: the session that it was got for ends, and its member logs in again.
   * @throws {ProviderError} where it is our key that it does not take.
   */
  drop(held: HeldToken): Promise<void>;
  /** The newest of all members, without those of these sessions. */
  listNewest(count: number, besides?: string[]): Promise<HeldToken[]>;
};

export type HeldToken = { memberId: number; token: string; sessionHash: string };

type TokenParts = {
  db: Queries;
  clock: Clock;
  seal: Seal;
  hash: KeyedHash;
  sessions: Pick<Sessions, "endHashed">;
  requireKey: RequireKey;
};

/** `hash` is what sessions are kept under. */
export function createProviderTokens({ db, clock, seal, hash, sessions, requireKey }: TokenParts): ProviderTokens {
  const all = () => db.selectFrom("provider_tokens").select(["member_id", "sealed_token", "session_hash"]);
  const newest = () => all().orderBy("kept_at", "desc").orderBy("session_hash");

  function toHeld(row: { member_id: number; sealed_token: string; session_hash: string }): HeldToken[] {
    const token = seal.open(row.sealed_token);
    return token === undefined ? [] : [{ memberId: row.member_id, token, sessionHash: row.session_hash }];
  }

  return {
    async keep(sessionToken, { memberId, token }) {
      await db
        .insertInto("provider_tokens")
        .values({
          session_hash: hash(sessionToken),
          member_id: memberId,
          sealed_token: seal.seal(token),
          kept_at: clock().toISOString(),
        })
        .execute();
    },

    async find(memberId) {
      const rows = await newest().where("member_id", "=", memberId).limit(1).execute();
      return rows.flatMap(toHeld)[0];
    },

    async findOf(sessionHash) {
      const rows = await all().where("session_hash", "=", sessionHash).execute();
      return rows.flatMap(toHeld)[0];
    },

    async isKept(sessionToken) {
      const row = await db
        .selectFrom("provider_tokens")
        .select("member_id")
        .where("session_hash", "=", hash(sessionToken))
        .executeTakeFirst();
      return row !== undefined;
    },

    async drop({ sessionHash }) {
      await requireKey();
      await sessions.endHashed(sessionHash);
    },

    async listNewest(count, besides = []) {
      const others = besides.length > 0 ? newest().where("session_hash", "not in", besides) : newest();
      return (await others.limit(count).execute()).flatMap(toHeld);
    },
  };
}

/**
 * When the provider last took the token of each session, as far as this process has seen. What another process has seen counts for
 * nothing here: at worst each of them asks once.
 */
export type TakenTokens = {
  note(held: HeldToken): void;
  findTime(whose: { memberId: number; sessionHash: string }): Date | undefined;
  /** All of a member: from now on each has to show again that it is good. */
  forget(memberId: number): void;
};

/** Of one member. */
const MOST_SESSIONS = 100;

export function createTakenTokens({ clock }: { clock: Clock }): TakenTokens {
  const members = createMemory<Memory<Date, string>>();
  return {
    note({ memberId, sessionHash }) {
      const times = members.get(memberId) ?? createMemory<Date, string>(MOST_SESSIONS);
      times.set(sessionHash, clock());
      members.set(memberId, times);
    },
    findTime: ({ memberId, sessionHash }) => members.get(memberId)?.get(sessionHash),
    forget: (memberId) => members.delete(memberId),
  };
}

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
    return { ok: false, status: 401, message: messages.ours["not-logged-in"] };
  };
}

/** Some providers say 403 of a token that is over; of calls that ask for a subscription as well it says that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}
