import type { Context } from "../../context.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import { avatarHashes } from "../avatars/avatars.ts";
import { extendSession, hashToken, liveSession, type Session } from "../sessions/sessions.ts";
import { type Member, memberColumns, openMembers, toMember } from "./members.ts";

/** The live session behind a token, its member, and the name of their picture. */
export type FoundCaller = { session: Session; member: Member; avatar: string | undefined };

/** One statement, because every page of a member begins with it. */
const selectCaller = prepareQuery((db, live: { tokenHash: string; now: Date }) =>
  liveSession(db, live)
    .innerJoin(openMembers(db).as("member"), "member.id", "sessions.memberId")
    .leftJoin(avatarHashes(db).as("avatar"), "avatar.memberId", "sessions.memberId")
    .select([...memberColumns, "hash"]),
);

/** Extends the session, which is in use. */
export async function findCaller(ctx: Context, token: string): Promise<FoundCaller | undefined> {
  const now = ctx.clock();
  const [row] = await selectCaller(ctx.db, { tokenHash: hashToken(ctx, token), now });
  if (!row) return undefined;
  return { session: await extendSession(ctx, row, now), member: toMember(row), avatar: row.hash ?? undefined };
}
