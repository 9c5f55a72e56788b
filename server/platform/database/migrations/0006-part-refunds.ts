import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Parts of charges that went back while their orders stayed completed. */
export const partRefunds: Migration = {
  name: "0006-part-refunds",
  async up(db) {
    await sql`create table part_refunds (
      payment_id integer not null references payments (id),
      number integer not null,
      amount_in_pence integer not null check (amount_in_pence > 0),
      state text not null check (state in ('refunding', 'refunded', 'refund-failed')),
      refund_id text unique,
      created_at text not null,
      updated_at text not null,
      constraint part_refunds_key primary key (payment_id, number)
    )`.execute(db);
    await sql`create index part_refunds_by_state on part_refunds (state, updated_at)`.execute(db);
  },
};
