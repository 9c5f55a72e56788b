import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Each table's name in 1.0.0, its name now, and its columns that have another name since. */
const renamed: [was: string, now: string, columns?: Record<string, string>][] = [
  ["letters", "emails"],
  ["notices", "webhook_events", { notice_id: "event_id" }],
  ["notice_cursors", "webhook_cursors"],
  ["task_leases", "job_leases"],
  ["demo_notices", "demo_webhook_events"],
  ["admissions", "provider_sign_ups", { token: "sealed_token", asked_at: "requested_at" }],
  ["throttles", "rate_limits"],
  ["provider_tokens", "provider_tokens", { kept_at: "stored_at" }],
  ["job_runs", "job_runs", { took_ms: "took_in_ms" }],
  ["subscriptions", "subscriptions", { end_told_at: "end_emailed_at" }],
];

/** SQLite renames no index, so it makes each again. */
const indexes: [was: string, now: string, place: string][] = [
  ["letters_by_due", "emails_by_due", "emails (due_at)"],
  ["letters_by_member", "emails_by_member", "emails (member_id)"],
  ["letters_by_creation", "emails_by_creation", "emails (created_at)"],
  ["letters_by_recipient", "emails_by_recipient", "emails (lower(recipient), created_at)"],
  ["letters_failed", "emails_failed", "emails (failed_at, id) where failed_at is not null"],
  ["letters_waiting", "emails_waiting", "emails (created_at, id) where sent_at is null and failed_at is null"],
  ["notices_waiting", "webhook_events_waiting", "webhook_events (received_at) where handled_at is null"],
  ["notices_by_handling", "webhook_events_by_handling", "webhook_events (handled_at)"],
  ["demo_notices_by_delivery", "demo_webhook_events_by_delivery", "demo_webhook_events (delivered_at, created_at)"],
  ["admissions_by_email", "provider_sign_ups_by_email", "provider_sign_ups (email_hash)"],
  ["throttles_by_expiry", "rate_limits_by_expiry", "rate_limits (expires_at)"],
];

/**
 * Gives the tables and columns of 1.0.0 the names of now. It has the number of the schema that it follows, because later migrations use
 * the names. Unreleased versions made the tables by these at once.
 */
export const plainNames: Migration = {
  name: "0001-plain-names",
  async up(db, engine) {
    const isThere =
      engine === "sqlite"
        ? sql`select 1 from sqlite_schema where type = 'table' and name = 'letters'`
        : sql`select 1 from pg_class where relname = 'letters' and relnamespace = current_schema()::regnamespace`;
    if ((await isThere.execute(db)).rows.length === 0) return;
    for (const [was, now, columns = {}] of renamed) {
      if (was !== now) await sql`alter table ${sql.table(was)} rename to ${sql.table(now)}`.execute(db);
      for (const [from, to] of Object.entries(columns)) {
        await sql`alter table ${sql.table(now)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
      }
    }
    for (const [was, now, place] of indexes) {
      if (engine === "postgres") {
        await sql.raw(`alter index ${was} rename to ${now}`).execute(db);
      } else {
        await sql.raw(`drop index ${was}`).execute(db);
        await sql.raw(`create index ${now} on ${place}`).execute(db);
      }
    }
  },
};
