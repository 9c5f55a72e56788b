import type { Audit } from "../../platform/audit/audit.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Membership } from "../membership/membership.ts";
import type { Attempt } from "./attempts.ts";
import type { CardCharges, CardRefunds } from "./card-gateway.ts";
import type { Order } from "./orders.ts";

export type PaymentsContext = Context & {
  gateway: CardCharges;
  /** None where no payment is given back from here. */
  refunds: CardRefunds | undefined;
  fulfil: Fulfil;
  emails: PaymentEmails;
  membership: Pick<Membership, "revokeOrder">;
  audit: Audit;
};

/** Runs `work` in one transaction, with a context whose queries belong to it. */
export function transact<Ctx extends Context, Result>(
  ctx: Ctx,
  work: (inTransaction: Ctx) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction().execute((trx) => work({ ...ctx, db: trx }));
}

/**
 * Turns a paid order into what was bought, in the transaction that claims the order; or says why that is impossible. The sign-up
 * module does it.
 */
export type Fulfil = (order: Order, trx: Queries) => Promise<Fulfilment>;

export type Fulfilment =
  /** `hasJoined`: they were no member before. `receiptNumber`: where another back end writes the receipt. */
  | { ok: true; memberId: number; hasJoined: boolean; startsAt: Date; endsAt: Date; receiptNumber?: string }
  | { ok: false; reason: FulfilmentRefusal }
  /** A company's code is refused, with the sentence for the visitor. Nothing was paid, so nothing is refunded. */
  | { ok: false; reason: "code-refused"; message: string };

/** Logs a new member, once the transaction that made one is over. */
export function logJoining({ log }: Context, { memberId, hasJoined }: { memberId: number; hasJoined: boolean }): void {
  if (hasJoined) log.info({ member: memberId }, "a member joined");
}

/** Another account has the address by now; the account or the whole sign-up is gone; or it is completed already. */
export type FulfilmentRefusal = "email-registered" | "member-gone" | "sign-up-gone" | "already-completed";

/** Why money goes back. */
export type RefundCause = FulfilmentRefusal | "paid-twice" | "wrong-amount" | "given-back" | "cancelled" | "part";

/** The emails about money. They are written in the transaction of their cause. */
export type PaymentEmails = {
  receipt(order: Order, trx: Queries): Promise<void>;
  /** `amountInPence` is what goes back of the attempt; `part`: the number of the part that it is. */
  refund(
    refund: { order: Order; attempt: Pick<Attempt, "id" | "amountInPence">; cause: RefundCause; part?: number },
    trx: Queries,
  ): Promise<void>;
};
