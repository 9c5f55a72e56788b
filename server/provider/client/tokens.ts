import { api as messages } from "../../refusals.ts";
import type { SessionOwner } from "../../members/sessions/sessions.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import type { ProviderOutcome } from "./answers.ts";
import { BoundedMap, type MemberMemory, type ProviderContext } from "./context.ts";

/** The tokens that the provider gave us for members who are logged in here: sealed, one for each session, gone with it. */
export type HeldToken = { memberId: number; token: string; sessionHash: string };

/** The tokens of members who are logged in here, with which the content adapter reads. */
export type ProviderTokens = {
  find(memberId: number): Promise<HeldToken | undefined>;
  listNewest(count: number, besides?: string[]): Promise<HeldToken[]>;
  drop(held: HeldToken): Promise<void>;
};

type TokenContext = Pick<ProviderContext, "db" | "clock" | "keyedHash" | "seals">;

export function toSessionHash({ keyedHash }: TokenContext, sessionToken: string): string {
  return keyedHash("session")(sessionToken);
}

/** Keeps what was got for a session of ours. */
export async function keepToken(
  ctx: TokenContext,
  sessionToken: string,
  { memberId, token }: { memberId: number; token: string },
): Promise<void> {
  await ctx.db
    .insertInto("providerTokens")
    .values({
      sessionHash: toSessionHash(ctx, sessionToken),
      memberId,
      sealedToken: ctx.seals.token.seal(token),
      storedAt: ctx.clock(),
    })
    .execute();
}

const selectTokens = ({ db }: TokenContext) =>
  db
    .selectFrom("providerTokens")
    .select(["memberId as memberId", "sealedToken as token", "sessionHash as sessionHash"])
    .orderBy("storedAt", "desc")
    .orderBy("sessionHash");

async function open({ seals }: TokenContext, rows: Promise<HeldToken[]>): Promise<HeldToken[]> {
  return (await rows).flatMap((row) => {
    const token = seals.token.open(row.token);
    return token === undefined ? [] : [{ ...row, token }];
  });
}

/** The newest token of a member. */
export async function findToken(ctx: TokenContext, memberId: number): Promise<HeldToken | undefined> {
  return (await open(ctx, selectTokens(ctx).where("memberId", "=", memberId).limit(1).execute()))[0];
}

export async function findSessionToken(ctx: TokenContext, sessionHash: string): Promise<HeldToken | undefined> {
  return (await open(ctx, selectTokens(ctx).where("sessionHash", "=", sessionHash).execute()))[0];
}

/** The newest tokens of all members, without those of the sessions `besides`. */
export function listNewestTokens(ctx: TokenContext, count: number, besides: string[] = []): Promise<HeldToken[]> {
  const rows = selectTokens(ctx).limit(count);
  return open(ctx, (besides.length > 0 ? rows.where("sessionHash", "not in", besides) : rows).execute());
}

/**
 * The provider no longer accepts a token: the session that it was got for ends, and its member logs in again.
 * @throws {ProviderError} where it is our key that it does not accept.
 */
export async function dropToken(
  { client, sessions }: Pick<ProviderContext, "client" | "sessions">,
  { sessionHash }: HeldToken,
): Promise<void> {
  await client.requireKey();
  await sessions.endHashed(sessionHash);
}

/** The remembered tokens of a member; empty where there are none. */
export function getMemory({ memory }: ProviderContext, memberId: number): MemberMemory {
  const known = memory.get(memberId) ?? { acceptedAt: new BoundedMap(MOST_SESSIONS), asking: new Map() };
  memory.set(memberId, known);
  return known;
}

/** Of one member. */
const MOST_SESSIONS = 100;

/** Runs `work` on behalf of a session. */
export function act<Answer>(
  ctx: ProviderContext,
  { token, memberId }: SessionOwner,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return ctx.acting.run({ sessionHash: toSessionHash(ctx, token), memberId }, work);
}

/** The hash of the session that something is done for, if it is one of this member's. */
export function findActingSession({ acting }: ProviderContext, memberId: number): string | undefined {
  const session = acting.getStore();
  return session?.memberId === memberId ? session.sessionHash : undefined;
}

/** These calls have the token in their body too (docs/api.md). */
const inBody = new Set<CallName>(["login", "patchuser"]);

/**
 * Makes a call for a member: for one of their sessions with its own token and no other, so that no session lives on another's log-in;
 * else with the newest token they have. A token that the provider no longer accepts ends the session that it was got for. Where none is
 * left the call is refused with 401, and the member logs in again.
 * @throws {ProviderError}
 */
export async function callForMember<Name extends CallName>(
  ctx: ProviderContext,
  name: Name,
  { input, address }: { input: CallInput<Name> & { id: number }; address?: string },
): Promise<ProviderOutcome<Name>> {
  const memberId = input.id;
  const session = findActingSession(ctx, memberId);
  const find = () => (session === undefined ? findToken(ctx, memberId) : findSessionToken(ctx, session));
  for (let held = await find(); held; held = await find()) {
    const { token } = held;
    const outcome = await ctx.client.call(name, inBody.has(name) ? { ...input, token } : input, { token, address });
    if (outcome.ok) getMemory(ctx, memberId).acceptedAt.set(held.sessionHash, ctx.clock());
    if (outcome.ok || !isOver(name, outcome.status)) return outcome;
    await dropToken(ctx, held);
  }
  return { ok: false, status: 401, message: messages["not-logged-in"] };
}

/** Some providers say 403 of a token that is over; of calls that ask for a subscription as well it says that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}
