import type { Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { PartRefundState, PaymentState } from "./states.ts";

/** In pence, by our clock. */

export async function sumPaid({ db }: Pick<Context, "db">, { from, to }: Span): Promise<number> {
  const { sum } = await db
    .selectFrom("orders")
    .select(({ fn }) => fn.sum<number | null>("amountInPence").as("sum"))
    .where("paidAt", ">=", from)
    .where("paidAt", "<", to)
    .executeTakeFirstOrThrow();
  return sum ?? 0;
}

/** Gifts paid in a span, whatever happened later. */
export async function countGifts({ db }: Pick<Context, "db">, { from, to }: Span): Promise<number> {
  const { count } = await db
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("paidAt", ">=", from)
    .where("paidAt", "<", to)
    .where("giftId", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Refunds that completed in a span: parts, and the rest of charges. Rows change later only if a refund comes back. */
export async function sumRefunded({ db }: Pick<Context, "db">, { from, to }: Span): Promise<number> {
  const parts = db
    .selectFrom("partRefunds")
    .innerJoin("payments", "payments.id", "partRefunds.paymentId")
    .select(({ fn }) => fn.sum<number | null>("partRefunds.amountInPence").as("sum"))
    .where("partRefunds.state", "=", "refunded" satisfies PartRefundState);
  const charges = db
    .selectFrom("payments")
    .select(({ fn }) => fn.sum<number | null>("amountInPence").as("sum"))
    .where("state", "=", "refunded" satisfies PaymentState)
    .where("updatedAt", ">=", from)
    .where("updatedAt", "<", to);
  const made = parts.where("partRefunds.updatedAt", ">=", from).where("partRefunds.updatedAt", "<", to);
  // A whole refund has only what earlier parts left.
  const before = parts
    .where("payments.state", "=", "refunded" satisfies PaymentState)
    .where("payments.updatedAt", ">=", from)
    .where("payments.updatedAt", "<", to);
  const [all, own, earlier] = await Promise.all([
    charges.executeTakeFirstOrThrow(),
    made.executeTakeFirstOrThrow(),
    before.executeTakeFirstOrThrow(),
  ]);
  return (all.sum ?? 0) + (own.sum ?? 0) - (earlier.sum ?? 0);
}
