import type { Context } from "../../context.ts";
import { extendTimes, makeSessionToken, startTimes, workLimits } from "../../members/sessions/session-times.ts";
import { describeDevice, UNKNOWN_DEVICE } from "../../members/sessions/sessions.ts";
import { countChanged } from "../../platform/database/changes.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import { type Operator, toOperator } from "./context.ts";

/** Opaque tokens in a separate cookie, hashes in a separate table. */
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
    .insertInto("operatorSessions")
    .values({
      tokenHash: hashToken(ctx, token),
      operatorId,
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
  const [row] = await selectSession(ctx.db, { tokenHash, now });
  if (!row) return undefined;
  const extended = extendTimes(workLimits, { createdAt: row.startedAt, seenAt: row.seenAt }, now);
  if (extended) {
    await ctx.db.updateTable("operatorSessions").set(extended).where("tokenHash", "=", tokenHash).execute();
  }
  return { operator: toOperator(row), tokenHash };
}

const selectSession = prepareQuery((db, { tokenHash, now }: { tokenHash: string; now: Date }) =>
  db
    .selectFrom("operatorSessions")
    .innerJoin("operators", "operators.id", "operatorSessions.operatorId")
    .selectAll("operators")
    .select(["operatorSessions.createdAt as startedAt", "operatorSessions.seenAt"])
    .where("operatorSessions.tokenHash", "=", tokenHash)
    .where("operatorSessions.expiresAt", ">", now),
);

/** This browser first, then by last use. */
export async function listOperatorSessions(
  ctx: SessionsContext,
  operatorId: number,
  tokenHash: string,
): Promise<OperatorSessionView[]> {
  const rows = await ctx.db
    .selectFrom("operatorSessions")
    .selectAll()
    .where("operatorId", "=", operatorId)
    .where("expiresAt", ">", ctx.clock())
    .orderBy("seenAt", "desc")
    .execute();
  return rows
    .map((row) => ({
      device: row.device ?? UNKNOWN_DEVICE,
      startedAt: row.createdAt,
      seenAt: row.seenAt,
      isThis: row.tokenHash === tokenHash,
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}

export async function endOperatorSession(ctx: SessionsContext, token: string): Promise<void> {
  await ctx.db.deleteFrom("operatorSessions").where("tokenHash", "=", hashToken(ctx, token)).execute();
}

/** All but the one with `currentHash`; returns how many. */
export function endOperatorSessions(
  { db }: Pick<SessionsContext, "db">,
  operatorId: number,
  currentHash = "",
): Promise<number> {
  const others = db.deleteFrom("operatorSessions").where("operatorId", "=", operatorId);
  return countChanged(others.where("tokenHash", "!=", currentHash));
}
