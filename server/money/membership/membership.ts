import type { Selectable } from "kysely";

import { DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { type EndedEarlyPage, type EndingsPage, findLater, listEndedEarly, listEndings } from "./endings.ts";
import { layOutTerms, type MovedTerm } from "./merged-terms.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { type Plan, type PlanType } from "./plans.ts";
import { findCover } from "./cover.ts";
import { countRunning } from "./running.ts";

/** Computed from the dates at every request: access ends on time even if no job runs. */
export type Access =
  /** `endsAt`: the end of the running term and of those that follow it without a gap, if known. */
  | { isActive: true; endsAt?: Date | undefined }
  /** `unavailable`: the lookup failed, so the member may have a term. */
  | { isActive: false; reason: "no-term" | "unavailable" };

export type Subscription = {
  memberId: number;
  planType: PlanType;
  startsAt: Date;
  endsAt: Date;
  /** Missing for a term that an operator grants. */
  orderId?: number | undefined;
};

export type HeldSubscription = Subscription & { id: number; orderId: number | undefined; revokedAt: Date | undefined };

/** The terms that members have paid for, and their access. */
export type Membership = ReturnType<typeof createMembership>;

export function createMembership({ db, clock }: Context) {
  const membership = {
    /** The one rule of access to content. A granted term gives access until it ends, even by a clock that is behind. */
    async findAccess(memberId: number): Promise<Access> {
      const now = clock();
      const rows = await selectSpans(db, { memberId, now });
      const cover = findCover(rows.map(toSpan), now);
      return cover.state === "active"
        ? { isActive: true, endsAt: cover.endsAt }
        : { isActive: false, reason: "no-term" };
    },
    /** An order grants a term only once; returns whether this call did. */
    async grant({ memberId, planType, startsAt, endsAt, orderId }: Subscription, trx: Queries = db): Promise<boolean> {
      const row = await trx
        .insertInto("subscriptions")
        .values({
          memberId,
          planType,
          startsAt,
          endsAt,
          orderId: orderId ?? null,
        })
        .onConflict((conflict) => conflict.column("orderId").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    /**
     * The start of a renewal: the latest end of current and future terms that are not revoked. With `trx` it locks the
     * member's subscriptions, so that two simultaneous renewals follow one another.
     */
    async findCoverEnd(memberId: number, trx?: Queries): Promise<Date | undefined> {
      if (trx) await hold(["memberId", memberId], trx);
      return (await selectCoverEnd(trx ?? db, { memberId, now: clock() }))[0]?.endsAt;
    },
    /** Adds a free term after the current and future ones, or from now; returns when it ends. */
    async extend({ memberId, plan }: { memberId: number; plan: Plan }, trx: Queries): Promise<Date> {
      const startsAt = (await membership.findCoverEnd(memberId, trx)) ?? clock();
      const endsAt = addMonths(startsAt, plan.months);
      await membership.grant({ memberId, planType: plan.type, startsAt, endsAt }, trx);
      return endsAt;
    },
    /** Imports a term unless the member has the same one; returns whether it did. A past term causes no email. */
    importTerm: (term: Omit<Subscription, "orderId">, trx: Queries) => importTerm(trx, term, clock()),
    /** Members whose term runs at an instant. Slow: for jobs. */
    countRunning: (at: Date) => countRunning(at, db),
    /** All terms, past ones too; the one that ends last comes first. */
    listFor: (memberId: number, trx: Queries = db) => listTerms(trx, memberId),
    /** Moves one account's terms to another, one after the other; returns the end of its access. */
    moveTerms: (move: { from: number; to: number }, trx: Queries) => moveTerms(trx, { ...move, now: clock() }),
    /** The same end, without moving. */
    async predictMerged({ from, to }: { from: number; to: number }): Promise<Date | undefined> {
      const [theirs, own] = [await membership.listFor(from), await membership.listFor(to)];
      return findMergedEnd([...own, ...theirs], layOutTerms(own, theirs, clock()), clock());
    },
    /** The ends of access, or those that came early (`endings.ts`). */
    listEndings: (page: EndingsPage) => listEndings(db, page),
    listEndedEarly: (page: Omit<EndedEarlyPage, "now">) => listEndedEarly(db, { ...page, now: clock() }),
    /** Ends access now; the dates stay. Returns whether there was a current or future term. */
    revoke: (memberId: number, trx: Queries = db) => revokeTerms(trx, { of: ["memberId", memberId], now: clock() }),
    /** Ends the term of one order now. Returns whether it was a current or future one. */
    revokeOrder: (orderId: number, trx: Queries = db) => revokeTerms(trx, { of: ["orderId", orderId], now: clock() }),
    /**
     * Undoes a revocation of terms that have not ended; returns whether there was one. Terms of the orders of `listLost`
     * stay ended. It is called under the lock of `findCoverEnd`, so an order that is lost meanwhile is among them, or
     * ends its term afterwards.
     */
    restore: (memberId: number, trx: Queries = db, listLost?: () => Promise<number[]>) =>
      restoreTerms(trx, { memberId, now: clock(), listLost }),
    /** Claims each subscription once: write the emails in the same transaction. */
    claimReminders: (window: EndingWindow, trx: Queries) =>
      claimEndings("remindedAt", { ...window, now: clock() }, trx),
    /** For the email at the end of the term, which is claimed separately. */
    claimEndEmails: (window: EndingWindow, trx: Queries) =>
      claimEndings("endEmailedAt", { ...window, now: clock() }, trx),
  };
  return membership;
}

async function listTerms(trx: Queries, memberId: number): Promise<HeldSubscription[]> {
  return (await selectTerms(trx, { memberId })).map(toHeld);
}

const selectTerms = prepareQuery((db, { memberId }: { memberId: number }) =>
  db
    .selectFrom("subscriptions")
    .selectAll()
    .where("memberId", "=", memberId)
    .orderBy("endsAt", "desc")
    .orderBy("id", "desc"),
);

async function importTerm(trx: Queries, term: Omit<Subscription, "orderId">, now: Date): Promise<boolean> {
  const same = trx
    .selectFrom("subscriptions")
    .select("id")
    .where("memberId", "=", term.memberId)
    .where("endsAt", "=", term.endsAt);
  if (await same.where("startsAt", "=", term.startsAt).executeTakeFirst()) return false;
  const emailedAt = term.endsAt <= now ? now : null;
  const ending = { remindedAt: emailedAt, endEmailedAt: emailedAt };
  await trx
    .insertInto("subscriptions")
    .values({ ...term, orderId: null, ...ending })
    .execute();
  return true;
}

async function moveTerms(
  trx: Queries,
  { from, to, now }: { from: number; to: number; now: Date },
): Promise<Date | undefined> {
  for (const id of [from, to]) await hold(["memberId", id], trx);
  const [theirs, own] = await Promise.all([listTerms(trx, from), listTerms(trx, to)]);
  const moved = layOutTerms(own, theirs, now);
  await trx.updateTable("subscriptions").set({ memberId: to }).where("memberId", "=", from).execute();
  for (const { id, startsAt, endsAt } of moved) {
    // The earlier emails were about another day.
    const anew = { startsAt, endsAt, remindedAt: null, endEmailedAt: null };
    await trx.updateTable("subscriptions").set(anew).where("id", "=", id).execute();
  }
  return findMergedEnd([...own, ...theirs], moved, now);
}

function findMergedEnd(terms: HeldSubscription[], moved: MovedTerm[], now: Date): Date | undefined {
  const spans = new Map(moved.map((each) => [each.id, each]));
  const cover = findCover(
    terms.map((term) => Object.assign({}, term, spans.get(term.id))),
    now,
  );
  return cover.state === "active" || cover.state === "waiting" ? cover.endsAt : undefined;
}

/** Terms that are not over, revoked ones included; the one that ends last comes first. */
function listCurrent(trx: Queries, { memberId, now }: { memberId: number; now: Date }) {
  return trx
    .selectFrom("subscriptions")
    .select("endsAt")
    .where("memberId", "=", memberId)
    .where("endsAt", ">", now)
    .orderBy("endsAt", "desc");
}

const selectSpans = prepareQuery((db, of: { memberId: number; now: Date }) =>
  listCurrent(db, of).select(["startsAt", "revokedAt"]),
);

const selectCoverEnd = prepareQuery((db, of: { memberId: number; now: Date }) =>
  listCurrent(db, of).where("revokedAt", "is", null).limit(1),
);

type Owner = [column: "memberId" | "orderId", id: number];

/** A write that changes nothing: on both engines, other transactions about these terms then wait. */
async function hold([column, id]: Owner, trx: Queries): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ [column]: id })
    .where(column, "=", id)
    .execute();
}

