import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { PartCheck } from "../../platform/part-check.ts";

/**
 * A provider of card payments, which stores the cards; we store its ids. Each creating call has a key of ours: a repeat
 * with the same key gets the same answer, so a crash before we store it is harmless. Calls throw when the gateway does
 * not answer in time: the outcome is then unknown, never "failed". Only `PaymentNotMadeError` is certain.
 */
export type CardGateway = CardCharges & CardRefunds;

export type CardCharges = {
  name: string;
  fields: CardFields;
  createCustomer(customer: NewCustomer): Promise<{ customerId: string }>;
  /** Charges a payment method that the browser created. A declined card is an answer and throws nothing. */
  startPayment(payment: NewPayment): Promise<GatewayPayment>;
  /** A payment on the gateway's own page, for browsers without script or card fields. */
  startHostedPayment(payment: NewHostedPayment): Promise<GatewayPayment>;
  findPayment(paymentId: string): Promise<GatewayPayment | undefined>;
  /** Finds a payment that a crash left unstored. */
  listPaymentsFor(order: { orderId: number; customerId: string }): Promise<GatewayPayment[]>;
  /** Returns the new state: the payment may have succeeded meanwhile. */
  cancelPayment(paymentId: string): Promise<GatewayPayment>;
  /** Checks our keys and other settings at the gateway. */
  check(): Promise<PartCheck>;
};

/** Refunds, charged cards and webhook events. Another back end that takes the money does all of this itself. */
export type CardRefunds = {
  /** Missing where the gateway has no pages for operators, as the demo's. */
  dashboard?: CardDashboard;
  refund(refund: NewRefund): Promise<GatewayRefund>;
  findRefund(refundId: string): Promise<GatewayRefund | undefined>;
  /** A part's refund in any state, by our key: gateways forget idempotency keys, and parts have no other mark. */
  findPartRefund(part: { key: string; paymentId: string }): Promise<GatewayRefund | undefined>;
  /** All refunds but the failed, also those made by hand, as one: their sum, in the state of the slowest. */
  findRefunded(paymentId: string): Promise<GatewayRefund | undefined>;
  /** `undefined` where the gateway does not tell. */
  findCardDigits(paymentId: string): Promise<string | undefined>;
  findDispute(disputeId: string): Promise<GatewayDispute | undefined>;
  /** `undefined` when the signature is wrong. */
  readEvents(body: string, headers: WebhookHeaders): WebhookEvent[] | undefined;
  /** The oldest first: for webhooks that were never delivered, and after a restored backup (C20, C22). */
  listEventsSince(since: Date): Promise<WebhookEvent[]>;
};

/** The gateway's own pages, for operators to open. */
export type CardDashboard = {
  /** As operators call it: "Stripe". */
  title: string;
  paymentUrl(paymentId: string): string;
  /** Where a dispute is answered. */
  disputeUrl(disputeId: string): string;
};

/** The gateway refused the first try: this call has made no payment. */
export class PaymentNotMadeError extends Error {
  override name = "PaymentNotMadeError";
}

export function isWhole(gateway: CardCharges | CardGateway): gateway is CardGateway {
  return "refund" in gateway;
}

export type CardFields = {
  /**
   * Names the fields in `app/routes/door/signup/card-fields`, such as `demo` and `stripe`. `none`: no card payments.
   */
  kind: string;
  publishableKey?: string | undefined;
  /** For a gateway whose own script runs in the page. */
  script?: CardScript;
  /** The only cards of a test gateway, which the payment page lists. */
  testCards?: TestCard[];
};

/** `note`: what the card does: "pays". */
export type TestCard = { number: string; note: string };

/** For the content security policy: hosts separated by spaces. */
export type CardScript = { scripts: string; calls: string; frames: string };

export type NewCustomer = { key: string; email: string; name: string; postcode: string; country: string };

type Charge = {
  key: string;
  customerId: string;
  orderId: number;
  attempt: number;
  productId: number;
  variationId: number;
  amountInPence: number;
  currency: "GBP";
  /** The payer sees it at the gateway: "Dormouse, 12 months". */
  description: string;
  email: string;
};

export type NewPayment = Charge & {
  methodId: string;
  returnUrl: string;
};

export type NewHostedPayment = Charge & {
  returnUrl: string;
  cancelUrl: string;
  /** The end of the page: the same in every repeat, between half an hour and a day ahead. */
  expiresAt: Date;
};

export type GatewayPayment = {
  id: string;
  state: GatewayPaymentState;
  amountInPence: number;
  currency: string;
  customerId: string;
  /** From our request; `undefined` on a payment that is not ours. */
  orderId: number | undefined;
  attempt: number | undefined;
  /** Where the payer continues, while `requires-action`. */
  actionUrl: string | undefined;
  /** Of the last try, while `requires-method`. */
  decline: Decline | undefined;
};

/** `succeeded` and `cancelled` are final. `requires-method`: a try was declined, and nothing was taken. */
export type GatewayPaymentState = "requires-method" | "requires-action" | "processing" | "succeeded" | "cancelled";

/** In as much detail as helps the payer. */
export type Decline =
  | "declined"
  | "insufficient-funds"
  | "expired-card"
  | "wrong-number"
  | "wrong-cvc"
  | "authentication-failed"
  | "cancelled"
  | "gateway-unavailable";

/** `isPart`: `findPartRefund` finds it again by its key. */
export type NewRefund = { key: string; paymentId: string; amountInPence: number; isPart?: boolean };

/** A refund that `succeeded` may fail days later, when the payer's bank sends it back. */
export type GatewayRefund = {
  id: string;
  paymentId: string;
  amountInPence: number;
  state: "pending" | "succeeded" | "failed";
};

/** A payer's bank claims a charge back. `lost`: it has the money. An inquiry that takes no money is no dispute. */
export type GatewayDispute = { id: string; paymentId: string; state: "open" | "won" | "lost" };

/** The state of `subject` is looked up at the gateway, so order and repeats do not matter. */
export type WebhookEvent = { id: string; kind: "payment" | "refund" | "dispute" | "other"; subject: string };
