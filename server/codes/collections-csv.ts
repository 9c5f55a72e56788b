import type { Queries } from "../database/database.ts";
import { toDay } from "../format.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import { addMonths } from "../membership/plans.ts";
import { type CollectionState, MONTHS_PER_PERIOD } from "./collections.ts";
import { collectionLabels } from "./rules.ts";

const COLUMNS = ["Company number", "Company", "Year", "From", "To", "Amount in pounds", "State"];

/**
 * The collections of all companies, or of one, as a file for spreadsheets: RFC 4180 in UTF-8 with a byte order mark, days as
 * 2026-11-20 in London, pounds with two decimals.
 */
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

/** Excel reads a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

export function toCsv(rows: string[][]): string {
  return BYTE_ORDER_MARK + rows.map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/** A cell that begins like this is a formula to a spreadsheet; an apostrophe before it makes it text (OWASP, CSV injection). */
const formulaLike = /^[\s\p{C}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20|%]/u;

function toCell(text: string): string {
  const harmless = formulaLike.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
