import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Indexes for the filters of the audit log, which is never emptied. */
export const auditFilters: Migration = {
  name: "0017-audit-filters",
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  "create index audit_by_operator on audit (operator, id)",
  "create index audit_by_action on audit (action, id)",
  "create index audit_by_time on audit (at)",
];
