import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** The last four digits of the card of a payment, by which an operator finds who paid. */
export const cardDigits: Migration = {
  name: "0009-card-digits",
  async up(db) {
    await sql`alter table payments add column card_last4 text`.execute(db);
    await sql`create index payments_by_card on payments (card_last4, created_at) where card_last4 is not null`.execute(
      db,
    );
    await sql`create index payments_without_card on payments (created_at) where card_last4 is null`.execute(db);
  },
};
