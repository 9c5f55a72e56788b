import type { Selectable } from "kysely";
import { randomBytes } from "node:crypto";

import { after, type Clock, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType, Schema } from "../database/schema.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import type { PlanType } from "../membership/plans.ts";
import { ABANDONED_AFTER_IN_MS } from "../payments/charging.ts";
import type { StartedDraft } from "./sign-up.ts";

/** What somebody has filled in so far. Nothing of it is an account yet, so it stands in nobody's way (design, section 4). */
export type DraftRow = {
  id: number;
  purpose: "join" | "renew";
  state: "open" | "completed" | "refunded";
  memberId: number | undefined;
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  /** As `Admission.keepPassword` made it. */
  keptPassword: string | undefined;
  code: string | undefined;
  planType: PlanType | undefined;
  isVerified: boolean;
  site: string;
};

export type DraftDetails = Pick<
  DraftRow,
  "accountType" | "email" | "firstName" | "lastName" | "keptPassword" | "code" | "isVerified" | "site"
>;

/** The columns that hold what a person typed. */
function toColumns(details: DraftDetails) {
  return {
    account_type: details.accountType,
    email: details.email,
    first_name: details.firstName,
    last_name: details.lastName,
    password_hash: details.keptPassword ?? null,
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
    memberId: row.member_id ?? undefined,
    accountType: row.account_type,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    keptPassword: row.password_hash ?? undefined,
    code: row.code ?? undefined,
    planType: (row.plan_type as PlanType | null) ?? undefined,
    isVerified: row.verified_at !== null,
    site: row.site,
  };
}

const DRAFT_LIFE_IN_MS = 24 * HOUR_IN_MS;
/** Who pays at the last minute comes back to the page that tells of it: a payment is open until it is closed as abandoned, and a little. */
const PAYING_LIFE_IN_MS = ABANDONED_AFTER_IN_MS + 30 * MINUTE_IN_MS;
const TOKEN_BYTES = 32;

type Parts = { db: Queries; clock: Clock; hash: KeyedHash };

/** The drafts' own queries. Those that belong to a larger step take its transaction as `on`. */
export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(parts: Parts) {
  return { ...createFinding(parts), ...createStarting(parts), ...createFilling(parts), ...createEnding(parts) };
}

function createFinding({ db, clock, hash }: Parts) {
  return {
    async find(token: string): Promise<DraftRow | undefined> {
      const row = await db
        .selectFrom("drafts")
        .selectAll()
        .where("token_hash", "=", hash(token))
        .where("expires_at", ">", clock().toISOString())
        .executeTakeFirst();
      return row && toDraft(row);
    },

    /** Until when a living draft is kept, here and in its browser. */
    async findStarted(token: string): Promise<StartedDraft | undefined> {
      const row = await db
        .selectFrom("drafts")
        .select("expires_at")
        .where("token_hash", "=", hash(token))
        .where("expires_at", ">", clock().toISOString())
        .executeTakeFirst();
      return row && { token, expiresAt: new Date(row.expires_at) };
    },

    async findById(id: number, on: Queries = db): Promise<DraftRow | undefined> {
      const row = await on.selectFrom("drafts").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toDraft(row);
    },

    async listExpired(limit: number): Promise<number[]> {
      const rows = await db
        .selectFrom("drafts")
        .select("id")
        .where("expires_at", "<=", clock().toISOString())
        .orderBy("expires_at")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async remove(id: number): Promise<void> {
      await db.deleteFrom("drafts").where("id", "=", id).execute();
    },
  };
}

function createStarting({ clock, hash }: Parts) {
  return {
    async add(
      draft: DraftDetails & { purpose: "join" | "renew"; memberId?: number },
      on: Queries,
    ): Promise<StartedDraft & { id: number }> {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const now = clock();
      const expiresAt = after(now, DRAFT_LIFE_IN_MS);
      const { id } = await on
        .insertInto("drafts")
        .values({
          ...toColumns(draft),
          token_hash: hash(token),
          purpose: draft.purpose,
          state: "open",
          member_id: draft.memberId ?? null,
          verified_at: draft.isVerified ? now.toISOString() : null,
          created_at: now.toISOString(),
          expires_at: expiresAt.toISOString(),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, token, expiresAt };
    },
  };
}

function createFilling({ db, clock }: Parts) {
  return {
    /** Replaces the details of an open draft and lets it live on; `undefined` when it is no longer open. */
    async change(id: number, details: DraftDetails, on: Queries): Promise<Date | undefined> {
      const expiresAt = after(clock(), DRAFT_LIFE_IN_MS);
      const { numUpdatedRows } = await on
        .updateTable("drafts")
        .set({
          ...toColumns(details),
          verified_at: details.isVerified ? clock().toISOString() : null,
          expires_at: expiresAt.toISOString(),
        })
        .where("id", "=", id)
        .where("state", "=", "open")
        .executeTakeFirst();
      return numUpdatedRows > 0n ? expiresAt : undefined;
    },

    /** Lets a draft that is to be paid for live at least until its payment has ended. */
    async outlivePayment(id: number): Promise<void> {
      const expiresAt = after(clock(), PAYING_LIFE_IN_MS).toISOString();
      const row = db.updateTable("drafts").set({ expires_at: expiresAt }).where("id", "=", id);
      await row.where("expires_at", "<", expiresAt).execute();
    },

    async setPlan(id: number, planType: PlanType): Promise<void> {
      const open = db.updateTable("drafts").set({ plan_type: planType }).where("id", "=", id);
      await open.where("state", "=", "open").execute();
    },

    /** Notes that whoever fills in the draft reads its address; `false` when it has another address by now. */
    async verify({ id, email }: Pick<DraftRow, "id" | "email">, on: Queries): Promise<boolean> {
      const { numUpdatedRows } = await on
        .updateTable("drafts")
        .set({ verified_at: clock().toISOString() })
        .where("id", "=", id)
        .where("email", "=", email)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

function createEnding({ db, clock, hash }: Parts) {
  return {
    /** Takes an open draft to its end, once, whoever asks. */
    async claim(id: number, on: Queries): Promise<DraftRow | undefined> {
      const row = await on
        .updateTable("drafts")
        .set({ state: "completed" })
        .where("id", "=", id)
        .where("state", "=", "open")
        .returningAll()
        .executeTakeFirst();
      return row && toDraft(row);
    },

    /** The password is the account's from now on, and the account's address the one to log in with. */
    async noteMember(id: number, { id: memberId, email }: { id: number; email: string }, on: Queries): Promise<void> {
      const became = { member_id: memberId, email, password_hash: null };
      await on.updateTable("drafts").set(became).where("id", "=", id).execute();
    },

    async forgetPassword(id: number): Promise<void> {
      await db.updateTable("drafts").set({ password_hash: null }).where("id", "=", id).execute();
    },

    async noteRefund(id: number, on: Queries): Promise<void> {
      await on.updateTable("drafts").set({ state: "refunded", password_hash: null }).where("id", "=", id).execute();
    },

    /** Whose session a completed draft may start, once. A renewal starts none: its link came by mail, months ago perhaps. */
    async claimSession(token: string): Promise<number | undefined> {
      const row = await db
        .updateTable("drafts")
        .set({ session_claimed_at: clock().toISOString() })
        .where("token_hash", "=", hash(token))
        .where("state", "=", "completed")
        .where("purpose", "=", "join")
        .where("session_claimed_at", "is", null)
        .where("expires_at", ">", clock().toISOString())
        .returning("member_id")
        .executeTakeFirst();
      return row?.member_id ?? undefined;
    },
  };
}
