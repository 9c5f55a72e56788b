import { sql } from "kysely";

import type { Engine } from "../database.ts";
import type { Migration } from "../migration.ts";

/** Indexes that hold only the rows that a timer or a person looks for: without them some queries read all that was ever written. */
export const growth: Migration = {
  name: "0012-growth",
  async up(db, engine) {
    const given = `create index subscriptions_given on subscriptions (${givenColumns[engine]}) ${GIVEN}`;
    for (const statement of [...statements, given]) await sql.raw(statement).execute(db);
  },
};

const GIVEN = "where order_id is null and revoked_at is null";
/** SQLite takes the index of orders unless this one begins with the order; PostgreSQL then sees no order of ends in it. */
const givenColumns: Record<Engine, string> = { sqlite: "order_id, ends_at, id", postgres: "ends_at, id" };

const statements = [
  "create index subscriptions_unannounced on subscriptions (ends_at, id) where end_emailed_at is null and revoked_at is null",
  "create index orders_without_member on orders (lower(email)) where member_id is null",
  "create index orders_to_forget on orders (state, updated_at) where state = 'cancelled' and email <> ''",
  "create index emails_urgent on emails (due_at, id) where is_secret = 1 and due_at is not null",
  "create index emails_farewell on emails (id) where kind = 'account-erased'",
];
