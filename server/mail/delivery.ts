import { createHash } from "node:crypto";
import { sql } from "kysely";

import { after, MINUTE_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Seal } from "../seal.ts";
import { waitAfterFailure } from "./backoff.ts";
import type { Letter } from "./letters/letter.ts";
import type { Delivery, Message } from "./mailer.ts";
import type { OutboxSetting } from "./outbox.ts";

/**
 * How long a worker holds a letter. Twice what a mailer may take: nobody takes it out of a living worker's hands, and the letter
 * of a dead one waits no longer than this.
 */
const LEASE_IN_MS = 2 * MINUTE_IN_MS;
const BATCH_SIZE = 50;
const ERROR_MAX_LENGTH = 500;

/** A letter in this worker's hands until `due_at`. */
type HeldLetter = {
  id: number;
  key: string;
  kind: string;
  recipient: string;
  body: string | null;
  is_secret: 0 | 1;
  created_at: string;
  due_at: string | null;
  attempts: number;
};

/** The function that sends what is due when it is called; what becomes due meanwhile is for the next call. */
export function createDelivery(setting: OutboxSetting): () => Promise<number> {
  const { db, clock, log } = setting;
  return async () => {
    const dueBy = clock().toISOString();
    let sent = 0;
    for (;;) {
      const due = await listDue(db, dueBy);
      if (due.length === 0) return sent;
      for (const id of due) {
        const held = await take(setting, { id, dueBy });
        if (!held) continue;
        try {
          const delivery = await hand(setting, held);
          await settle(setting, { held, delivery });
          if (delivery.ok) sent += 1;
        } catch (error) {
          // What became of it could not be noted: it is tried again after the lease, under the same id.
          log.error({ letter: held.id, kind: held.kind, error }, "a letter could not be settled");
        }
      }
    }
  };
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

/** Moves the letter's due time past the lease if it is still due: of two workers one wins. */
async function take(
  { db, clock }: OutboxSetting,
  { id, dueBy }: { id: number; dueBy: string },
): Promise<HeldLetter | undefined> {
  return db
    .updateTable("letters")
    .set({ due_at: after(clock(), LEASE_IN_MS).toISOString(), attempts: sql`attempts + 1`, last_error: null })
    .where("id", "=", id)
    .where("due_at", "<=", dueBy)
    .returning(["id", "key", "kind", "recipient", "body", "is_secret", "created_at", "due_at", "attempts"])
    .executeTakeFirst();
}

/** Gives the letter to the mailer. One that throws is one that failed for now. */
async function hand({ mailer, seal }: OutboxSetting, held: HeldLetter): Promise<Delivery> {
  const letter = readLetter(seal, held);
  if (!letter) return { ok: false, isPermanent: true, reason: "Its words cannot be read: were they sealed elsewhere?" };
  const address = { id: messageId(held), to: held.recipient, createdAt: new Date(held.created_at) };
  try {
    return await mailer.send({ ...address, ...letter });
  } catch (error) {
    return { ok: false, isPermanent: false, reason: String(error) };
  }
}

function readLetter(seal: Seal, { body, is_secret: isSecret }: HeldLetter): Letter | undefined {
  const words = isSecret === 1 && body !== null ? seal.open(body) : body;
  try {
    return words ? (JSON.parse(words) as Letter) : undefined;
  } catch {
    return undefined;
  }
}

/** The same at every try of one letter, and no other letter's, even in a database that was begun anew. */
function messageId({ key, kind, created_at: createdAt }: HeldLetter): Message["id"] {
  return `${kind}-${createHash("sha256").update(`${key}\0${createdAt}`).digest("hex").slice(0, 16)}`;
}

/**
 * Notes what became of it. A failure counts only while the lease lasts: after it the letter is in other hands. That it was sent
 * is true whoever says so.
 */
async function settle(
  { db, clock, log }: OutboxSetting,
  { held, delivery }: { held: HeldLetter; delivery: Delivery },
): Promise<void> {
  const now = clock();
  const letter = db.updateTable("letters").where("id", "=", held.id);
  const keptBody = held.is_secret === 1 ? null : held.body;
  if (delivery.ok) {
    const sent = { sent_at: now.toISOString(), due_at: null, failed_at: null, last_error: null, body: keptBody };
    await letter.set(sent).where("sent_at", "is", null).execute();
    return;
  }

  const reason = { last_error: toLine(delivery.reason) };
  const ageInMs = now.getTime() - Date.parse(held.created_at);
  const waitInMs = delivery.isPermanent ? undefined : waitAfterFailure(held.attempts, ageInMs);
  const mine = letter.where("due_at", "=", held.due_at);
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
  if (numUpdatedRows > 0n) log.warn({ letter: held.id, kind: held.kind }, "a letter was given up");
}

/** PostgreSQL keeps no NUL in a text, and an operator's table no line breaks. */
function toLine(reason: string): string {
  return reason
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, ERROR_MAX_LENGTH);
}
