import { plans } from "../membership/plans.ts";
import { CORPORATE_PLAN_LABEL } from "../membership/rules.ts";
import type { AccountType } from "../database/schema.ts";
import type { Order } from "./order-rows.ts";
import type { Orders } from "./orders.ts";

/** What a member can print of what they paid. */
export type Receipts = {
  /** A member's own receipt; nobody else's number finds anything. */
  findReceipt(memberId: number, number: string): Promise<Receipt | undefined>;
  listReceipts(memberId: number): Promise<Receipt[]>;
};

export type Receipt = {
  orderId: number;
  number: string;
  paidAt: Date;
  planLabel: string;
  amountInPence: number;
  startsAt: Date;
  endsAt: Date;
  name: string;
  email: string;
  postcode: string;
  accountType: AccountType;
};

export function createReceipts({ orders }: { orders: Orders }): Receipts {
  async function listReceipts(memberId: number): Promise<Receipt[]> {
    return (await orders.listOfMember(memberId)).map(toReceipt).filter((receipt) => receipt !== undefined);
  }
  return {
    listReceipts,
    findReceipt: async (memberId, number) => (await listReceipts(memberId)).find((each) => each.number === number),
  };
}

/** The receipt of a completed order. */
export function toReceipt(order: Order): Receipt | undefined {
  const { receiptNumber: number, paidAt, startsAt, endsAt } = order;
  if (!number || !paidAt || !startsAt || !endsAt) return undefined;
  return {
    orderId: order.id,
    number,
    paidAt,
    planLabel: order.accountType === "corporate" ? CORPORATE_PLAN_LABEL : plans[order.planType].label,
    amountInPence: order.amountInPence,
    startsAt,
    endsAt,
    name: `${order.firstName} ${order.lastName}`,
    email: order.email,
    postcode: order.postcode,
    accountType: order.accountType,
  };
}
