import type { Selectable } from "kysely";

import type { AccountType, Schema } from "../database/schema.ts";
import type { PlanType } from "../membership/plans.ts";
import type { OrderState } from "./order-states.ts";

/** What is bought, by which draft: written before any money moves. */
export type Order = {
  id: number;
  draftId: number | undefined;
  memberId: number | undefined;
  accountType: AccountType;
  planType: PlanType;
  amountInPence: number;
  state: OrderState;
  email: string;
  firstName: string;
  lastName: string;
  postcode: string;
  code: string | undefined;
  site: string;
  customerId: string | undefined;
  receiptNumber: string | undefined;
  startsAt: Date | undefined;
  endsAt: Date | undefined;
  paidAt: Date | undefined;
};

export type NewOrder = {
  draftId: number;
  /** Who renews. Whoever joins has no number yet. */
  memberId?: number | undefined;
  accountType: AccountType;
  planType: PlanType;
  email: string;
  firstName: string;
  lastName: string;
  postcode: string;
  code: string | undefined;
  /** Where the payer met the site, for links in letters. */
  site: string;
};

/** Orders in which money is on its way, in either direction. */
export const unsettledStates: OrderState[] = ["awaiting-payment", "paid", "refund-pending"];

/** Whether an order's money has come, whatever became of the order since. */
export function isPaid({ state }: Order): boolean {
  return state !== "awaiting-payment" && state !== "cancelled";
}

type OrderRow = Selectable<Schema["orders"]>;

export function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    draftId: row.draft_id ?? undefined,
    memberId: row.member_id ?? undefined,
    accountType: row.account_type,
    planType: row.plan_type as PlanType,
    amountInPence: row.amount_in_pence,
    state: row.state as OrderState,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    postcode: row.postcode,
    code: row.code ?? undefined,
    site: row.site,
    customerId: row.customer_id ?? undefined,
    receiptNumber: row.receipt_number ?? undefined,
    startsAt: toDate(row.starts_at),
    endsAt: toDate(row.ends_at),
    paidAt: toDate(row.paid_at),
  };
}

function toDate(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
