import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";

import { hasChanged } from "../database/changes.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Context } from "../../context.ts";
import { levelOfFault } from "../database/faults.ts";
import type { Schema } from "../database/schema.ts";
import type { FindHolders } from "./member-emails.ts";
import { createGate, type Gate } from "../gate.ts";
import type { PartCheck } from "../part-check.ts";
import type { Seal } from "../seal.ts";
import type { EmailContent, EmailFacts } from "./layout.ts";

/** Delivers emails: into files in a folder, or to a mail server. */
export type Mailer = {
  /**
   * Answers within a minute, because the outbox holds an email only so long. After a crash the same message may come
   * twice, with the same id.
   */
  send(message: Message): Promise<Delivery>;
  /** How many messages it takes at once; `AT_ONCE` by default. */
  atOnce?: number;
  /** Whether it would take an email now; sends none. */
  check(): Promise<PartCheck>;
  close(): void;
};

export type Message = {
  /** The same at every try of one email; it names its file and its Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The default is the mailer's setting. */
  replyTo?: string;
  /** The address of `List-Unsubscribe`, for an email that its reader requested. */
  unsubscribe?: string;
  /** For a mailer that has its own templates. */
  facts?: EmailFacts;
  createdAt: Date;
};

/** `isPermanent`: no further try will succeed. The reason is for operators and may contain the address. */
export type Delivery = { ok: true } | { ok: false; isPermanent: boolean; reason: string };

/** A worker holds an email for twice the time that a mailer may take, so that no other worker takes it meanwhile. */
const LEASE_IN_MS = 2 * MINUTE_IN_MS;
const SEND_LIMIT_IN_MS = MINUTE_IN_MS;
/** How many emails one server sends at once: mail servers allow a sender ten connections or more. */
const AT_ONCE = 8;
const BATCH_SIZE = 50;
const ERROR_MAX_LENGTH = 500;

type HeldEmail = Selectable<Schema["emails"]>;

/** `timeOut` makes a signal that fires then; tests pass one that goes by their own clock. */
export type OutboxContext = Pick<Context, "clock" | "db" | "log"> & {
  mailer: Mailer;
  seal: Seal;
  findHolders: FindHolders;
  timeOut?: (ms: number) => AbortSignal;
};

/** A share of what this process sends at once; `begun`: the emails under way, in any run. */
type Lane = { isUrgent: boolean; gate: Gate; begun: Set<number> };

/**
 * Codes and links that log in are urgent, because a person waits: others take at most half of what the mailer takes at
 * once. Emails to one address are sent one after another, in the order of writing.
 */
export function openLanes({ atOnce = AT_ONCE }: Mailer): Lane[] {
  const all = createGate(atOnce);
  const half = createGate(Math.max(1, Math.floor(atOnce / 2)));
  return [
    { isUrgent: true, gate: all, begun: new Set() },
    { isUrgent: false, gate: (work) => half(() => all(work)), begun: new Set() },
  ];
}

/**
 * Sends what is due now; returns how many were sent. Calls may overlap.
 * @throws what the database threw, once the emails that were begun have ended.
 */
export async function sendDue(ctx: OutboxContext, lanes: Lane[]): Promise<number> {
  const dueBy = ctx.clock();
  const own = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let sent = 0;

  async function send(lane: Lane, id: number): Promise<void> {
    try {
      if (await lane.gate(() => sendOne(ctx, { id, dueBy }))) sent += 1;
    } catch (error) {
      faults.push(error);
    } finally {
      lane.begun.delete(id);
    }
  }

  async function beginNew(): Promise<number> {
    let count = 0;
    for (const lane of lanes) {
      for (const id of await listNew(ctx, lane, dueBy)) {
        count += 1;
        lane.begun.add(id);
        const sending = send(lane, id).finally(() => own.delete(sending));
        own.add(sending);
      }
    }
    return count;
  }

  for (let isAtRest = false; !isAtRest;) {
    // An email that ended while we read the lists may make way for the next to the same person, so we read them again.
    const wasIdle = own.size === 0;
    const count = faults.length > 0 ? 0 : await beginNew().catch((error: unknown) => faults.push(error));
    isAtRest = wasIdle && count === 0;
    if (own.size > 0) await Promise.race(own);
  }
  if (faults.length > 0) throw faults[0];
  return sent;
}

/** With half a batch in hand there are enough. */
async function listNew({ db }: OutboxContext, { isUrgent, begun }: Lane, dueBy: Date): Promise<number[]> {
  if (begun.size >= BATCH_SIZE / 2) return [];
  const rows = await db
    .selectFrom("emails")
    .select("id")
    .where("dueAt", "<=", dueBy)
    .where(isUrgent ? isUrgentBy(dueBy) : sql<boolean>`is_secret = 0`)
    .where(isNext(dueBy))
    .orderBy("dueAt")
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map((row) => row.id).filter((id) => !begun.has(id));
}

/**
 * Secret, or a secret one waits for it. Begins with the few secret ones (`emails_urgent`): a newsletter may leave a
 * million others.
 */
function isUrgentBy(dueBy: Date) {
  return sql<boolean>`id in (
    select secret.id from emails as secret where secret.is_secret = 1 and secret.due_at <= ${dueBy}
    union all
    select before.id from emails as secret
      join emails as before on lower(before.recipient) = lower(secret.recipient)
    where secret.is_secret = 1 and secret.due_at <= ${dueBy} and before.id < secret.id and before.due_at <= ${dueBy}
  )`;
}

