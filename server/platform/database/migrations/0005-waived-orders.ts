import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** When a buyer asked to start at once and gave up the days in which an order may be cancelled. */
export const waivedOrders: Migration = {
  name: "0005-waived-orders",
  async up(db) {
    await sql`alter table orders add column waived_at text`.execute(db);
  },
};
