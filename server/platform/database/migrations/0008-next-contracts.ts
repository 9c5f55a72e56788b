import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** The terms that a company's contract has from its next collection on. */
export const nextContracts: Migration = {
  name: "0008-next-contracts",
  async up(db) {
    await sql`alter table companies add column next_accounts integer`.execute(db);
    await sql`alter table companies add column next_price_in_pence integer`.execute(db);
  },
};
