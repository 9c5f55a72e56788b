import { domainToUnicode } from "node:url";

import { sql } from "kysely";

import type { Queries } from "../database.ts";
import type { Migration } from "../migration.ts";

const places: Record<string, string[]> = {
  members: ["email", "email_key", "pending_email", "closed_email"],
  drafts: ["email"],
  orders: ["email"],
  emails: ["recipient"],
  companies: ["contact_email"],
  company_contacts: ["email", "email_key"],
  operators: ["email", "email_key"],
};

/** Addresses are stored with their domain in letters: until now `müller.example` was stored as `xn--mller-kva.example`, and refused as typed. */
export const domainsInLetters: Migration = {
  name: "0014-domains-in-letters",
  async up(db) {
    for (const [tableName, columns] of Object.entries(places)) {
      for (const columnName of columns) {
        const [table, column] = [sql.table(tableName), sql.ref(columnName)];
        const { rows } = await sql<{ id: number; address: string }>`
          select id, ${column} as address from ${table} where lower(${column}) like '%xn--%' order by id`.execute(db);
        for (const { id, address } of rows) {
          const place = address.lastIndexOf("@") + 1;
          const domain = domainToUnicode(address.slice(place));
          if (domain === "" || /(?:^|\.)xn--/.test(domain)) continue;
          const shown = address.slice(0, place) + domain;
          // Of two rows for one member of a provider its next answer about either mends both.
          if (columnName === "email_key" && tableName === "members" && (await isTaken(db, shown))) continue;
          await sql`update ${table} set ${column} = ${shown} where id = ${id}`.execute(db);
        }
      }
    }
  },
};

async function isTaken(db: Queries, key: string): Promise<boolean> {
  return (await sql`select 1 from members where email_key = ${key}`.execute(db)).rows.length > 0;
}
