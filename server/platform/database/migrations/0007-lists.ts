import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Finds the terms that were ended before their time, for a list. */
export const lists: Migration = {
  name: "0007-lists",
  async up(db) {
    await sql`create index subscriptions_revoked on subscriptions (revoked_at, id) where revoked_at is not null`.execute(
      db,
    );
  },
};
