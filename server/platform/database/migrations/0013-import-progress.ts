import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** How many lines a file of members has, and what a rehearsal of it has to remember from one part to the next. */
export const importProgress: Migration = {
  name: "0013-import-progress",
  async up(db) {
    await sql`alter table member_files add column lines integer`.execute(db);
    await sql`alter table member_files add column rehearsed text`.execute(db);
  },
};
