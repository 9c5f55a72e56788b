import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** How the jobs ran, counts by day, searches without a result; and indexes for what the desk lists and counts. */
export const figures: Migration = {
  name: "0022-figures",
  async up(db) {
    await db.schema
      .createTable("job_runs")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("took_ms", "integer", (column) => column.notNull())
      .addColumn("result", "text", (column) => column.notNull().check(sql`result in ('done', 'failed')`))
      .addColumn("failed_at", "text")
      .addColumn("error", "text")
      .execute();
    await db.schema
      .createTable("daily_counts")
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("measure", "text", (column) => column.notNull())
      .addColumn("value", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("daily_counts_key", ["day", "measure"])
      .execute();
    await db.schema
      .createTable("empty_searches")
      .addColumn("month", "text", (column) => column.notNull())
      .addColumn("term", "text", (column) => column.notNull())
      .addColumn("searcher", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("empty_searches_key", ["month", "term", "searcher"])
      .execute();
    await db.schema.createIndex("members_by_creation").on("members").column("created_at").execute();
    await db.schema.createIndex("orders_by_payment").on("orders").column("paid_at").execute();
    await sql`create index letters_failed on letters (failed_at, id) where failed_at is not null`.execute(db);
    await sql`create index letters_waiting on letters (created_at, id)
        where sent_at is null and failed_at is null`.execute(db);
  },
};
