import type { Queries } from "../../platform/database/database.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import type { Debit } from "../payments/debit-gateway.ts";

/** A year of a company: what is collected for it, and its state at the gateway. */
export type Collection = {
  period: number;
  amountInPence: number;
  state: CollectionState;
  dueAt: Date;
  gatewayId: string | undefined;
};

/**
 * `due`: not collected yet. `again`: its debit failed, and the company has agreed again. Otherwise the gateway's state.
 */
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

export const MONTHS_PER_PERIOD = 12;

/** Years follow one another without a gap; a company does not pay for time while it was stopped. */
export function nextPeriod(collections: Collection[], liveSince: Date): { period: number; dueAt: Date } {
  const last = collections.at(-1);
  if (!last) return { period: 0, dueAt: liveSince };
  const dueAt = addMonths(last.dueAt, MONTHS_PER_PERIOD);
  return { period: last.period + 1, dueAt: dueAt < liveSince ? liveSince : dueAt };
}

export async function listCollections(db: Queries, companyId: number): Promise<Collection[]> {
  const rows = await db
    .selectFrom("collections")
    .selectAll()
    .where("companyId", "=", companyId)
    .orderBy("period")
    .execute();
  return rows.map((row) => ({
    period: row.period,
    amountInPence: row.amountInPence,
    state: row.state as CollectionState,
    dueAt: row.dueAt,
    gatewayId: row.gatewayId ?? undefined,
  }));
}

type NewCollection = { companyId: number; period: number; amountInPence: number; dueAt: Date; now: Date };

/** An existing row of that year stays as it is. */
export async function addCollection(
  db: Queries,
  { companyId, period, amountInPence, dueAt, now }: NewCollection,
): Promise<void> {
  await db
    .insertInto("collections")
    .values({
      companyId,
      period,
      amountInPence,
      gatewayId: null,
      state: "due",
      dueAt,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.columns(["companyId", "period"]).doNothing())
    .execute();
}
