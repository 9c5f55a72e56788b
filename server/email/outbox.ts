import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { after, DAY_IN_MS, toDate } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { type EmailRecord, eraseEmails, listRecords } from "./member-emails.ts";
import { type Delivery, type OutboxContext, sendDue } from "./sending.ts";
import type { EmailContent, EmailKind } from "./templates/layout.ts";

/** Emails on their way. They are written in the transaction of their cause and leave after it, at least once each. */
export type Outbox = {
  /** Writes an email down, to leave once `trx` is committed. One key is one email: a second one does nothing. */
  add(mail: OutgoingEmail, trx: Queries): Promise<void>;
  /** Takes an email back that was written in this very transaction. */
  withdraw(key: string, trx: Queries): Promise<void>;
  /** Sends what is due; answers how many emails went. Any number of workers may do so at once. */
  deliver(): Promise<number>;
  /** Newest first. `recipient` is compared without regard to capitals. */
  list(filter: OutboxFilter): Promise<OutboxEntry[]>;
  /** What was written to a member, and what became of it; newest first. */
  listOf(memberId: number, limit: number): Promise<OutboxEntry[]>;
  find(id: number): Promise<OutboxEntry | undefined>;
  /**
   * Makes an email due now. One that was sent or given up goes out as new: with a new date, and again for a day if it must.
   * `gone`: a secret email whose words were erased; its like must be asked for anew.
   */
  resend(id: number): Promise<"queued" | "unknown" | "gone">;
  /** Notes that an operator knows of failures: of one email, or of all so far. Answers how many were new. */
  acknowledge(which: { id?: number }): Promise<number>;
  /** Hands an email to the mailer at once and keeps nothing of it. */
  sendTest(test: { to: string; mail: EmailContent }): Promise<Delivery>;
  /**
   * Forgets emails that were sent or given up `KEPT_FOR_DAYS` ago, and their keys; answers how many. The last email to somebody
   * whose account was erased goes as soon as it has left: nobody is to be found in it.
   */
  purge(): Promise<number>;
  /** What was written to a member, and to their address before they were one, oldest first. Never a secret. */
  listFor(person: Person): Promise<EmailRecord[]>;
  /** Forgets what was written to a member, and to their addresses before they were one. */
  erase(person: Person, trx: Queries): Promise<void>;
};

export type OutgoingEmail = {
  /** Names the cause: `receipt order-12`. */
  key: string;
  kind: EmailKind;
  to: string;
  memberId?: number | undefined;
  mail: EmailContent;
  /** It holds a code, or a link that logs in: sealed at rest, and its words erased once it was sent or given up. */
  isSecret?: boolean | undefined;
};

export type EmailFailure = "refused" | "refused-unproved" | "given-up";

/** What goes to an address before its reader has proved it: a mistyped one is refused, and no fault of ours. */
const unprovedKinds: string[] = ["verification", "confirm-new-address"] satisfies EmailKind[];

export type EmailState = "waiting" | "sent" | "failed";

export type OutboxFilter = { state?: EmailState | undefined; recipient?: string | undefined; limit: number };

export type OutboxEntry = {
  id: number;
  key: string;
  kind: string;
  to: string;
  memberId: number | undefined;
  isSecret: boolean;
  state: EmailState;
  attempts: number;
  createdAt: Date;
  /** While it waits: when it is tried next. */
  dueAt: Date | undefined;
  sentAt: Date | undefined;
  failedAt: Date | undefined;
  /** Why it failed: refused for good, at an address that its reader has or has not proved, or a day of tries without success. */
  failure: EmailFailure | undefined;
  acknowledgedAt: Date | undefined;
  lastError: string | undefined;
};

/** Long enough to answer questions about delivery. Receipts themselves are kept with their orders. */
const KEPT_FOR_DAYS = 90;

