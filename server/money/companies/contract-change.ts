import { type Selectable, sql } from "kysely";

import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { dayText } from "../../content/items/item-facts.ts";
import { formatPenceInFull, toDay } from "../../platform/format.ts";
import { type Collection, listCollections, nextPeriod } from "./collections.ts";

/**
 * Changes of a company's contract. The price changes only with the next collection. More accounts count at once,
 * because people wait to join; fewer count from the next collection on, because this year's are paid for.
 */

/** An `undefined` field stays as it is. */
export type ContractTerms = { accounts?: number | undefined; priceInPence?: number | undefined };

export type NextContract = {
  accounts: number;
  priceInPence: number;
  /** The first day of their year; `undefined` where that is past, as for a stopped company. */
  from: Date | undefined;
};

export type ContractChange = {
  before: { accounts: number; priceInPence: number };
  after: { accounts: number; priceInPence: number };
  /** `first`: nothing was collected yet, so it counts from the beginning. */
  from: Date | "first" | "next";
};

type CompanyRow = Selectable<Schema["companies"]>;

type Columns = Pick<CompanyRow, "accounts" | "priceInPence" | "nextAccounts" | "nextPriceInPence">;

/** `undefined` where nothing changes. */
export function planChange(
  { row, collections }: { row: Columns & Pick<CompanyRow, "liveSince">; collections: Collection[] },
  wanted: ContractTerms,
  now: Date,
): { change: ContractChange; columns: Columns } | undefined {
  const agreed = {
    accounts: row.nextAccounts ?? row.accounts,
    priceInPence: row.nextPriceInPence ?? row.priceInPence,
  };
  const after = {
    accounts: wanted.accounts ?? agreed.accounts,
    priceInPence: wanted.priceInPence ?? agreed.priceInPence,
  };
  if (after.accounts === agreed.accounts && after.priceInPence === agreed.priceInPence) return undefined;
  const before = { accounts: row.accounts, priceInPence: row.priceInPence };
  if (collections.length === 0) {
    return {
      change: { before, after, from: "first" },
      columns: { ...after, nextAccounts: null, nextPriceInPence: null },
    };
  }
  return {
    change: { before, after, from: findNextDay({ liveSince: row.liveSince, collections, now }) ?? "next" },
    columns: {
      accounts: Math.max(row.accounts, after.accounts),
      priceInPence: row.priceInPence,
      nextAccounts: after.accounts < row.accounts ? after.accounts : null,
      nextPriceInPence: after.priceInPence === row.priceInPence ? null : after.priceInPence,
    },
  };
}

export async function changeContract(
  { clock }: Pick<Context, "clock">,
  { companyId, wanted }: { companyId: number; wanted: ContractTerms },
  trx: Queries,
): Promise<ContractChange | undefined> {
  const row = await lockCompany(trx, companyId);
  const planned = row && planChange({ row, collections: await listCollections(trx, companyId) }, wanted, clock());
  if (!planned) return undefined;
  await trx.updateTable("companies").set(planned.columns).where("id", "=", companyId).execute();
  await fitSeats(trx, { companyId, accounts: planned.columns.accounts });
  return planned.change;
}

/** Locks a company until the transaction ends, so that no year of it begins meanwhile. */
export function lockCompany(trx: Queries, companyId: number): Promise<CompanyRow | undefined> {
  return trx
    .updateTable("companies")
    .set({ nameKey: sql`name_key` })
    .where("id", "=", companyId)
    .returningAll()
    .executeTakeFirst();
}

/** Applies the terms of a year that begins; returns the row afterwards. */
export async function beginContract(trx: Queries, row: CompanyRow): Promise<void> {
  const accounts = row.nextAccounts ?? row.accounts;
  await trx
    .updateTable("companies")
    .set({
      accounts,
      priceInPence: row.nextPriceInPence ?? row.priceInPence,
      nextAccounts: null,
      nextPriceInPence: null,
    })
    .where("id", "=", row.id)
    .execute();
  await fitSeats(trx, { companyId: row.id, accounts });
}

/** One seat for each account; if more people have joined, one for each of them, and no more can join. */
async function fitSeats(db: Queries, { companyId, accounts }: { companyId: number; accounts: number }): Promise<void> {
  await db
    .updateTable("codes")
    .set({ seats: sql`case when seats_taken > ${accounts} then seats_taken else ${accounts} end` })
    .where("companyId", "=", companyId)
    .execute();
}

/** Removes the seats above the contract that were freed since it began. */
export async function fitFreedSeats({ db }: Pick<Context, "db">): Promise<void> {
  const over = await db
    .selectFrom("companies")
    .select(["id", "accounts"])
    .where((where) =>
      where.exists(
        where
          .selectFrom("codes")
          .select("codes.id")
          .whereRef("codes.companyId", "=", "companies.id")
          .whereRef("codes.seats", ">", "companies.accounts")
          .whereRef("codes.seats", ">", "codes.seatsTaken"),
      ),
    )
    .execute();
  for (const { id: companyId, accounts } of over) await fitSeats(db, { companyId, accounts });
}

/** The first day of the next year; `undefined` where that is past, as for a stopped company, or unknown. */
function findNextDay({
  liveSince,
  collections,
  now,
}: {
  liveSince: Date | null;
  collections: Collection[];
  now: Date;
}): Date | undefined {
  if (liveSince === null || collections.length === 0) return undefined;
  const { dueAt } = nextPeriod(collections, liveSince);
  return dueAt > now ? dueAt : undefined;
}

export function toNextContract(row: CompanyRow, collections: Collection[], now: Date): NextContract | undefined {
  if (row.nextAccounts === null && row.nextPriceInPence === null) return undefined;
  return {
    accounts: row.nextAccounts ?? row.accounts,
    priceInPence: row.nextPriceInPence ?? row.priceInPence,
    from: findNextDay({ liveSince: row.liveSince, collections, now }),
  };
}

export function contractSentences({ before, after, from }: ContractChange): string[] {
  const when =
    from === "first"
      ? "From the first collection"
      : from === "next"
        ? "From the next collection"
        : `From ${dayText(toDay(from))}`;
  const [price, old] = [formatPenceInFull(after.priceInPence), formatPenceInFull(before.priceInPence)];
  const isMore = after.accounts > before.accounts;
  const count = after.accounts.toLocaleString("en-GB");
  return [
    after.priceInPence === before.priceInPence
      ? `The price stays ${price} a year.`
      : `${when}: ${price} a year instead of ${old}.`,
    after.accounts === before.accounts
      ? `It stays at ${accountsText(count)}.`
      : `${isMore || from === "first" ? "From now on" : when}: ${accountsText(count)} instead of ${before.accounts.toLocaleString("en-GB")}.`,
  ];
}

function accountsText(count: string): string {
  return count === "1" ? "1 account" : `${count} accounts`;
}
