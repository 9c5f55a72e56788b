import { monthBefore, toMonth, toStart } from "../../../platform/london-calendar.ts";
import type { CompanyPageContext } from "./contacts.ts";
import { type CountedMonth, toFives } from "./company-view.ts";

const AT_ONCE = 200;

/**
 * Counts each company's people for the last month that has ended in London, and stores rounded figures. A month is
 * never counted again, and a missed one stays empty. Returns how many companies were counted.
 */
export async function countCompanyMonths(ctx: CompanyPageContext): Promise<number> {
  const thisMonth = toMonth(ctx.clock());
  const month = monthBefore(thisMonth);
  const span = { month, from: toStart(month), to: toStart(thisMonth) };
  let counted = 0;
  for (let above = 0; ;) {
    const ids = await ctx.companies.listIds({ before: span.to, above, limit: AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) return counted;
    counted += await countCompanies(ctx, ids, span);
    above = last;
  }
}

type Span = { month: string; from: Date; to: Date };

async function countCompanies(
  { db, companies }: CompanyPageContext,
  companyIds: number[],
  { month, ...span }: Span,
): Promise<number> {
  const done = await db
    .selectFrom("companyMonths")
    .select("companyId")
    .where("companyId", "in", companyIds)
    .where("month", "=", month)
    .execute();
  const waiting = companyIds.filter((id) => !done.some((row) => row.companyId === id));
  if (waiting.length === 0) return 0;
  const counts = new Map(
    (await companies.countSeats({ companyIds: waiting, ...span })).map((each) => [each.companyId, each]),
  );
  const rows = waiting.map((id) => ({
    companyId: id,
    month,
    joined: toFives(counts.get(id)?.joined ?? 0),
    seatsTaken: toFives(counts.get(id)?.taken ?? 0),
  }));
  const unlessCounted = db
    .insertInto("companyMonths")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing());
  return Number((await unlessCounted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n);
}

const MONTHS_SHOWN = 36;

export async function listCompanyMonths(
  { db }: Pick<CompanyPageContext, "db">,
  companyId: number,
): Promise<CountedMonth[]> {
  const rows = await db
    .selectFrom("companyMonths")
    .select(["month", "joined", "seatsTaken"])
    .where("companyId", "=", companyId)
    .orderBy("month", "desc")
    .limit(MONTHS_SHOWN)
    .execute();
  return rows.map((row) => ({ month: row.month, joined: row.joined, seatsTaken: row.seatsTaken }));
}
