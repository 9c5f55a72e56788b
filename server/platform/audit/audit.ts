import type { Selectable } from "kysely";

import type { Clock } from "../clock.ts";
import { MAX_ID, type Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { AuditAction, Facts } from "./labels.ts";

/** The log of operators' acts, each with its subject and reason. An entry changes only when its member's account is merged into another, or an erasure removes the reason. */
export type Audit = ReturnType<typeof createAudit>;

export type Author = {
  /** The operator's address at the desk, or the name given to a command. */
  operator: string;
  /** The desk requires it for every act, a command does not. */
  reason?: string | undefined;
};

/** Writes an act's audit line in the transaction of its work. */
export type AuditNote = (trx: Queries) => Promise<void>;

export type NewAuditEntry = Author & {
  action: AuditAction;
  /** None for what is not about one member. */
  memberId?: number | undefined;
  facts: Facts;
};

export type AuditEntry = Omit<NewAuditEntry, "action"> & {
  id: number;
  /** One of an older version may have another name than those of today. */
  action: string;
  at: Date;
  memberId: number | undefined;
  reason: string | undefined;
};

export type AuditFilter = {
  operator?: string | undefined;
  action?: string | undefined;
  memberId?: number | undefined;
  span?: { from: Date | undefined; to: Date | undefined };
  before?: number | undefined;
};

export function createAudit({ db, clock }: { db: Queries; clock: Clock }) {
  return {
    /** Call it in the action's own transaction, so that neither exists without the other. */
    async record({ operator, reason, action, memberId, facts }: NewAuditEntry, trx: Queries = db): Promise<void> {
      await trx
        .insertInto("audit")
        .values({
          at: clock(),
          operator,
          action,
          memberId: memberId ?? null,
          facts: JSON.stringify(facts),
          reason: reason ?? null,
        })
        .execute();
    },

    /** The latest first; entries outlive the member. */
    async listFor(memberId: number): Promise<AuditEntry[]> {
      const rows = await latestFirst(db).where("memberId", "=", memberId).execute();
      return rows.map(toEntry);
    },

    /** Those that match all of the filter, the latest first. */
    async list(limit: number, filter: AuditFilter = {}): Promise<AuditEntry[]> {
      const { operator, action, memberId, span, before = MAX_ID } = filter;
      // With a bound the newest are found by the key.
      let found = latestFirst(db).where("id", "<", before).limit(limit);
      if (operator !== undefined) found = found.where("operator", "=", operator);
      if (action !== undefined) found = found.where("action", "=", action);
      if (memberId !== undefined) found = found.where("memberId", "=", memberId);
      if (span?.from) found = found.where("at", ">=", span.from);
      if (span?.to) found = found.where("at", "<", span.to);
      return (await found.execute()).map(toEntry);
    },

    /** Moves the entries of one account to another of the same person, so that an erasure finds their reasons. */
    async move({ from, to }: { from: number; to: number }, trx: Queries): Promise<void> {
      await trx.updateTable("audit").set({ memberId: to }).where("memberId", "=", from).execute();
    },

    /** Deletes the reasons written about a member: operators' own words may name the person. */
    async forgetReasons(memberId: number, trx: Queries): Promise<void> {
      await trx.updateTable("audit").set({ reason: null }).where("memberId", "=", memberId).execute();
    },
  };
}

/** By number, not by time: a clock may be set back. */
function latestFirst(db: Queries) {
  return db.selectFrom("audit").selectAll().orderBy("id", "desc");
}

function toEntry(row: Selectable<Schema["audit"]>): AuditEntry {
  const { id, at, operator, action, memberId, facts, reason } = row;
  return {
    id,
    at,
    operator,
    reason: reason ?? undefined,
    action,
    memberId: memberId ?? undefined,
    facts: JSON.parse(facts) as Facts,
  };
}
