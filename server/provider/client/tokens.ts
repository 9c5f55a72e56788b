import { api as messages } from "../../refusals.ts";
import { hashToken, type SessionOwner } from "../../members/sessions/sessions.ts";
import { type CallInput, type CallName, calls } from "../wire.ts";
import type { ProviderOutcome } from "./answers.ts";
import { BoundedMap, type MemberMemory, type ProviderContext } from "./context.ts";

/** A provider's token for a member who is logged in here: sealed, one for each session, deleted with it. */
export type HeldToken = { memberId: number; token: string; sessionHash: string };

export type ProviderTokens = {
  find(memberId: number): Promise<HeldToken | undefined>;
  listNewest(count: number, besides?: string[]): Promise<HeldToken[]>;
  drop(held: HeldToken): Promise<void>;
};

type TokenContext = Pick<ProviderContext, "db" | "clock" | "keyedHash" | "seals">;

export async function keepToken(
  ctx: TokenContext,
  sessionToken: string,
  { memberId, token }: { memberId: number; token: string },
): Promise<void> {
  await ctx.db
    .insertInto("providerTokens")
    .values({
      sessionHash: hashToken(ctx, sessionToken),
      memberId,
      sealedToken: ctx.seals.token.seal(token),
      storedAt: ctx.clock(),
    })
    .execute();
}

const selectTokens = ({ db }: TokenContext) =>
  db
    .selectFrom("providerTokens")
    .select(["memberId", "sealedToken as token", "sessionHash"])
    .orderBy("storedAt", "desc")
    .orderBy("sessionHash");

async function open({ seals }: TokenContext, rows: Promise<HeldToken[]>): Promise<HeldToken[]> {
  return (await rows).flatMap((row) => {
    const token = seals.token.open(row.token);
    return token === undefined ? [] : [{ ...row, token }];
  });
}

export async function findToken(ctx: TokenContext, memberId: number): Promise<HeldToken | undefined> {
  return (await open(ctx, selectTokens(ctx).where("memberId", "=", memberId).limit(1).execute()))[0];
}

export async function findSessionToken(ctx: TokenContext, sessionHash: string): Promise<HeldToken | undefined> {
  return (await open(ctx, selectTokens(ctx).where("sessionHash", "=", sessionHash).execute()))[0];
}

/** Without those of the sessions `besides`. */
export function listNewestTokens(ctx: TokenContext, count: number, besides: string[] = []): Promise<HeldToken[]> {
  const rows = selectTokens(ctx).limit(count);
  return open(ctx, (besides.length > 0 ? rows.where("sessionHash", "not in", besides) : rows).execute());
}

/**
 * The provider refuses a token: its session ends, and the member logs in again.
 * @throws {ProviderError} where it is our key that it refuses.
 */
export async function dropToken(
  { client, sessions }: Pick<ProviderContext, "client" | "sessions">,
  { sessionHash }: HeldToken,
): Promise<void> {
  await client.requireKey();
  await sessions.endHashed(sessionHash);
}

export function getMemory({ memory }: ProviderContext, memberId: number): MemberMemory {
  const known = memory.get(memberId) ?? { acceptedAt: new BoundedMap(MOST_SESSIONS), asking: new Map() };
  memory.set(memberId, known);
  return known;
}

const MOST_SESSIONS = 100;

export function act<Answer>(
  ctx: ProviderContext,
  { token, memberId }: SessionOwner,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return ctx.acting.run({ sessionHash: hashToken(ctx, token), memberId }, work);
}

export function findActingSession({ acting }: ProviderContext, memberId: number): string | undefined {
  const session = acting.getStore();
  return session?.memberId === memberId ? session.sessionHash : undefined;
}

/** These calls have the token in their body too (docs/api.md). */
const inBody = new Set<CallName>(["login", "patchuser"]);

/**
 * Makes a call for a member: within one of their sessions only with its own token, so that no session lives on
 * another's log-in; otherwise with their newest. A refused token ends its session. Without any token the answer is 401,
 * and the member logs in again.
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

/** Some providers answer 403 for an expired token; for calls that need a subscription it means that there is none. */
function isOver(name: CallName, status: number): boolean {
  return status === 401 || (status === 403 && calls[name].needs === "member");
}
