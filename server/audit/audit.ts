import type { Selectable } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** What operators did, and to whom. Nothing is ever changed in it. */
export type Audit = {
  /** Notes one action; in the transaction of the action itself, so that neither is there without the other. */
  record(action: NewAuditEntry, trx?: Queries): Promise<void>;
  /** What was done to one member, the latest first; it outlives the member. */
  listFor(memberId: number): Promise<AuditEntry[]>;
  /** The latest first, at most `limit`. */
  list(limit: number): Promise<AuditEntry[]>;
};

export type NewAuditEntry = {
  /** Who did it, as the command was told. */
  operator: string;
  /** The command, in words: `member deactivate`. */
  action: string;
  /** None for what is not about one member. */
  memberId?: number | undefined;
  facts: Facts;
};

export type AuditEntry = NewAuditEntry & { id: number; at: Date; memberId: number | undefined };

/** Numbers, names of things, dates as text. Never personal data: an erased member must be gone from here too. */
export type Facts = { [name: string]: Fact };

type Fact = string | number | boolean | null | Fact[] | Facts;

export function createAudit({ db, clock }: { db: Queries; clock: Clock }): Audit {
  return {
    async record({ operator, action, memberId, facts }, trx = db) {
      await trx
        .insertInto("audit")
        .values({
          at: clock().toISOString(),
          operator,
          action,
          member_id: memberId ?? null,
          facts: JSON.stringify(facts),
        })
        .execute();
    },

    async listFor(memberId) {
      const rows = await latestFirst(db).where("member_id", "=", memberId).execute();
      return rows.map(toEntry);
    },

    async list(limit) {
      const rows = await latestFirst(db).limit(limit).execute();
      return rows.map(toEntry);
    },
  };
}

/** By number, not by time: a clock may be set back. */
function latestFirst(db: Queries) {
  return db.selectFrom("audit").selectAll().orderBy("id", "desc");
}

function toEntry(row: Selectable<Schema["audit"]>): AuditEntry {
  const { id, at, operator, action, member_id: memberId, facts } = row;
  return {
    id,
    at: new Date(at),
    operator,
    action,
    memberId: memberId ?? undefined,
    facts: JSON.parse(facts) as Facts,
  };
}
