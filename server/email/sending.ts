import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";

import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Context } from "../context.ts";
import type { Queries } from "../database/database.ts";
import { levelOfFault } from "../database/rules.ts";
import type { Schema } from "../database/schema.ts";
import type { PartCheck } from "../part-check.ts";
import type { Seal } from "../seal.ts";
import type { EmailContent, EmailFacts } from "./templates/layout.ts";

/** The part that carries emails away: files in a folder, or a mail server. */
export type Mailer = {
  /**
   * Hands one message over, and answers within a minute: the outbox holds an email for only so long before it tries again.
   * The same message may come twice, after a crash between sending it and noting it; it then has the same id.
   */
  send(message: Message): Promise<Delivery>;
  /** Whether it would take an email now, without sending one. */
  check(): Promise<PartCheck>;
  /** Lets go of open connections. */
  close(): void;
};

/** One email, addressed. */
export type Message = {
  /** The same for the same email, however often it is tried: it names its file and its Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** For a mailer that has emails of its own. */
  facts?: EmailFacts;
  createdAt: Date;
};

/** `isPermanent`: it will not go however often it is tried. The reason is for operators and may name the address. */
export type Delivery = { ok: true } | { ok: false; isPermanent: boolean; reason: string };

/**
 * How long a worker holds an email. Twice what a mailer may take: nobody takes it out of a living worker's hands, and the email
 * of a dead one waits no longer than this.
 */
const LEASE_IN_MS = 2 * MINUTE_IN_MS;
const BATCH_SIZE = 50;
const ERROR_MAX_LENGTH = 500;

/** An email in this worker's hands until `due_at`. */
type HeldEmail = Selectable<Schema["letters"]>;

/** What sending and keeping emails needs. */
export type OutboxContext = Pick<Context, "clock" | "db" | "log"> & { mailer: Mailer; seal: Seal };

/** Sends what is due when it is called, and answers how many went; what becomes due meanwhile is for the next call. */
export async function sendDue(ctx: OutboxContext): Promise<number> {
  const dueBy = ctx.clock().toISOString();
  let sent = 0;
  for (;;) {
    const due = await listDue(ctx.db, dueBy);
    if (due.length === 0) return sent;
    for (const id of due) {
      const held = await take(ctx, { id, dueBy });
      if (!held) continue;
      try {
        const delivery = await hand(ctx, held);
        await settle(ctx, { held, delivery });
        if (delivery.ok) sent += 1;
      } catch (error) {
        // What became of it could not be noted: it is tried again after the lease, under the same id.
        ctx.log[levelOfFault(error)]({ mail: held.id, kind: held.kind, error }, "an email could not be settled");
      }
    }
  }
}

async function listDue(db: Queries, dueBy: string): Promise<number[]> {
  const rows = await db
    .selectFrom("letters")
    .select("id")
    .where("due_at", "<=", dueBy)
    .orderBy("due_at")
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map((row) => row.id);
}

/** Moves the email's due time past the lease if it is still due: of two workers one wins. */
async function take(
  { db, clock }: OutboxContext,
  { id, dueBy }: { id: number; dueBy: string },
): Promise<HeldEmail | undefined> {
  return db
    .updateTable("letters")
    .set({ due_at: after(clock(), LEASE_IN_MS).toISOString(), attempts: sql`attempts + 1`, last_error: null })
    .where("id", "=", id)
    .where("due_at", "<=", dueBy)
    .returningAll()
    .executeTakeFirst();
}

/** Gives the email to the mailer. One that throws is one that failed for now. */
async function hand({ mailer, seal }: OutboxContext, held: HeldEmail): Promise<Delivery> {
  const mail = readEmail(seal, held);
  if (!mail) return { ok: false, isPermanent: true, reason: "Its words cannot be read: were they sealed elsewhere?" };
  const address = { id: messageId(held), to: held.recipient, createdAt: new Date(held.created_at) };
  try {
    return await mailer.send({ ...address, ...mail });
  } catch (error) {
    return { ok: false, isPermanent: false, reason: String(error) };
  }
}

function readEmail(seal: Seal, { body, is_secret: isSecret }: HeldEmail): EmailContent | undefined {
  const words = isSecret === 1 && body !== null ? seal.open(body) : body;
  try {
    return words ? (JSON.parse(words) as EmailContent) : undefined;
  } catch {
    return undefined;
  }
}

/** The same at every try of one email, and no other email's, even in a database that was begun anew. */
function messageId({ key, kind, created_at: createdAt }: HeldEmail): Message["id"] {
  return `${kind}-${createHash("sha256").update(`${key}\0${createdAt}`).digest("hex").slice(0, 16)}`;
}

/**
 * Notes what became of it. A failure counts only while the lease lasts: after it the email is in other hands. That it was sent
 * is true whoever says so.
 */
async function settle(
  { db, clock, log }: OutboxContext,
  { held, delivery }: { held: HeldEmail; delivery: Delivery },
): Promise<void> {
  const now = clock();
  const mail = db.updateTable("letters").where("id", "=", held.id);
  const keptBody = held.is_secret === 1 ? null : held.body;
  if (delivery.ok) {
    const sent = { sent_at: now.toISOString(), due_at: null, failed_at: null, last_error: null, body: keptBody };
    await mail.set(sent).where("sent_at", "is", null).execute();
    return;
  }

  const said = held.is_secret === 1 ? hideSecrets(delivery.reason) : delivery.reason;
  const reason = { last_error: toLine(said) };
  const ageInMs = now.getTime() - Date.parse(held.created_at);
  const waitInMs = delivery.isPermanent ? undefined : waitAfterFailure(held.attempts, ageInMs);
  const mine = mail.where("due_at", "=", held.due_at);
  if (waitInMs !== undefined) {
    await mine.set({ ...reason, due_at: after(now, waitInMs).toISOString() }).execute();
    return;
  }
  const { numUpdatedRows } = await mine
    .set({
      ...reason,
      failed_at: now.toISOString(),
      due_at: null,
      body: keptBody,
      is_refused: delivery.isPermanent ? 1 : 0,
    })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) log.warn({ mail: held.id, kind: held.kind }, "an email was given up");
}

/** A mail server may quote what it refuses, and operators read what it says: no code and no link of an email may be in it. */
function hideSecrets(reason: string): string {
  return reason.replace(/\d{6,}|[\w-]{20,}/g, "…");
}

/** PostgreSQL keeps no NUL in a text, and an operator's table no line breaks. */
function toLine(reason: string): string {
  return reason
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, ERROR_MAX_LENGTH);
}

/** How long to wait after the first, second, third and fourth failure; after that hourly. */
const FIRST_WAITS_IN_MS = [MINUTE_IN_MS, 5 * MINUTE_IN_MS, 15 * MINUTE_IN_MS, HOUR_IN_MS];

/** An email that has not gone by then is given up. */
const GIVE_UP_AFTER_IN_MS = DAY_IN_MS;

/** How long an email waits after it failed for the `attempts`th time, `ageInMs` after it was written; `undefined`: no longer. */
function waitAfterFailure(attempts: number, ageInMs: number): number | undefined {
  if (ageInMs >= GIVE_UP_AFTER_IN_MS) return undefined;
  return FIRST_WAITS_IN_MS[attempts - 1] ?? HOUR_IN_MS;
}