/** No earlier email to the same address is due or held. An email that waits for its next try does not block. */
function isNext(dueBy: Date) {
  return sql<boolean>`not exists (
    select 1 from emails as earlier
    where lower(earlier.recipient) = lower(emails.recipient) and earlier.id < emails.id
      and earlier.due_at is not null and (earlier.due_at <= ${dueBy} or earlier.last_error is null)
  )`;
}

type Due = { id: number; dueBy: Date };

/** Returns whether it was sent. @throws when the database does not let it be claimed. */
async function sendOne(ctx: OutboxContext, due: Due): Promise<boolean> {
  const held = await claim(ctx, due);
  if (!held) return false;
  try {
    const delivery = await sendByMailer(ctx, held);
    await settle(ctx, { held, delivery });
    return delivery.ok;
  } catch (error) {
    // Its fate could not be recorded: it is tried again after the lease, under the same id.
    ctx.log[levelOfFault(error)]({ mail: held.id, kind: held.kind, error }, "an email could not be settled");
    return false;
  }
}

/** Claims the email by moving its due time past the lease: of two workers one wins. */
async function claim({ db, clock }: OutboxContext, { id, dueBy }: Due): Promise<HeldEmail | undefined> {
  return db
    .updateTable("emails")
    .set({ dueAt: after(clock(), LEASE_IN_MS), attempts: sql`attempts + 1`, lastError: null })
    .where("id", "=", id)
    .where("dueAt", "<=", dueBy)
    .where(isNext(dueBy))
    .returningAll()
    .executeTakeFirst();
}

/** A mailer that throws or does not answer counts as a failure for now. */
async function sendByMailer(
  { mailer, seal, timeOut = (ms) => AbortSignal.timeout(ms) }: OutboxContext,
  held: HeldEmail,
): Promise<Delivery> {
  const mail = readEmail(seal, held);
  if (!mail)
    return {
      ok: false,
      isPermanent: true,
      reason: "We can't read its text. Was it sealed with another SESSION_SECRET?",
    };
  const address = { id: messageId(held), to: held.recipient, createdAt: held.createdAt };
  const silence = Promise.withResolvers<Delivery>();
  const reason = "There was no answer in time, so it may have been sent";
  const fallSilent = () => silence.resolve({ ok: false, isPermanent: false, reason });
  timeOut(SEND_LIMIT_IN_MS).addEventListener("abort", fallSilent, { once: true });
  try {
    return await Promise.race([mailer.send({ ...address, ...mail }), silence.promise]);
  } catch (error) {
    return { ok: false, isPermanent: false, reason: String(error) };
  }
}

function readEmail(seal: Seal, { body, isSecret }: HeldEmail): EmailContent | undefined {
  const words = isSecret === 1 && body !== null ? seal.open(body) : body;
  try {
    return words ? (JSON.parse(words) as EmailContent) : undefined;
  } catch {
    return undefined;
  }
}

/** Unique even in a database that was begun again. */
function messageId({ key, kind, createdAt }: HeldEmail): Message["id"] {
  return `${kind}-${createHash("sha256").update(`${key}\0${createdAt.toISOString()}`).digest("hex").slice(0, 16)}`;
}

/**
 * A failure counts only while the lease lasts: afterwards another worker may hold the email. A success always counts.
 */
async function settle(
  { db, clock, log }: OutboxContext,
  { held, delivery }: { held: HeldEmail; delivery: Delivery },
): Promise<void> {
  const now = clock();
  const mail = db.updateTable("emails").where("id", "=", held.id);
  const storedBody = held.isSecret === 1 ? null : held.body;
  if (delivery.ok) {
    const sent = { sentAt: now, dueAt: null, failedAt: null, lastError: null, body: storedBody };
    await mail.set(sent).where("sentAt", "is", null).execute();
    return;
  }

  const storedReason = held.isSecret === 1 ? hideSecrets(delivery.reason) : delivery.reason;
  const reason = { lastError: toLine(storedReason) };
  const ageInMs = now.getTime() - held.createdAt.getTime();
  const waitInMs = delivery.isPermanent ? undefined : waitAfterFailure(held.attempts, ageInMs);
  const mine = mail.where("dueAt", "=", held.dueAt);
  if (waitInMs !== undefined) {
    await mine.set({ ...reason, dueAt: after(now, waitInMs) }).execute();
    return;
  }
  const isRefused = delivery.isPermanent ? 1 : 0;
  const givenUp = mine.set({ ...reason, failedAt: now, dueAt: null, body: storedBody, isRefused });
  if (await hasChanged(givenUp)) log.warn({ mail: held.id, kind: held.kind }, "an email was given up");
}

/** Operators read what a mail server quotes: it must contain no code or link of an email. */
function hideSecrets(reason: string): string {
  return reason.replace(/\d{6,}|[\w-]{20,}/g, "…");
}

/** PostgreSQL stores no NUL in a text, and an operator's table has no line breaks. */
function toLine(reason: string): string {
  return reason
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, ERROR_MAX_LENGTH);
}

/** The waits after the first failures; later ones are an hour. */
const FIRST_WAITS_IN_MS = [MINUTE_IN_MS, 5 * MINUTE_IN_MS, 15 * MINUTE_IN_MS, HOUR_IN_MS];

/** An email that has not gone by then is given up. */
const GIVE_UP_AFTER_IN_MS = DAY_IN_MS;

/** `undefined`: it is given up. */
function waitAfterFailure(attempts: number, ageInMs: number): number | undefined {
  if (ageInMs >= GIVE_UP_AFTER_IN_MS) return undefined;
  return FIRST_WAITS_IN_MS[attempts - 1] ?? HOUR_IN_MS;
}
