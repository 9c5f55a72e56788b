import { type Selectable, sql } from "kysely";
import { randomBytes } from "node:crypto";

import { toEmailKey } from "../../platform/email-address.ts";
import { after, HOUR_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { AccountType, Schema } from "../../platform/database/schema.ts";
import type { PlanType } from "../membership/plans.ts";
import { PAYING_LIFE_IN_MS } from "../payments/charging.ts";

/** A visitor's answers so far. They are no account yet, so they block no other person (docs/behaviour.md, Sign-up). */
export type DraftRow = {
  id: number;
  purpose: "join" | "renew";
  state: "open" | "completed" | "refunded";
  memberId: number | undefined;
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  /** As `Joining.protectPassword` made it. */
  protectedPassword: string | undefined;
  code: string | undefined;
  planType: PlanType | undefined;
  isVerified: boolean;
  site: string;
  createdAt: Date;
};

export type StartedDraft = { token: string; expiresAt: Date };

export type DraftDetails = Pick<
  DraftRow,
  "accountType" | "email" | "firstName" | "lastName" | "protectedPassword" | "code" | "isVerified" | "site"
>;

function toColumns(details: DraftDetails) {
  return {
    accountType: details.accountType,
    email: details.email,
    firstName: details.firstName,
    lastName: details.lastName,
    passwordHash: details.protectedPassword ?? null,
    code: details.code ?? null,
    site: details.site,
  };
}

type StoredDraft = Selectable<Schema["drafts"]>;

export function toDraft(row: StoredDraft): DraftRow {
  return {
    id: row.id,
    purpose: row.purpose,
    state: row.state,
    memberId: row.memberId ?? undefined,
    accountType: row.accountType,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    protectedPassword: row.passwordHash ?? undefined,
    code: row.code ?? undefined,
    planType: (row.planType as PlanType | null) ?? undefined,
    isVerified: row.verifiedAt !== null,
    site: row.site,
    createdAt: row.createdAt,
  };
}

const DRAFT_LIFE_IN_MS = 24 * HOUR_IN_MS;
const TOKEN_BYTES = 32;

function toTokenHash({ keyedHash }: Context, token: string): string {
  return keyedHash("draft")(token);
}

export async function findDraft(ctx: Context, token: string): Promise<DraftRow | undefined> {
  const row = await findLiving(ctx, token);
  return row && toDraft(row);
}

function findLiving(ctx: Context, token: string): Promise<StoredDraft | undefined> {
  return ctx.db
    .selectFrom("drafts")
    .selectAll()
    .where("tokenHash", "=", toTokenHash(ctx, token))
    .where("expiresAt", ">", ctx.clock())
    .executeTakeFirst();
}

export async function findStarted(ctx: Context, token: string): Promise<StartedDraft | undefined> {
  const row = await findLiving(ctx, token);
  return row && { token, expiresAt: row.expiresAt };
}

export async function findDraftById({ db }: Pick<Context, "db">, id: number): Promise<DraftRow | undefined> {
  const row = await db.selectFrom("drafts").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toDraft(row);
}

/** A sign-up under way, for operators: without the password. */
export type OpenDraft = Omit<DraftRow, "protectedPassword"> & { expiresAt: Date };

function openDrafts({ db, clock }: Context) {
  const living = db.selectFrom("drafts").selectAll().where("expiresAt", ">", clock());
  return living.where("state", "=", "open");
}

/** The latest first. */
export async function listOpenDrafts(ctx: Context, email: string): Promise<OpenDraft[]> {
  const rows = await openDrafts(ctx)
    .where(sql`lower(email)`, "=", toEmailKey(email))
    .orderBy("id", "desc")
    .execute();
  return rows.map(toOpenDraft);
}

export async function findOpenDraft(ctx: Context, id: number): Promise<OpenDraft | undefined> {
  const row = await openDrafts(ctx).where("id", "=", id).executeTakeFirst();
  return row && toOpenDraft(row);
}

function toOpenDraft(row: StoredDraft): OpenDraft {
  const { protectedPassword: _, ...draft } = toDraft(row);
  return { ...draft, expiresAt: row.expiresAt };
}

export async function listExpiredDrafts({ db, clock }: Context, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("drafts")
    .select("id")
    .where("expiresAt", "<=", clock())
    .orderBy("expiresAt")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function removeDraft({ db }: Pick<Context, "db">, id: number): Promise<void> {
  await db.deleteFrom("drafts").where("id", "=", id).execute();
}

export async function addDraft(
  ctx: Context,
  draft: DraftDetails & { purpose: "join" | "renew"; memberId?: number },
): Promise<StartedDraft & { id: number }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const now = ctx.clock();
  const expiresAt = after(now, DRAFT_LIFE_IN_MS);
  const { id } = await ctx.db
    .insertInto("drafts")
    .values({
      ...toColumns(draft),
      tokenHash: toTokenHash(ctx, token),
      purpose: draft.purpose,
      state: "open",
      memberId: draft.memberId ?? null,
      verifiedAt: draft.isVerified ? now : null,
      createdAt: now,
      expiresAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, token, expiresAt };
}

/** Extends the draft's life too; `undefined` when it is no longer open. */
export async function changeDraft(
  { db, clock }: Context,
  { id, ...details }: DraftDetails & { id: number },
): Promise<Date | undefined> {
  const expiresAt = after(clock(), DRAFT_LIFE_IN_MS);
  const { numUpdatedRows } = await db
    .updateTable("drafts")
    .set({
      ...toColumns(details),
      verifiedAt: details.isVerified ? clock() : null,
      expiresAt,
    })
    .where("id", "=", id)
    .where("state", "=", "open")
    .executeTakeFirst();
  return numUpdatedRows > 0n ? expiresAt : undefined;
}

/** A draft that is being paid for lives at least until its payment has ended. */
export async function extendForPayment({ db, clock }: Context, id: number): Promise<void> {
  const expiresAt = after(clock(), PAYING_LIFE_IN_MS);
  const row = db.updateTable("drafts").set({ expiresAt }).where("id", "=", id);
  await row.where("expiresAt", "<", expiresAt).execute();
}

export async function setPlan(
  { db }: Pick<Context, "db">,
  { id, planType }: { id: number; planType: PlanType },
): Promise<void> {
  const open = db.updateTable("drafts").set({ planType }).where("id", "=", id);
  await open.where("state", "=", "open").execute();
}

/** `false` when the draft has another address by now. */
export async function noteVerified(
  { db, clock }: Context,
  { id, email }: Pick<DraftRow, "id" | "email">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("drafts")
    .set({ verifiedAt: clock() })
    .where("id", "=", id)
    .where("email", "=", email)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends an open draft, once. */
export async function claimDraft({ db }: Pick<Context, "db">, id: number): Promise<DraftRow | undefined> {
  const row = await db
    .updateTable("drafts")
    .set({ state: "completed" })
    .where("id", "=", id)
    .where("state", "=", "open")
    .returningAll()
    .executeTakeFirst();
  return row && toDraft(row);
}

/** The password now belongs to the account, and the draft gets the account's address. */
export async function noteMember(
  { db }: Pick<Context, "db">,
  { id, memberId, email }: { id: number; memberId: number; email: string },
): Promise<void> {
  const became = { memberId, email, passwordHash: null };
  await db.updateTable("drafts").set(became).where("id", "=", id).execute();
}

export async function forgetPassword({ db }: Pick<Context, "db">, id: number): Promise<void> {
  await db.updateTable("drafts").set({ passwordHash: null }).where("id", "=", id).execute();
}

export async function noteRefund({ db }: Pick<Context, "db">, id: number): Promise<void> {
  await db.updateTable("drafts").set({ state: "refunded", passwordHash: null }).where("id", "=", id).execute();
}

/**
 * The member whose session a completed draft may start, once. A renewal starts none: its link came by email, perhaps
 * months ago.
 */
export async function claimDraftSession(ctx: Context, token: string): Promise<number | undefined> {
  const now = ctx.clock();
  const row = await ctx.db
    .updateTable("drafts")
    .set({ sessionClaimedAt: now })
    .where("tokenHash", "=", toTokenHash(ctx, token))
    .where("state", "=", "completed")
    .where("purpose", "=", "join")
    .where("sessionClaimedAt", "is", null)
    .where("expiresAt", ">", now)
    .returning("memberId")
    .executeTakeFirst();
  return row?.memberId ?? undefined;
}
