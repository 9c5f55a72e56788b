import type { Context } from "../context.ts";
import { extendTimes, makeSessionToken, startTimes, workLimits } from "../sessions/session-times.ts";
import { describeDevice } from "../sessions/sessions.ts";
import { type Operator, operatorRows, toOperator } from "./context.ts";

/** Sessions of operators: opaque tokens in a cookie of their own, hashes in a table of their own. */
export type StartedOperatorSession = { token: string };

export type FoundOperatorSession = { operator: Operator; tokenHash: string };

export type OperatorSessionView = { device: string; startedAt: Date; seenAt: Date; isThis: boolean };

type SessionsContext = Pick<Context, "db" | "clock" | "keyedHash">;

function hashToken({ keyedHash }: SessionsContext, token: string): string {
  return keyedHash("operator session")(token);
}

export async function startOperatorSession(
  ctx: SessionsContext,
  { operatorId, userAgent }: { operatorId: number; userAgent?: string | undefined },
): Promise<StartedOperatorSession> {
  const token = makeSessionToken();
  await ctx.db
    .insertInto("operator_sessions")
    .values({
      token_hash: hashToken(ctx, token),
      operator_id: operatorId,
      ...startTimes(workLimits, ctx.clock()),
      device: describeDevice(userAgent),
    })
    .execute();
  return { token };
}

export async function findOperatorSession(
  ctx: SessionsContext,
  token: string,
): Promise<FoundOperatorSession | undefined> {
  const now = ctx.clock();
  const tokenHash = hashToken(ctx, token);
  const session = await ctx.db
    .selectFrom("operator_sessions")
    .select(["operator_id", "created_at", "seen_at"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now.toISOString())
    .executeTakeFirst();
  const row = session && (await operatorRows(ctx.db).where("id", "=", session.operator_id).executeTakeFirst());
  if (!row) return undefined;
  const extended = extendTimes(workLimits, session, now);
  if (extended) {
    await ctx.db.updateTable("operator_sessions").set(extended).where("token_hash", "=", tokenHash).execute();
  }
  return { operator: toOperator(row), tokenHash };
}

/** Where an operator is logged in, this browser first, then by last use. */
export async function listOperatorSessions(
  ctx: SessionsContext,
  operatorId: number,
  tokenHash: string,
): Promise<OperatorSessionView[]> {
  const rows = await ctx.db
    .selectFrom("operator_sessions")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .where("expires_at", ">", ctx.clock().toISOString())
    .orderBy("seen_at", "desc")
    .execute();
  return rows
    .map((row) => ({
      device: row.device ?? "A browser",
      startedAt: new Date(row.created_at),
      seenAt: new Date(row.seen_at),
      isThis: row.token_hash === tokenHash,
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}

export async function endOperatorSession(ctx: SessionsContext, token: string): Promise<void> {
  await ctx.db.deleteFrom("operator_sessions").where("token_hash", "=", hashToken(ctx, token)).execute();
}

/** Ends all sessions of an operator but the one with `keptHash`; answers how many. */
export async function endOperatorSessions(
  { db }: Pick<SessionsContext, "db">,
  operatorId: number,
  keptHash = "",
): Promise<number> {
  const others = db.deleteFrom("operator_sessions").where("operator_id", "=", operatorId);
  return Number((await others.where("token_hash", "!=", keptHash).executeTakeFirst()).numDeletedRows);
}
