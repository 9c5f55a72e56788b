import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** A change of address that an operator asked for waits for the old address. */
export const addressHolds: Migration = {
  name: "0023-address-holds",
  async up(db) {
    await db.schema.alterTable("members").addColumn("pending_until", "text").execute();
    await db.schema.alterTable("members").addColumn("pending_proved_at", "text").execute();
    await sql`create index members_by_pending on members (pending_until) where pending_until is not null`.execute(db);
    // One that an operator asked for before would count without the old address: it has to be asked for again.
    await sql`update members set pending_email = null where pending_email is not null
        and id in (select member_id from audit where action = 'member address')`.execute(db);
  },
};
