import { toCsv } from "../../platform/csv.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toDay } from "../../platform/format.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { type CollectionState, MONTHS_PER_PERIOD } from "./collections.ts";
import { collectionLabels } from "./labels.ts";

const COLUMNS = ["Company number", "Company", "Year", "From", "To", "Amount in pounds", "State"];

/** CSV of all companies' collections, or one's: days in London (2026-11-20), pounds with two decimals. */
export async function exportCollections(db: Queries, companyId?: number): Promise<string> {
  const all = db
    .selectFrom("collections")
    .innerJoin("companies", "companies.id", "collections.companyId")
    .select(["companyId", "name", "period", "amountInPence", "collections.state", "dueAt"])
    .orderBy("companyId")
    .orderBy("period");
  const rows = await (companyId === undefined ? all : all.where("companyId", "=", companyId)).execute();
  return toCsv([
    COLUMNS,
    ...rows.map((row) => {
      const from = row.dueAt;
      const to = after(addMonths(from, MONTHS_PER_PERIOD), -DAY_IN_MS);
      const pounds = (row.amountInPence / 100).toFixed(2);
      const state = collectionLabels[row.state as CollectionState];
      return [String(row.companyId), row.name, String(row.period + 1), toDay(from), toDay(to), pounds, state];
    }),
  ]);
}
