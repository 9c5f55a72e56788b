import type { Migration } from "../migration.ts";

/** What timers look for every minute is found without reading a table that only ever grows. */
export const sweeps: Migration = {
  name: "0015-sweeps",
  async up(db) {
    await db.schema.createIndex("payments_by_state").on("payments").columns(["state", "updated_at"]).execute();
    await db.schema.createIndex("orders_by_state").on("orders").columns(["state", "updated_at"]).execute();
    await db.schema.createIndex("notices_by_handling").on("notices").column("handled_at").execute();
  },
};