export function createOutbox(ctx: OutboxContext): Outbox {
  const { db, clock, seal, mailer } = ctx;
  return {
    async add({ key, kind, to, memberId, mail, isSecret = false }, trx) {
      const now = clock().toISOString();
      const body = JSON.stringify(mail);
      await trx
        .insertInto("letters")
        .values({
          key,
          kind,
          recipient: to,
          member_id: memberId ?? null,
          body: isSecret ? seal.seal(body) : body,
          is_secret: isSecret ? 1 : 0,
          created_at: now,
          due_at: now,
          attempts: 0,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
    },

    async withdraw(key, trx) {
      await trx.deleteFrom("letters").where("key", "=", key).execute();
    },

    deliver: () => sendDue(ctx),
    list: (filter) => listEntries(db, filter),
    async listOf(memberId, limit) {
      const own = db.selectFrom("letters").selectAll().where("member_id", "=", memberId);
      return (await own.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
    },

    async find(id) {
      const row = await db.selectFrom("letters").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toEntry(row);
    },

    resend: (id) => makeDue(db, { id, now: clock() }),

    async acknowledge({ id }) {
      const failed = db
        .updateTable("letters")
        .set({ acknowledged_at: clock().toISOString() })
        .where("failed_at", "is not", null)
        .where("acknowledged_at", "is", null);
      const { numUpdatedRows } = await (id === undefined ? failed : failed.where("id", "=", id)).executeTakeFirst();
      return Number(numUpdatedRows);
    },

    async sendTest({ to, mail }) {
      try {
        return await mailer.send({ id: `test-${randomUUID()}`, to, createdAt: clock(), ...mail });
      } catch (error) {
        return { ok: false, isPermanent: false, reason: String(error) };
      }
    },

    purge: () => purgeEmails(db, clock()),
    listFor: (person) => listRecords(db, person),
    erase: (person, trx) => eraseEmails(person, trx),
  };
}

async function listEntries(db: Queries, { state, recipient, limit }: OutboxFilter): Promise<OutboxEntry[]> {
  let query = db.selectFrom("letters").selectAll();
  if (state === "sent") query = query.where("sent_at", "is not", null);
  if (state === "failed") query = query.where("failed_at", "is not", null);
  if (state === "waiting") query = query.where("sent_at", "is", null).where("failed_at", "is", null);
  if (recipient !== undefined) query = query.where(sql`lower(recipient)`, "=", recipient.toLowerCase());
  const rows = await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return rows.map(toEntry);
}

function toEntry(row: Selectable<Schema["letters"]>): OutboxEntry {
  return {
    id: row.id,
    key: row.key,
    kind: row.kind,
    to: row.recipient,
    memberId: row.member_id ?? undefined,
    isSecret: row.is_secret === 1,
    state: row.sent_at ? "sent" : row.failed_at ? "failed" : "waiting",
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
    dueAt: toDate(row.due_at),
    sentAt: toDate(row.sent_at),
    failedAt: toDate(row.failed_at),
    failure: row.failed_at === null ? undefined : failureOf(row),
    acknowledgedAt: toDate(row.acknowledged_at),
    lastError: row.last_error ?? undefined,
  };
}

function failureOf({ kind, is_refused: isRefused }: Selectable<Schema["letters"]>): EmailFailure {
  if (isRefused === 0) return "given-up";
  return unprovedKinds.includes(kind) ? "refused-unproved" : "refused";
}

async function makeDue(db: Queries, { id, now }: { id: number; now: Date }): Promise<"queued" | "unknown" | "gone"> {
  const due = { due_at: now.toISOString() };
  const mail = db.updateTable("letters").where("id", "=", id);
  const finished = await mail
    .set({
      ...due,
      created_at: now.toISOString(),
      sent_at: null,
      failed_at: null,
      last_error: null,
      attempts: 0,
      is_refused: 0,
      acknowledged_at: null,
    })
    .where((where) => where.or([where("sent_at", "is not", null), where("failed_at", "is not", null)]))
    .where("body", "is not", null)
    .executeTakeFirst();
  if (finished.numUpdatedRows > 0n) return "queued";

  // Only one that failed before: one without an error is due already, or a worker has it in hand and must not be joined.
  await mail.set(due).where("due_at", ">", due.due_at).where("last_error", "is not", null).execute();
  const row = await db.selectFrom("letters").select("body").where("id", "=", id).executeTakeFirst();
  if (!row) return "unknown";
  return row.body === null ? "gone" : "queued";
}

async function purgeEmails(db: Queries, now: Date): Promise<number> {
  const limit = after(now, -KEPT_FOR_DAYS * DAY_IN_MS).toISOString();
  const { numDeletedRows } = await db
    .deleteFrom("letters")
    .where((where) => {
      const isDone = where.or([where("sent_at", "is not", null), where("failed_at", "is not", null)]);
      const isFarewell = where("kind", "=", "account-erased" satisfies EmailKind);
      return where.or([
        where("sent_at", "<=", limit),
        where("failed_at", "<=", limit),
        where.and([isFarewell, isDone]),
      ]);
    })
    .executeTakeFirst();
  return Number(numDeletedRows);
}
