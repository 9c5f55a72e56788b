import type { Audit } from "../../platform/audit/audit.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Attempt } from "./attempts.ts";
import type { CardCharges, CardRefunds } from "./card-gateway.ts";
import type { Order } from "./orders.ts";

export type PaymentsContext = Context & {
  gateway: CardCharges;
  /** Missing where another back end makes refunds. */
  refunds: CardRefunds | undefined;
  fulfil: Fulfil;
  emails: PaymentEmails;
  endOrder: EndOrder;
  audit: Audit;
};

/** In one transaction, whose queries the passed context uses. */
export function transact<Ctx extends Context, Result>(
  ctx: Ctx,
  work: (inTransaction: Ctx) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction().execute((trx) => work({ ...ctx, db: trx }));
}

/** Delivers a paid order in the transaction that claims it, or returns why not. Sign-up implements it. */
export type Fulfil = (order: Order, trx: Queries) => Promise<Fulfilment>;

export type Fulfilment =
  /** A gift is on its way, and its receipt is written. */
  | { ok: true; isGift: true; receiptNumber: string }
  /** `hasJoined`: they were no member before. `receiptNumber`: where another back end writes the receipt. */
  | { ok: true; memberId: number; hasJoined: boolean; startsAt: Date; endsAt: Date; receiptNumber?: string }
  | { ok: false; reason: FulfilmentRefusal }
  /** A company's code is refused. Nothing was paid, so nothing is refunded. */
  | { ok: false; reason: "code-refused"; message: string };

/**
 * Ends what a completed order gave, in the transaction that refunds it or notes a lost dispute; returns whether it was
 * running. A gift that was taken up stays, and an operator is asked about it.
 */
export type EndOrder = (order: Order, why: "refunded" | "disputed", trx: Queries) => Promise<boolean>;

/** Call it after the transaction. */
export function logJoining({ log }: Context, done: Extract<Fulfilment, { ok: true }>): void {
  if ("hasJoined" in done && done.hasJoined) log.info({ member: done.memberId }, "a member joined");
}

/** Another account has the address, the account or sign-up is gone, or it was completed already. */
export type FulfilmentRefusal = "email-registered" | "member-gone" | "sign-up-gone" | "gift-gone" | "already-completed";

export type RefundCause = FulfilmentRefusal | "paid-twice" | "wrong-amount" | "given-back" | "cancelled" | "part";

/** Emails are queued in the transaction of their cause. */
export type PaymentEmails = {
  receipt(order: Order, trx: Queries): Promise<void>;
  /** `amountInPence`: the refund of the attempt; `part`: the number of the part. */
  refund(
    refund: { order: Order; attempt: Pick<Attempt, "id" | "amountInPence">; cause: RefundCause; part?: number },
    trx: Queries,
  ): Promise<void>;
};
