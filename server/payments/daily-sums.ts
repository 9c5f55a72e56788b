import type { Span } from "../clock.ts";
import type { Context } from "../context.ts";
import type { PaymentState } from "./states.ts";

/** The sums of a day, in pence, by our clock. */

/** The orders that were paid in a span. */
export async function sumPaid({ db }: Pick<Context, "db">, { from, to }: Span): Promise<number> {
  const { sum } = await db
    .selectFrom("orders")
    .select(({ fn }) => fn.sum<number | null>("amountInPence").as("sum"))
    .where("paidAt", ">=", from)
    .where("paidAt", "<", to)
    .executeTakeFirstOrThrow();
  return sum ?? 0;
}

/** The charges whose refund was completed in a span; nothing touches their rows afterwards but a refund that comes back. */
export async function sumRefunded({ db }: Pick<Context, "db">, { from, to }: Span): Promise<number> {
  const { sum } = await db
    .selectFrom("payments")
    .select(({ fn }) => fn.sum<number | null>("amountInPence").as("sum"))
    .where("state", "=", "refunded" satisfies PaymentState)
    .where("updatedAt", ">=", from)
    .where("updatedAt", "<", to)
    .executeTakeFirstOrThrow();
  return sum ?? 0;
}