/** Locks first, so that it also revokes a term that another transaction is restoring. */
async function revokeTerms(trx: Queries, { of, now }: { of: Owner; now: Date }): Promise<boolean> {
  await hold(of, trx);
  return setRevoked(trx, { of, now, isRevoked: true });
}

type Restoring = { memberId: number; now: Date; listLost: (() => Promise<number[]>) | undefined };

async function restoreTerms(trx: Queries, { memberId, now, listLost }: Restoring): Promise<boolean> {
  await hold(["memberId", memberId], trx);
  return setRevoked(trx, { of: ["memberId", memberId], but: await listLost?.(), now, isRevoked: false });
}

type Revocation = { of: Owner; but?: number[] | undefined; now: Date; isRevoked: boolean };

/**
 * Revokes or restores an owner's terms that have not ended, except those of some orders; returns whether there was one.
 */
async function setRevoked(trx: Queries, { of: [column, id], but = [], now, isRevoked }: Revocation): Promise<boolean> {
  let terms = trx
    .updateTable("subscriptions")
    .set({ revokedAt: isRevoked ? now : null })
    .where(column, "=", id)
    .where("endsAt", ">", now)
    .where("revokedAt", isRevoked ? "is" : "is not", null);
  if (but.length > 0) {
    terms = terms.where((where) => where.or([where("orderId", "is", null), where("orderId", "not in", but)]));
  }
  return (await terms.executeTakeFirst()).numUpdatedRows > 0n;
}

