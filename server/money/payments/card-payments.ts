import { sql } from "kysely";

import { after, DAY_IN_MS, type Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { PaymentsContext } from "./context.ts";
import type { PaymentState } from "./states.ts";

/** An operator finds a payer by the last four digits of the card. */

/** The digits of an older payment do not change any more. */
const LOOKED_UP_FOR_DAYS = 30;
const AT_ONCE = 100;

const charged: PaymentState[] = ["succeeded", "refunding", "refunded", "refund-failed"];

/** Asks the gateway once for each recent payment without digits; returns how many it stored. Paying does not wait. */
export async function noteCards({ db, clock, refunds }: PaymentsContext): Promise<number> {
  if (!refunds) return 0;
  const waiting = await db
    .selectFrom("payments")
    .select(["id", "gatewayId"])
    .where("cardLast4", "is", null)
    .where("createdAt", ">", after(clock(), -LOOKED_UP_FOR_DAYS * DAY_IN_MS))
    // An expression: SQLite would use the index of states, and nearly every payment is in one of these.
    .where(sql<string>`state || ''`, "in", charged)
    .orderBy("createdAt", "desc")
    .limit(AT_ONCE)
    .execute();
  let count = 0;
  for (const { id, gatewayId } of waiting) {
    const last4 = gatewayId === null ? undefined : await refunds.findCardDigits(gatewayId);
    // Empty: the gateway has no card. An erasure leaves the same, and may have come first.
    const row = db.updateTable("payments").set({ cardLast4: last4 ?? "" });
    const { numUpdatedRows } = await row.where("id", "=", id).where("cardLast4", "is", null).executeTakeFirst();
    if (last4 !== undefined && numUpdatedRows > 0n) count += 1;
  }
  return count;
}

/** `memberId` is missing where no account was made. */
export type CardPayment = {
  orderId: number;
  memberId: number | undefined;
  firstName: string;
  lastName: string;
  receiptNumber: string | undefined;
  amountInPence: number;
  paidAt: Date;
};

/** As many fit on a page; a day has fewer of one card. */
const MOST_FOUND = 20;

/** The latest first. */
export async function findByCard(
  { db }: Context,
  { last4, span }: { last4: string; span: Span },
): Promise<CardPayment[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["payments.orderId", "payments.amountInPence", "payments.createdAt"])
    .select(["orders.memberId", "orders.firstName", "orders.lastName", "orders.receiptNumber"])
    .where("payments.cardLast4", "=", last4)
    .where("payments.createdAt", ">=", span.from)
    .where("payments.createdAt", "<", span.to)
    .orderBy("payments.createdAt", "desc")
    .limit(MOST_FOUND)
    .execute();
  return rows.map(({ orderId, amountInPence, createdAt, memberId, firstName, lastName, receiptNumber }) => ({
    orderId,
    memberId: memberId ?? undefined,
    firstName,
    lastName,
    receiptNumber: receiptNumber ?? undefined,
    amountInPence,
    paidAt: createdAt,
  }));
}

/** A statement shows the day of the charge or one of the next days, when our bank claimed the money. */
const STATEMENT_LAG_IN_DAYS = 3;

/** The possible time of a charge that a statement shows on a day. */
export function toChargeSpan({ from, to }: Span): Span {
  return { from: after(from, -STATEMENT_LAG_IN_DAYS * DAY_IN_MS), to };
}
