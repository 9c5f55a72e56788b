import type { Accounts } from "../accounts/accounts.ts";
import { after, MINUTE_IN_MS, type Span } from "../clock.ts";
import type { Context } from "../context.ts";
import { toDay } from "../format.ts";
import type { Membership } from "../membership/membership.ts";
import type { Payments } from "../payments/payments.ts";
import { listDays, shiftDay, toSpan } from "./days.ts";
import { type Measure, measures } from "./rules.ts";

/** Counts by day. A day is counted once, when it is over, so that what happens later changes no past figure. */
export type Figures = ReturnType<typeof createFigures>;

export type DailyFigures = {
  measure: Measure;
  /** Oldest first. A day that was not counted has no value. */
  days: DayFigure[];
  /** So far; `undefined` where counting it would take too long for a page. */
  today: number | undefined;
};

export type DayFigure = { day: string; value: number | undefined };

/** How each measure is counted over a day. */
export type Counters = Partial<Record<Measure, (day: Span) => Promise<number>>>;

export function createCounters(modules: {
  accounts: Pick<Accounts, "countCreated">;
  membership: Pick<Membership, "countRunning">;
  payments: Pick<Payments, "sumPaid" | "sumRefunded">;
}): Counters {
  const { accounts, membership, payments } = modules;
  return {
    "sign-ups": (day) => accounts.countCreated(day),
    members: ({ to }) => membership.countRunning(to),
    income: (day) => payments.sumPaid(day),
    refunds: (day) => payments.sumRefunded(day),
  };
}

type FiguresContext = Pick<Context, "db" | "clock"> & { counters: Counters };

/** Older days are not counted any more: members who were erased since would be missing. */
const MAX_DAYS_BACK = 60;
/** Transactions that began before midnight are over by then, and other servers' clocks have passed it. */
const SETTLED_AFTER_IN_MS = 10 * MINUTE_IN_MS;
/** Not counted for today, because it reads all terms. */
const walked: Measure = "members";

export function createFigures(ctx: FiguresContext) {
  const counted = (Object.keys(measures) as Measure[]).filter((measure) => ctx.counters[measure]);
  return {
    /** Counts the days of the last sixty that are over and not counted yet; answers how many numbers it wrote. */
    countDays: () => countDays(ctx, counted),
    /** Each measure over the last days, without today; none where a provider keeps members and orders. */
    list: (days: number) => Promise.all(counted.map((measure) => listDaily(ctx, measure, days))),
  };
}

async function countDays({ db, clock, counters }: FiguresContext, counted: Measure[]): Promise<number> {
  const end = toDay(after(clock(), -SETTLED_AFTER_IN_MS));
  const first = shiftDay(end, -MAX_DAYS_BACK);
  const rows = await db.selectFrom("dailyCounts").select(["day", "measure"]).where("day", ">=", first).execute();
  const known = new Set(rows.map(({ day, measure }) => `${day} ${measure}`));
  let count = 0;
  for (const day of listDays(first, end)) {
    for (const measure of counted.filter((each) => !known.has(`${day} ${each}`))) {
      const value = (await counters[measure]?.(toSpan(day))) ?? 0;
      const row = { day, measure, value };
      await db
        .insertInto("dailyCounts")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      count += 1;
    }
  }
  return count;
}

async function listDaily(ctx: FiguresContext, measure: Measure, days: number): Promise<DailyFigures> {
  const { db, clock, counters } = ctx;
  const today = toDay(clock());
  const first = shiftDay(today, -days);
  const rows = await db
    .selectFrom("dailyCounts")
    .select(["day", "value"])
    .where("measure", "=", measure)
    .where("day", ">=", first)
    .where("day", "<", today)
    .execute();
  const values = new Map(rows.map(({ day, value }) => [day, value]));
  return {
    measure,
    days: listDays(first, today).map((day) => ({ day, value: values.get(day) })),
    today: measure === walked ? undefined : await counters[measure]?.(toSpan(today)),
  };
}