function toSpan(row: Pick<Selectable<Schema["subscriptions"]>, "startsAt" | "endsAt" | "revokedAt">) {
  return { startsAt: row.startsAt, endsAt: row.endsAt, revokedAt: row.revokedAt ?? undefined };
}

function toHeld(row: Selectable<Schema["subscriptions"]>): HeldSubscription {
  return {
    id: row.id,
    memberId: row.memberId,
    planType: row.planType as PlanType,
    orderId: row.orderId ?? undefined,
    ...toSpan(row),
  };
}

/** The time of the reminder, and from when a company may pay for a member's next year. */
export const REMIND_BEFORE_IN_MS = 7 * DAY_IN_MS;

/** Terms that end after `from` and at `to` at the latest, ordered by end. */
export type EndingWindow = { from: Date; to: Date; limit: number };

/** `hasMore`: the limit was reached, so others may wait. */
export type ClaimedEndings = { endings: HeldSubscription[]; hasMore: boolean };

/**
 * Claims subscriptions whose email of this sort is not written, and marks them as written. Only a member's last
 * subscription counts: a member who has renewed gets no email about the previous one, whose end is marked too, so that
 * later runs skip it.
 */
async function claimEndings(
  column: "remindedAt" | "endEmailedAt",
  { from, to, limit, now }: EndingWindow & { now: Date },
  trx: Queries,
): Promise<ClaimedEndings> {
  const terms = column === "remindedAt" ? lastTerms(trx) : allTerms(trx);
  const due = terms
    .where("ending.endsAt", ">", from)
    .where("ending.endsAt", "<=", to)
    .where(`ending.${column}`, "is", null)
    .where("ending.revokedAt", "is", null)
    .orderBy("ending.endsAt")
    .orderBy("ending.id")
    .limit(limit);
  const rows = await trx
    .updateTable("subscriptions")
    .set({ [column]: now })
    .where("id", "in", due)
    // Checked again on the row itself: another process may have claimed it meanwhile.
    .where(column, "is", null)
    .where("revokedAt", "is", null)
    .returningAll()
    .execute();
  const last = await listLast(rows, trx);
  const endings = rows
    .filter(({ id }) => last.has(id))
    .map(toHeld)
    .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime() || a.id - b.id);
  return { endings, hasMore: rows.length === limit };
}

/** A member may have renewed while the claim waited. */
async function listLast(rows: { id: number }[], trx: Queries): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const ids = rows.map(({ id }) => id);
  return new Set((await lastTerms(trx).where("ending.id", "in", ids).execute()).map(({ id }) => id));
}

function allTerms(trx: Queries) {
  return trx.selectFrom("subscriptions as ending").select("ending.id");
}

function lastTerms(trx: Queries) {
  return allTerms(trx).where((row) => row.not(row.exists(findLater(trx))));
}
