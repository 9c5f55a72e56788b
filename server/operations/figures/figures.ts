import type { Accounts } from "../../members/accounts/accounts.ts";
import { after, MINUTE_IN_MS, type Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { toDay } from "../../platform/format.ts";
import type { Membership } from "../../money/membership/membership.ts";
import type { Payments } from "../../money/payments/payments.ts";
import { findMonday, listDays, shiftDay, toSpan } from "./days.ts";
import { type FigureSpan, type Measure, measures } from "./measures.ts";

/** Each day is counted once, after its end, so that later events change no past figure. */
export type Figures = ReturnType<typeof createFigures>;

export type DailyFigures = {
  measure: Measure;
  /** By day, or by the first day of a week or month; oldest first. A day that was not counted has no value. */
  days: DayFigure[];
  /** So far; `undefined` where counting is too slow for a page. */
  today: number | undefined;
};

export type DayFigure = {
  day: string;
  value: number | undefined;
  /** Of the same days one whole span earlier, such as 12 weeks; `undefined` if one of them was not counted. */
  before: number | undefined;
};

export type Counters = Partial<Record<Measure, (day: Span) => Promise<number>>>;

export function createCounters(modules: {
  accounts: Pick<Accounts, "countCreated">;
  membership: Pick<Membership, "countRunning">;
  payments: Pick<Payments, "sumPaid" | "sumRefunded" | "countGifts">;
}): Counters {
  const { accounts, membership, payments } = modules;
  return {
    "sign-ups": (day) => accounts.countCreated(day),
    members: ({ to }) => membership.countRunning(to),
    income: (day) => payments.sumPaid(day),
    refunds: (day) => payments.sumRefunded(day),
    gifts: (day) => payments.countGifts(day),
  };
}

type FiguresContext = Pick<Context, "db" | "clock"> & { counters: Counters };

/** Older days are not counted any more: members erased since would be missing. */
const MAX_DAYS_BACK = 60;
/** Transactions that began before midnight are over by then, and other servers' clocks have passed it. */
const SETTLED_AFTER_IN_MS = 10 * MINUTE_IN_MS;
const tallied = (Object.keys(measures) as Measure[]).filter(isTallied);

function isTallied(measure: Measure): boolean {
  return measure === "searches" || measure.startsWith("plays-");
}

/** Not counted for today, because it reads all terms. */
const walked: Measure = "members";

export function createFigures(ctx: FiguresContext) {
  const counted = (Object.keys(measures) as Measure[]).filter((measure) => ctx.counters[measure]);
  return {
    /** Counts ended days of the last sixty; returns how many numbers it wrote. */
    countDays: () => countDays(ctx, counted),
    /**
     * The last days without today, or the last weeks or months with the present one. Without a provider's members and
     * orders.
     */
    list: (span: FigureSpan) =>
      Promise.all(
        [...counted, ...tallied].map((measure) => listFigure(ctx, measure, listSpans(span, toDay(ctx.clock())))),
      ),
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

/** `back`: so many days lie between `first` and the first of `starts`. `end`: the day after the last span. */
type Spans = { first: string; back: number; starts: string[]; end: string };

function listSpans({ unit, count }: FigureSpan, today: string): Spans {
  const { starts: all, end } = listStarts({ unit, count: 2 * count }, today);
  const [first = end, starts] = [all[0], all.slice(count)];
  return { first, back: listDays(first, starts[0] ?? end).length, starts, end };
}

function listStarts({ unit, count }: FigureSpan, today: string): Pick<Spans, "starts" | "end"> {
  if (unit === "day") return { starts: listDays(shiftDay(today, -count), today), end: today };
  const present = unit === "week" ? findMonday(today) : `${today.slice(0, 7)}-01`;
  const starts = [present];
  while (starts.length < count) {
    const [first = present] = starts;
    starts.unshift(unit === "week" ? shiftDay(first, -7) : `${shiftDay(first, -1).slice(0, 7)}-01`);
  }
  return { starts, end: shiftDay(today, 1) };
}

async function listFigure(
  ctx: FiguresContext,
  measure: Measure,
  { first, back, starts, end }: Spans,
): Promise<DailyFigures> {
  const { db, clock, counters } = ctx;
  const today = toDay(clock());
  const rows = await db
    .selectFrom("dailyCounts")
    .select(["day", "value"])
    .where("measure", "=", measure)
    .where("day", ">=", first)
    .where("day", "<=", today)
    .orderBy("day")
    .execute();
  const counts = isTallied(measure) ? await fillDays(db, measure, { rows, first, end }) : rows;
  const values = new Map(counts.map(({ day, value }) => [day, value]));
  return {
    measure,
    days: starts.map((day, index) => {
      const next = starts[index + 1] ?? end;
      const own = counts.filter((row) => row.day >= day && row.day < next);
      // The last day of a level stands for all of its span.
      const counted = measures[measure].isLevel ? own.slice(-1) : own;
      const earlier = counted.flatMap((row) => values.get(shiftDay(row.day, -back)) ?? []);
      return {
        day,
        value: sumUp(counted.map(({ value }) => value)),
        before: earlier.length === counted.length ? sumUp(earlier) : undefined,
      };
    }),
    today: isTallied(measure)
      ? rows.find(({ day }) => day === today)?.value
      : measure === walked
        ? undefined
        : await counters[measure]?.(toSpan(today)),
  };
}

type CountedDay = { day: string; value: number };

function sumUp(values: number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** A day without a row counted zero if there is an earlier row. */
async function fillDays(
  db: FiguresContext["db"],
  measure: Measure,
  { rows, first, end }: { rows: CountedDay[]; first: string; end: string },
): Promise<CountedDay[]> {
  const earlier = await db
    .selectFrom("dailyCounts")
    .select("day")
    .where("measure", "=", measure)
    .where("day", "<", first)
    .limit(1)
    .executeTakeFirst();
  const from = earlier ? first : rows[0]?.day;
  const values = new Map(rows.map(({ day, value }) => [day, value]));
  return from === undefined ? [] : listDays(from, end).map((day) => ({ day, value: values.get(day) ?? 0 }));
}
