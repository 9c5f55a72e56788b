import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { addMonths } from "../membership/plans.ts";
import type { Debit, DebitGateway } from "../payments/debit-gateway.ts";
import { keyOfCompany } from "./company-key.ts";
import type { CompanyState } from "./company-states.ts";

/** A year of a company: what is collected for it, and how that stands at the gateway. */
export type Collection = {
  /** 0 for the first year, 1 for the second. */
  period: number;
  amountInPence: number;
  state: CollectionState;
  /** When the year that it pays for begins. */
  dueAt: Date;
  /** The debit that was made for it. */
  gatewayId: string | undefined;
};

/** `due`: not asked for yet. `again`: its debit was not paid, and the company has agreed anew since. Else as the gateway has it. */
export type CollectionState = "due" | "again" | Debit["state"];

export const unpaidStates: CollectionState[] = ["failed", "charged-back", "cancelled"];

export function isToBeCollected({ state }: { state: CollectionState }): boolean {
  return state === "due" || state === "again";
}

export function isUnpaid({ state }: { state: CollectionState }): boolean {
  return unpaidStates.includes(state);
}

export function isPaid({ state }: { state: CollectionState }): boolean {
  return state === "confirmed" || state === "paid-out";
}

const MONTHS_PER_PERIOD = 12;

/** The next year of a company. Years follow one another without a gap; it is not charged for time that it was stopped. */
export function nextPeriod(collections: Collection[], liveSince: Date): { period: number; dueAt: Date } {
  const last = collections.at(-1);
  if (!last) return { period: 0, dueAt: liveSince };
  const dueAt = addMonths(last.dueAt, MONTHS_PER_PERIOD);
  return { period: last.period + 1, dueAt: dueAt < liveSince ? liveSince : dueAt };
}

/** First year first. */
export async function listCollections(companyId: number, db: Queries): Promise<Collection[]> {
  const rows = await db
    .selectFrom("collections")
    .selectAll()
    .where("company_id", "=", companyId)
    .orderBy("period")
    .execute();
  return rows.map((row) => ({
    period: row.period,
    amountInPence: row.amount_in_pence,
    state: row.state as CollectionState,
    dueAt: new Date(row.due_at),
    gatewayId: row.gateway_id ?? undefined,
  }));
}

/** Writes down that a year is to be collected; a year that stands there already stays as it is. */
export async function addCollection(
  { companyId, period, amountInPence, dueAt, now }: AddedCollection,
  trx: Queries,
): Promise<void> {
  await trx
    .insertInto("collections")
    .values({
      company_id: companyId,
      period,
      amount_in_pence: amountInPence,
      gateway_id: null,
      state: "due",
      due_at: dueAt.toISOString(),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(["company_id", "period"]).doNothing())
    .execute();
}

type AddedCollection = { companyId: number; period: number; amountInPence: number; dueAt: Date; now: Date };

type Collecting = {
  company: { id: number; state: CompanyState; accounts: number; created_at: string };
  mandateId: string;
  productName: string;
};

type Rooms = { db: Queries; clock: Clock; gateway: DebitGateway };

/**
 * Collects a year that is to be collected: the row is there first, its key follows from it, and the debit's number is noted last.
 * So whatever is cut off or done twice, there is one debit (D5); another follows only one that was not paid.
 */
export async function collect(
  collection: Collection,
  { company, mandateId, productName }: Collecting,
  { db, clock, gateway }: Rooms,
): Promise<void> {
  const key = `${keyOfCompany(company)}:dd:${collection.period}`;
  const before = collection.gatewayId === undefined ? undefined : await gateway.findDebit(collection.gatewayId);
  const isTakenUpAgain = before && !isUnpaid(before);
  const debit = isTakenUpAgain
    ? before
    : await gateway.collect({
        key: before ? `${key}:after:${before.id}` : key,
        mandateId,
        amountInPence: collection.amountInPence,
        currency: "GBP",
        description: `${productName}, ${MONTHS_PER_PERIOD} months, ${company.accounts} accounts`,
        companyId: company.id,
      });
  const now = clock().toISOString();
  await db
    .updateTable("collections")
    .set({
      gateway_id: debit.id,
      state: debit.state,
      updated_at: now,
      // Who was stopped pays for a year from now on.
      ...(company.state === "stopped" && { due_at: now }),
    })
    .where("company_id", "=", company.id)
    .where("period", "=", collection.period)
    .where("state", "=", collection.state)
    .where("gateway_id", before ? "=" : "is", before?.id ?? null)
    .execute();
}
