import type { ExpressionBuilder, Selectable } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { claimEndings, type EndingSubscription, type EndingWindow } from "./endings.ts";
import type { PlanType } from "./plans.ts";

/** Which members have paid for what, and so who may see content. */
export type Membership = {
  /** The one answer to "may this member see content now?". A granted term gives access until it ends, also by a clock that is behind. */
  findAccess(memberId: number): Promise<Access>;
  /** Gives a member a fixed term. An order gives one only once: answers whether this was the first time. */
  grant(subscription: Subscription, trx?: Queries): Promise<boolean>;
  /**
   * Where a renewal starts: the latest end of what runs now or later and is not revoked. In a transaction the member's subscriptions
   * stay held, so that two renewals at once stand one behind the other.
   */
  findCoverEnd(memberId: number, trx?: Queries): Promise<Date | undefined>;
  /** All there ever were, the one that ends last first. */
  listFor(memberId: number): Promise<HeldSubscription[]>;
  /** Ends access now; the dates stay. Answers whether anything ran or lay ahead. */
  revoke(memberId: number, trx?: Queries): Promise<boolean>;
  /** Ends what one order gave, now; what other orders gave stays. Answers whether it ran or lay ahead. */
  revokeOrder(orderId: number, trx?: Queries): Promise<boolean>;
  /** Takes a revocation back where the dates still run; answers whether there was one. */
  restore(memberId: number, trx?: Queries): Promise<boolean>;
  /** The subscriptions to remind of, each claimed once: write the letters in the same transaction. */
  claimReminders(window: EndingWindow, trx: Queries): Promise<EndingSubscription[]>;
  /** The same for the letter at the end, claimed by itself. */
  claimEndLetters(window: EndingWindow, trx: Queries): Promise<EndingSubscription[]>;
};

/** Computed from the dates at every request: access ends on time even if no task runs. */
export type Access =
  /** `endsAt` where it is known. */
  | { isActive: true; endsAt?: Date | undefined }
  /** `isUnknown`: nobody can say just now. */
  | { isActive: false; isUnknown?: boolean };

export type Subscription = {
  memberId: number;
  planType: PlanType;
  startsAt: Date;
  endsAt: Date;
  /** None for what an operator gives. */
  orderId?: number | undefined;
};

export type HeldSubscription = Subscription & { id: number; orderId: number | undefined; revokedAt: Date | undefined };

export function createMembership({ db, clock }: { db: Queries; clock: Clock }): Membership {
  return {
    async findAccess(memberId) {
      const now = clock().toISOString();
      const row = await findLatest(db, { memberId, now })
        .where((where) => where.or([where("starts_at", "<=", now), where.not(isQueued)]))
        .executeTakeFirst();
      return row ? { isActive: true, endsAt: new Date(row.ends_at) } : { isActive: false };
    },

    async grant({ memberId, planType, startsAt, endsAt, orderId }, trx = db) {
      const row = await trx
        .insertInto("subscriptions")
        .values({
          member_id: memberId,
          plan_type: planType,
          starts_at: startsAt.toISOString(),
          ends_at: endsAt.toISOString(),
          order_id: orderId ?? null,
        })
        .onConflict((conflict) => conflict.column("order_id").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async findCoverEnd(memberId, trx) {
      if (trx) await hold(memberId, trx);
      const row = await findLatest(trx ?? db, { memberId, now: clock().toISOString() }).executeTakeFirst();
      return row && new Date(row.ends_at);
    },

    async listFor(memberId) {
      const rows = await db
        .selectFrom("subscriptions")
        .selectAll()
        .where("member_id", "=", memberId)
        .orderBy("ends_at", "desc")
        .orderBy("id", "desc")
        .execute();
      return rows.map(toHeld);
    },

    revokeOrder: (orderId, trx = db) => revokeOrder(trx, { orderId, now: clock().toISOString() }),
    revoke: (memberId, trx = db) => setRevoked(trx, { memberId, now: clock().toISOString(), isRevoked: true }),
    restore: (memberId, trx = db) => setRevoked(trx, { memberId, now: clock().toISOString(), isRevoked: false }),

    claimReminders: (window, trx) => claimEndings("reminded_at", { ...window, now: clock() }, trx),
    claimEndLetters: (window, trx) => claimEndings("end_told_at", { ...window, now: clock() }, trx),
  };
}

type AtMoment = { memberId: number; now: string };

/** Of what is neither over nor revoked, the one that ends last. */
function findLatest(trx: Queries, { memberId, now }: AtMoment) {
  return trx
    .selectFrom("subscriptions")
    .select("ends_at")
    .where("member_id", "=", memberId)
    .where("ends_at", ">", now)
    .where("revoked_at", "is", null)
    .orderBy("ends_at", "desc")
    .limit(1);
}

/**
 * A renewal that waits for the end of the member's term before it. Any other term counts from when it was granted: its start lies
 * ahead only by a clock that is behind the one of the server that granted it.
 */
function isQueued(where: ExpressionBuilder<Schema, "subscriptions">) {
  const before = where
    .selectFrom("subscriptions as before")
    .select("before.id")
    .whereRef("before.member_id", "=", "subscriptions.member_id")
    .whereRef("before.ends_at", "=", "subscriptions.starts_at");
  return where.exists(before);
}

/** Writes nothing new: it makes another transaction that asks about this member wait, on both engines. */
async function hold(memberId: number, trx: Queries): Promise<void> {
  await trx.updateTable("subscriptions").set({ member_id: memberId }).where("member_id", "=", memberId).execute();
}

async function setRevoked(trx: Queries, { memberId, now, isRevoked }: AtMoment & { isRevoked: boolean }) {
  const { numUpdatedRows } = await trx
    .updateTable("subscriptions")
    .set({ revoked_at: isRevoked ? now : null })
    .where("member_id", "=", memberId)
    .where("ends_at", ">", now)
    .where("revoked_at", isRevoked ? "is" : "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function revokeOrder(trx: Queries, { orderId, now }: { orderId: number; now: string }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("subscriptions")
    .set({ revoked_at: now })
    .where("order_id", "=", orderId)
    .where("ends_at", ">", now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toHeld(row: Selectable<Schema["subscriptions"]>): HeldSubscription {
  return {
    id: row.id,
    memberId: row.member_id,
    planType: row.plan_type as PlanType,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    orderId: row.order_id ?? undefined,
    revokedAt: row.revoked_at === null ? undefined : new Date(row.revoked_at),
  };
}
