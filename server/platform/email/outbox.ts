import { randomUUID } from "node:crypto";
import { sql } from "kysely";

import { after, DAY_IN_MS } from "../clock.ts";
import { countChanged, deleteInBatches, hasChanged } from "../database/changes.ts";
import type { Queries } from "../database/database.ts";
import { eraseEmails, listEntriesFor, listRecords, moveEmails, type Recipient } from "./member-emails.ts";
import {
  countTrouble,
  listEntries,
  listPage,
  listRefused,
  type OutboxEntry,
  type OutboxFilter,
  type OutboxPageFilter,
  toEntry,
} from "./outbox-pages.ts";
import { type Delivery, openLanes, type OutboxContext, sendDue } from "./sending.ts";
import type { Email, EmailContent, EmailKind } from "./layout.ts";

export type { EmailState, OutboxEntry, OutboxFilter, OutboxPage } from "./outbox-pages.ts";

/** `key` names the cause: `receipt order-12`. */
export type OutgoingEmail = Omit<Email, "cause"> & { key: string };

/** Long enough to answer questions about delivery. Receipts are stored with their orders. */
const STORED_FOR_DAYS = 90;

/** As many emails are written in one transaction: a page waits for no more of them. */
export const EMAILS_A_TRANSACTION = 20;

/** The queue of emails. Each is written in the transaction of its cause and sent after it, at least once. */
export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(ctx: OutboxContext) {
  const { db, clock, seal, mailer } = ctx;
  const lanes = openLanes(mailer);
  return {
    /** Sends after `trx` is committed. One key is one email: a second one does nothing. */
    async add({ key, kind, to, memberId, mail, isSecret = false }: OutgoingEmail, trx: Queries): Promise<void> {
      const now = clock();
      const body = JSON.stringify(mail);
      await trx
        .insertInto("emails")
        .values({
          key,
          kind,
          recipient: to,
          memberId: memberId ?? null,
          body: isSecret ? seal.seal(body) : body,
          isSecret: isSecret ? 1 : 0,
          createdAt: now,
          dueAt: now,
          attempts: 0,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
    },
    async withdraw(key: string, trx: Queries): Promise<void> {
      await trx.deleteFrom("emails").where("key", "=", key).execute();
    },
    cancel: (which: { kind: EmailKind; memberId: number }, trx: Queries) => cancelUnsent(trx, which),
    /** As far as they are stored. */
    listRefused: () => listRefused(db),
    /** Sends what is due, several at once; returns how many were sent. Any number of workers may run at once. */
    deliver: () => sendDue(ctx, lanes),
    /** Newest first. `recipient` is compared without regard to capitals. */
    list: (filter: OutboxFilter) => listEntries(db, filter),
    /** Newest first; includes emails to the member's address from before they were a member. */
    listNewestFor: (person: Recipient, limit: number) => listEntriesFor(ctx, person, limit),
    /** The latest failure, or the newest waiting email, first. */
    listPage: (filter: OutboxPageFilter) => listPage(db, filter),
    /** `overdueSince`: also counts emails that have been due since before then. */
    countTrouble: (overdueSince: Date) => countTrouble(db, overdueSince),
    async find(id: number, trx: Queries = db): Promise<OutboxEntry | undefined> {
      const row = await trx.selectFrom("emails").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toEntry(row);
    },
    /** Makes an email due now, with a new date and a new day of tries. `gone`: a secret email whose text was erased. */
    resend: (id: number, trx: Queries = db) => makeDue(trx, { id, now: clock() }),
    /** Resends all failures that are not acknowledged and whose text is stored; returns how many. */
    resendFailed: (trx: Queries = db) => makeFailedDue(trx, clock()),
    /** Without an id, acknowledges all failures so far. Returns how many were new. */
    acknowledge: ({ id }: { id?: number }, trx: Queries = db) => acknowledgeFailed(trx, { id, now: clock() }),
    /** Sends at once and stores nothing. */
    async sendTest({ to, mail }: { to: string; mail: EmailContent }): Promise<Delivery> {
      try {
        return await mailer.send({ id: `test-${randomUUID()}`, to, createdAt: clock(), ...mail });
      } catch (error) {
        return { ok: false, isPermanent: false, reason: String(error) };
      }
    },
    /**
     * Deletes emails that were sent or given up `STORED_FOR_DAYS` ago; returns how many. The last email to an erased
     * account is deleted as soon as it was sent, because it holds the address.
     */
    purge: () => purgeEmails(db, clock()),
    /** Oldest first, with those from before the person was a member. Never a secret one. */
    listFor: (person: Recipient) => listRecords(ctx, person),
    move: (person: Recipient, to: number, trx: Queries) => moveEmails(person, to, { ...ctx, db: trx }),
    erase: (person: Recipient, trx: Queries) => eraseEmails(person, { ...ctx, db: trx }),
  };
}

function acknowledgeFailed(trx: Queries, { id, now }: { id: number | undefined; now: Date }): Promise<number> {
  const failed = trx
    .updateTable("emails")
    .set({ acknowledgedAt: now })
    .where("failedAt", "is not", null)
    .where("acknowledgedAt", "is", null);
  return countChanged(id === undefined ? failed : failed.where("id", "=", id));
}

async function cancelUnsent(trx: Queries, { kind, memberId }: { kind: EmailKind; memberId: number }): Promise<void> {
  const own = trx.deleteFrom("emails").where("memberId", "=", memberId).where("kind", "=", kind);
  await own.where("sentAt", "is", null).where("failedAt", "is", null).execute();
}

/** A failed or sent email, as if it were written now. */
function dueAsNew(now: Date) {
  const at = now;
  const unsent = { sentAt: null, failedAt: null, lastError: null, attempts: 0 };
  return { ...unsent, isRefused: 0 as const, acknowledgedAt: null, dueAt: at, createdAt: at };
}

async function makeDue(db: Queries, { id, now }: { id: number; now: Date }): Promise<"queued" | "unknown" | "gone"> {
  const due = { dueAt: now };
  const mail = db.updateTable("emails").where("id", "=", id);
  const finished = mail
    .set(dueAsNew(now))
    .where((where) => where.or([where("sentAt", "is not", null), where("failedAt", "is not", null)]))
    .where("body", "is not", null);
  if (await hasChanged(finished)) return "queued";

  // Only a failed one: one without an error is due already, or a worker holds it.
  await mail.set(due).where("dueAt", ">", due.dueAt).where("lastError", "is not", null).execute();
  const row = await db.selectFrom("emails").select("body").where("id", "=", id).executeTakeFirst();
  if (!row) return "unknown";
  return row.body === null ? "gone" : "queued";
}

function makeFailedDue(db: Queries, now: Date): Promise<number> {
  return countChanged(
    db
      .updateTable("emails")
      .set(dueAsNew(now))
      .where("failedAt", "is not", null)
      .where("acknowledgedAt", "is", null)
      .where("body", "is not", null),
  );
}

async function purgeEmails(db: Queries, now: Date): Promise<number> {
  const limit = after(now, -STORED_FOR_DAYS * DAY_IN_MS);
  // Each was written before it was sent or given up, so `emails_by_creation` finds it.
  const old = db
    .selectFrom("emails")
    .select("id")
    .where("createdAt", "<=", limit)
    .where((where) => where.or([where("sentAt", "<=", limit), where("failedAt", "<=", limit)]))
    .orderBy("createdAt");
  // A literal, as `emails_farewell` has it.
  const farewells = db
    .selectFrom("emails")
    .select("id")
    .where("kind", "=", sql.lit("account-erased" satisfies EmailKind))
    .where((where) => where.or([where("sentAt", "is not", null), where("failedAt", "is not", null)]));
  let count = 0;
  for (const some of [old, farewells]) {
    count += await deleteInBatches((most) => db.deleteFrom("emails").where("id", "in", some.limit(most)));
  }
  return count;
}
