import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { PlanType } from "./plans.ts";

/** Which members have paid for what, and so who may see content. */
export type Membership = {
  /** The one answer to "may this member see content now?". */
  findAccess(memberId: number): Promise<Access>;
  /** Gives a member a fixed term. */
  grant(subscription: Subscription): Promise<void>;
};

/** Computed from the dates at every request: access ends on time even if no task runs. */
export type Access = { isActive: true; endsAt: Date } | { isActive: false };

export type Subscription = { memberId: number; planType: PlanType; startsAt: Date; endsAt: Date };

export function createMembership({ db, clock }: { db: Queries; clock: Clock }): Membership {
  return {
    async findAccess(memberId) {
      const now = clock().toISOString();
      const row = await db
        .selectFrom("subscriptions")
        .select("ends_at")
        .where("member_id", "=", memberId)
        .where("starts_at", "<=", now)
        .where("ends_at", ">", now)
        .orderBy("ends_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ? { isActive: true, endsAt: new Date(row.ends_at) } : { isActive: false };
    },

    async grant({ memberId, planType, startsAt, endsAt }) {
      await db
        .insertInto("subscriptions")
        .values({
          member_id: memberId,
          plan_type: planType,
          starts_at: startsAt.toISOString(),
          ends_at: endsAt.toISOString(),
        })
        .execute();
    },
  };
}
