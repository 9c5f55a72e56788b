import type { NoticeHeaders } from "../notices/notices.ts";
import type { PartCheck } from "../part-check.ts";

/**
 * Whoever takes card payments for us. It holds cards; we hold its ids. Every call that makes something carries a key of ours:
 * repeated with the same key it answers the same thing, so a crash between the call and our note of it costs nothing.
 * Calls throw when the gateway cannot be reached or gives no answer in time: the outcome is then unknown, never "failed". A
 * `PaymentNotMadeError` is the one exception.
 */
export type CardGateway = {
  name: string;
  /** What the payment page needs to show its card fields. */
  fields: CardFields;
  createCustomer(customer: NewCustomer): Promise<{ customerId: string }>;
  /** Charges a method that the browser made. A declined one is answered, not thrown. */
  startPayment(payment: NewPayment): Promise<GatewayPayment>;
  /** Opens a payment on the gateway's own page, for browsers without script or without card fields. */
  startHostedPayment(payment: NewHostedPayment): Promise<GatewayPayment>;
  findPayment(paymentId: string): Promise<GatewayPayment | undefined>;
  /** Every payment of that customer which carries the order's number: what a crash kept us from noting. */
  listPaymentsOf(order: { orderId: number; customerId: string }): Promise<GatewayPayment[]>;
  /** Ends a payment that has not succeeded, and answers what it is now: it may have succeeded meanwhile. */
  cancelPayment(paymentId: string): Promise<GatewayPayment>;
  refund(refund: NewRefund): Promise<GatewayRefund>;
  findRefund(refundId: string): Promise<GatewayRefund | undefined>;
  /** All that is back of a payment or on its way back, whoever sent it: the sum of its refunds but the failed, told as the slowest. */
  findRefunded(paymentId: string): Promise<GatewayRefund | undefined>;
  findDispute(disputeId: string): Promise<GatewayDispute | undefined>;
  /** The notices in a webhook's body, or `undefined` when its signature is not the gateway's. */
  readNotices(body: string, headers: NoticeHeaders): GatewayNotice[] | undefined;
  /** What the gateway would have told since then, oldest first: for webhooks that never came, and after a restored backup (C20, C22). */
  listNoticesSince(since: Date): Promise<GatewayNotice[]>;
  /** Asks the gateway whether our keys are good, and looks for what else is missing. */
  check(): Promise<PartCheck>;
};

/** The gateway has refused to work on a call that would have made a payment, at its first try: this call has made none. */
export class PaymentNotMadeError extends Error {
  override name = "PaymentNotMadeError";
}

/** `stripe` shows its own fields in the page; the demo's are ours; `none`: no cards are taken. */
export type CardFields = { kind: "demo" } | { kind: "none" } | { kind: "stripe"; publishableKey: string };

export type NewCustomer = { key: string; email: string; name: string; postcode: string; country: string };

type Charge = {
  key: string;
  customerId: string;
  orderId: number;
  /** Which try at paying for the order this is. */
  attempt: number;
  /** What is bought, as the spec's order payload names it. */
  productId: number;
  variationId: number;
  amountInPence: number;
  currency: "GBP";
  /** What stands on the payer's own list: "Dormouse, 12 months". */
  description: string;
  email: string;
};

export type NewPayment = Charge & {
  methodId: string;
  /** Where the payer's bank sends the browser back to. */
  returnUrl: string;
};

export type NewHostedPayment = Charge & {
  returnUrl: string;
  cancelUrl: string;
  /** When the page closes by itself: the same in every repeat, between half an hour and a day away. */
  expiresAt: Date;
};

export type GatewayPayment = {
  id: string;
  state: GatewayPaymentState;
  amountInPence: number;
  currency: string;
  customerId: string;
  /** What we said of it when we made it; none on a payment that is not ours. */
  orderId: number | undefined;
  attempt: number | undefined;
  /** Where the payer goes on, while `requires-action`. */
  actionUrl: string | undefined;
  /** Why the last try failed, while `requires-method`. */
  decline: Decline | undefined;
};

/** `succeeded` and `cancelled` are final. `requires-method`: a try was declined, and nothing was taken. */
export type GatewayPaymentState = "requires-method" | "requires-action" | "processing" | "succeeded" | "cancelled";

/** Why a card was not charged, as far as the payer can do something about it. */
export type Decline =
  | "declined"
  | "insufficient-funds"
  | "expired-card"
  | "wrong-number"
  | "wrong-cvc"
  | "authentication-failed"
  | "cancelled"
  | "gateway-unavailable";

export type NewRefund = { key: string; paymentId: string; amountInPence: number };

/** One that `succeeded` may fail days later: the payer's bank sends it back. */
export type GatewayRefund = {
  id: string;
  paymentId: string;
  amountInPence: number;
  state: "pending" | "succeeded" | "failed";
};

/** A payer's bank wants its money back. `lost`: it has it; an inquiry that takes no money is none. */
export type GatewayDispute = { id: string; paymentId: string; state: "open" | "won" | "lost" };

/** Something happened to `subject`; what, is asked of the gateway itself, so order and repeats do not matter. */
export type GatewayNotice = { id: string; kind: "payment" | "refund" | "dispute" | "other"; subject: string };
