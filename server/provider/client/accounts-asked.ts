import { toEmailKey } from "../../accounts/rules.ts";
import type { Queries } from "../../database/database.ts";
import type { ProviderContext } from "./context.ts";

/**
 * The accounts that the provider was asked for, one row a draft (table `admissions`), written down before it is asked: after a crash
 * the same account is asked for again, and no second one is opened.
 */
type RowContext = Pick<ProviderContext, "db" | "clock" | "keyedHash" | "seals">;

export type Drafted = { id: number; email: string };

export type AskedAccount = { memberId: number | undefined; token: string | undefined };

function toHash({ keyedHash }: RowContext, email: string): string {
  return keyedHash("admission")(toEmailKey(email));
}

/** Notes that an account is about to be asked for. A draft has one address at a time. */
export async function noteAsked(ctx: RowContext, { id, email }: Drafted): Promise<void> {
  const asked = {
    email_hash: toHash(ctx, email),
    member_id: null,
    token: null,
    asked_at: ctx.clock().toISOString(),
  };
  await ctx.db
    .insertInto("admissions")
    .values({ draft_id: id, ...asked })
    .onConflict((conflict) =>
      conflict.column("draft_id").doUpdateSet(asked).where("admissions.email_hash", "!=", asked.email_hash),
    )
    .execute();
}

/** What was asked for a draft with this address; nothing of an address that it had before. */
export async function findAsked(ctx: RowContext, { id, email }: Drafted): Promise<AskedAccount | undefined> {
  const row = await ctx.db
    .selectFrom("admissions")
    .select(["member_id", "token"])
    .where("draft_id", "=", id)
    .where("email_hash", "=", toHash(ctx, email))
    .executeTakeFirst();
  if (!row) return undefined;
  const token = row.token === null ? undefined : ctx.seals.admission.open(row.token);
  return { memberId: row.member_id ?? undefined, token };
}

/** Notes the member's number, and the token that acts for them. */
export async function noteOpened(
  ctx: RowContext,
  { id, email }: Drafted,
  { memberId, token }: { memberId: number; token: string },
): Promise<void> {
  await ctx.db
    .updateTable("admissions")
    .set({ member_id: memberId, token: ctx.seals.admission.seal(token) })
    .where("draft_id", "=", id)
    .where("email_hash", "=", toHash(ctx, email))
    .execute();
}

/** The provider's number for a draft. */
export async function findMemberOfDraft({ db }: { db: Queries }, draftId: number): Promise<number | undefined> {
  const row = await db.selectFrom("admissions").select("member_id").where("draft_id", "=", draftId).executeTakeFirst();
  return row?.member_id ?? undefined;
}

/** The provider's number for an address that some draft has. */
export async function findMemberOfAddress(ctx: RowContext, email: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("admissions")
    .select("member_id")
    .where("email_hash", "=", toHash(ctx, email))
    .where("member_id", "is not", null)
    .orderBy("asked_at", "desc")
    .executeTakeFirst();
  return row?.member_id ?? undefined;
}

/** The newest token that was got for a member who joins. */
export async function findJoiningToken(
  { db, seals }: Pick<RowContext, "db" | "seals">,
  memberId: number,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom("admissions")
    .select("token")
    .where("member_id", "=", memberId)
    .orderBy("asked_at", "desc")
    .orderBy("draft_id", "desc")
    .execute();
  return rows.flatMap(({ token }) => (token === null ? [] : (seals.admission.open(token) ?? [])))[0];
}

/** Every such token of a member: another is got by the password. */
export async function forgetJoiningTokens({ db }: { db: Queries }, memberId: number): Promise<void> {
  await db.updateTable("admissions").set({ token: null }).where("member_id", "=", memberId).execute();
}
