import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { toEmailKey } from "../accounts/rules.ts";
import type { Challenges } from "../challenges/challenges.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { toDraft, type DraftRow } from "./draft-rows.ts";
import { PURPOSE, subjectOf } from "./verification.ts";

/** What a person has filled in to join or to renew, as long as it is kept: also what never became an account. */
export type DraftRecords = {
  /** Oldest first, without the password. */
  listDraftsFor(person: Person): Promise<DraftRecord[]>;
  /** Forgets the drafts, and the codes and links that were mailed for them. */
  forgetDrafts(person: Person, trx: Queries): Promise<void>;
};

export type DraftRecord = { draft: Omit<DraftRow, "keptPassword">; createdAt: Date; expiresAt: Date };

export function createDraftRecords({ db, challenges }: { db: Queries; challenges: Challenges }): DraftRecords {
  return {
    async listDraftsFor(person) {
      const rows = await db.selectFrom("drafts").selectAll().where(isOf(person)).orderBy("id").execute();
      return rows.map((row) => {
        const { keptPassword: _, ...draft } = toDraft(row);
        return { draft, createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) };
      });
    },

    async forgetDrafts(person, trx) {
      const forgotten = await trx.deleteFrom("drafts").where(isOf(person)).returning(["id", "email"]).execute();
      for (const draft of forgotten) await challenges.void(PURPOSE, subjectOf(draft), trx);
    },
  };
}

/** Only a completed draft has its member's number; what was left half-way is known by the address. */
function isOf({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "drafts">();
  return where.or([
    where("member_id", "=", memberId),
    where.and([where("member_id", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}
