import { type Selectable, sql } from "kysely";

import type { Cursor, Queries } from "../database/database.ts";
import { prepareQuery } from "../database/prepared-query.ts";
import type { Schema } from "../database/schema.ts";
import type { EmailKind } from "./layout.ts";
import { toEmailKey } from "../email-address.ts";

/** The outbox as operators see it. */

export type EmailFailure = "refused" | "refused-unproved" | "given-up";

/** A mistyped address is refused, and that is no fault of ours. */
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
  dueAt: Date | undefined;
  sentAt: Date | undefined;
  failedAt: Date | undefined;
  /** Why it failed: refused for good, at an address that its reader has or has not proved, or a day of tries without success. */
  failure: EmailFailure | undefined;
  acknowledgedAt: Date | undefined;
  lastError: string | undefined;
};

export type OutboxPageFilter = {
  state: "waiting" | "failed";
  limit: number;
  before?: Cursor | undefined;
};

export type OutboxPage = { emails: OutboxEntry[]; next: Cursor | undefined };

export type EmailTrouble = {
  /** Failed, and neither acknowledged nor at an address that was never proved. */
  givenUp: number;
  lastGivenUpAt: Date | undefined;
  /** Refused at addresses that were never proved, and not acknowledged. */
  unproved: number;
  waiting: number;
  overdue: number;
};

export type RefusedEmail = { memberId: number; to: string; failedAt: Date };

/** The refused emails to members (`Outbox.listRefused`); `emails_failed` is the index. */
export async function listRefused(db: Queries): Promise<RefusedEmail[]> {
  const rows = await db
    .selectFrom("emails")
    .select(["memberId", "recipient", "failedAt"])
    .where("failedAt", "is not", null)
    .where("isRefused", "=", 1)
    .where("memberId", "is not", null)
    .orderBy("failedAt")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ memberId, recipient: to, failedAt }) =>
    memberId === null || failedAt === null ? [] : [{ memberId, to, failedAt }],
  );
}

export async function listEntries(db: Queries, { state, recipient, limit }: OutboxFilter): Promise<OutboxEntry[]> {
  let query = db.selectFrom("emails").selectAll();
  if (state === "sent") query = query.where("sentAt", "is not", null);
  if (state === "failed") query = query.where("failedAt", "is not", null);
  if (state === "waiting") query = query.where("sentAt", "is", null).where("failedAt", "is", null);
  if (recipient !== undefined) query = query.where(sql`lower(recipient)`, "=", toEmailKey(recipient));
  const rows = await query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit).execute();
  return rows.map(toEntry);
}

export function toEntry(row: Selectable<Schema["emails"]>): OutboxEntry {
  return {
    id: row.id,
    key: row.key,
    kind: row.kind,
    to: row.recipient,
    memberId: row.memberId ?? undefined,
    isSecret: row.isSecret === 1,
    state: row.sentAt ? "sent" : row.failedAt ? "failed" : "waiting",
    attempts: row.attempts,
    createdAt: row.createdAt,
    dueAt: row.dueAt ?? undefined,
    sentAt: row.sentAt ?? undefined,
    failedAt: row.failedAt ?? undefined,
    failure: row.failedAt === null ? undefined : toFailure(row),
    acknowledgedAt: row.acknowledgedAt ?? undefined,
    lastError: row.lastError ?? undefined,
  };
}

function toFailure({ kind, isRefused }: { kind: string; isRefused: 0 | 1 }): EmailFailure {
  if (isRefused === 0) return "given-up";
  return unprovedKinds.includes(kind) ? "refused-unproved" : "refused";
}

/** `emails_failed` and `emails_waiting` are the indexes of these orders. */
const pageColumns = { failed: "failedAt", waiting: "createdAt" } as const;

export async function listPage(db: Queries, { state, limit, before }: OutboxPageFilter): Promise<OutboxPage> {
  const column = pageColumns[state];
  const all = db.selectFrom("emails").selectAll();
  const inState =
    state === "failed"
      ? all.where("failedAt", "is not", null)
      : all.where("sentAt", "is", null).where("failedAt", "is", null);
  const isBeyond = sql<boolean>`(${sql.ref(column)}, id) < (${before?.at}, ${before?.id})`;
  const rows = await (before ? inState.where(isBeyond) : inState)
    .orderBy(column, "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? { at: new Date(last[column] ?? ""), id: last.id } : undefined;
  return { emails: shown.map(toEntry), next };
}

export async function countTrouble(db: Queries, overdueSince: Date): Promise<EmailTrouble> {
  const rows = await selectTrouble(db, { overdueSince });
  const sum = (counted: typeof rows) => counted.reduce((total, { count }) => total + count, 0);
  const failed = rows.filter(({ of }) => of === "failed");
  const isUnproved = ({ kind, isRefused }: (typeof rows)[number]) =>
    toFailure({ kind: kind ?? "", isRefused: isRefused ?? 0 }) === "refused-unproved";
  const givenUp = failed.filter((row) => !isUnproved(row));
  return {
    givenUp: sum(givenUp),
    lastGivenUpAt: givenUp.flatMap(({ failedAt }) => failedAt ?? []).reduce(latest, undefined),
    unproved: sum(failed.filter(isUnproved)),
    waiting: sum(rows.filter(({ of }) => of === "waiting")),
    overdue: sum(rows.filter(({ of }) => of === "overdue")),
  };
}

function latest(a: Date | undefined, b: Date): Date {
  return a && a > b ? a : b;
}

const selectTrouble = prepareQuery((db, { overdueSince }: { overdueSince: Date }) => {
  const emails = db.selectFrom("emails").select(({ fn }) => fn.countAll<number>().as("count"));
  const ofNone = [
    sql<string | null>`null`.as("kind"),
    sql<0 | 1 | null>`null`.as("isRefused"),
    sql<Date | null>`null`.as("failedAt"),
  ] as const;
  // Only a waiting email has a due time. The index alone answers: a newsletter may leave a million.
  const waiting = emails
    .select(sql<Counted>`'waiting'`.as("of"))
    .select(ofNone)
    .where("dueAt", "is not", null);
  const overdue = emails
    .select(sql<Counted>`'overdue'`.as("of"))
    .select(ofNone)
    .where("dueAt", "<", overdueSince);
  return emails
    .select(sql<Counted>`'failed'`.as("of"))
    .select(({ fn }) => [
      sql<string | null>`kind`.as("kind"),
      sql<0 | 1 | null>`is_refused`.as("isRefused"),
      fn.max("failedAt").as("failedAt"),
    ])
    .where("failedAt", "is not", null)
    .where("acknowledgedAt", "is", null)
    .groupBy(["kind", "isRefused"])
    .unionAll(waiting)
    .unionAll(overdue);
});

type Counted = "failed" | "waiting" | "overdue";
