import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { PartCheck } from "../../platform/part-check.ts";

/**
 * A provider that takes card payments for us. It stores the cards; we store its ids. Every call that creates something has a key of
 * ours: repeated with the same key it gives the same answer, so a crash between the call and our note of it is harmless.
 * Calls throw when the gateway cannot be reached or does not answer in time: the outcome is then unknown, never "failed". A
 * `PaymentNotMadeError` is the only exception.
 */
export type CardGateway = CardCharges & CardRefunds;

/** Taking money. */
export type CardCharges = {
  name: string;
  /** The card fields of the payment page. */
  fields: CardFields;
  createCustomer(customer: NewCustomer): Promise<{ customerId: string }>;
  /** Charges a payment method that the browser created. A declined card is an answer and throws nothing. */
  startPayment(payment: NewPayment): Promise<GatewayPayment>;
  /** Opens a payment on the gateway's own page, for browsers without script or without card fields. */
  startHostedPayment(payment: NewHostedPayment): Promise<GatewayPayment>;
  findPayment(paymentId: string): Promise<GatewayPayment | undefined>;
  /** Every payment of that customer with the order's number, to find one that a crash has left unnoted. */
  listPaymentsFor(order: { orderId: number; customerId: string }): Promise<GatewayPayment[]>;
  /** Cancels a payment that has not succeeded, and answers its state: it may have succeeded meanwhile. */
  cancelPayment(paymentId: string): Promise<GatewayPayment>;
  /** Asks the gateway whether our keys are valid, and checks the other settings. */
  check(): Promise<PartCheck>;
};

/** Giving it back, the cards that were charged, and the gateway's webhook events. Where another back end takes the money, it does all of this itself. */
export type CardRefunds = {
  refund(refund: NewRefund): Promise<GatewayRefund>;
  findRefund(refundId: string): Promise<GatewayRefund | undefined>;
  /** The refund that was made as a part under a key, whatever became of it: gateways forget keys, and parts have no other mark. */
  findPart(part: { key: string; paymentId: string }): Promise<GatewayRefund | undefined>;
  /** All refunds of a payment but the failed, also those made by hand, as one: their sum, in the state of the slowest. */
  findRefunded(paymentId: string): Promise<GatewayRefund | undefined>;
  /** The last four digits of the card that a payment was made with; `undefined` where the gateway does not say. */
  findCardDigits(paymentId: string): Promise<string | undefined>;
  findDispute(disputeId: string): Promise<GatewayDispute | undefined>;
  /** The webhook events in a webhook's body, or `undefined` when its signature is not the gateway's. */
  readEvents(body: string, headers: WebhookHeaders): WebhookEvent[] | undefined;
  /** The gateway's webhook events since then, oldest first: for webhooks that never came, and after a restored backup (C20, C22). */
  listEventsSince(since: Date): Promise<WebhookEvent[]>;
};

/** The gateway refused the first try of a call that would have made a payment: this call has made none. */
export class PaymentNotMadeError extends Error {
  override name = "PaymentNotMadeError";
}

/** Whether a gateway gives money back too. */
export function isWhole(gateway: CardCharges | CardGateway): gateway is CardGateway {
  return "refund" in gateway;
}

/** A gateway's card fields for the payment page. */
export type CardFields = {
  /** Names the fields in `app/routes/door/signup/card-fields`, such as `demo` and `stripe`. `none`: no card payments. */
  kind: string;
  /** With which a browser speaks to the gateway. */
  publishableKey?: string | undefined;
  /** Of a gateway whose own script runs in the page. */
  script?: CardScript;
  /** The only cards of a gateway that takes no money: the payment page lists them. */
  testCards?: TestCard[];
};

/** `note`: what happens with the card, to be read after its number: "pays". */
export type TestCard = { number: string; note: string };

/** The hosts of a gateway's script, for the content security policy: space-separated. */
export type CardScript = { scripts: string; calls: string; frames: string };

export type NewCustomer = { key: string; email: string; name: string; postcode: string; country: string };

type Charge = {
  key: string;
  customerId: string;
  orderId: number;
  /** The number of this attempt to pay for the order. */
  attempt: number;
  /** The order, as the API's payload names it. */
  productId: number;
  variationId: number;
  amountInPence: number;
  currency: "GBP";
  /** The text that the payer sees at the gateway: "Dormouse, 12 months". */
  description: string;
  email: string;
};

export type NewPayment = Charge & {
  methodId: string;
  /** Where the payer's bank returns the browser to. */
  returnUrl: string;
};

export type NewHostedPayment = Charge & {
  returnUrl: string;
  cancelUrl: string;
  /** When the page expires: the same in every repeat, between half an hour and a day ahead. */
  expiresAt: Date;
};

export type GatewayPayment = {
  id: string;
  state: GatewayPaymentState;
  amountInPence: number;
  currency: string;
  customerId: string;
  /** As we sent it when we created the payment; `undefined` on a payment that is not ours. */
  orderId: number | undefined;
  attempt: number | undefined;
  /** Where the payer continues, while `requires-action`. */
  actionUrl: string | undefined;
  /** Why the last try failed, while `requires-method`. */
  decline: Decline | undefined;
};

/** `succeeded` and `cancelled` are final. `requires-method`: a try was declined, and nothing was taken. */
export type GatewayPaymentState = "requires-method" | "requires-action" | "processing" | "succeeded" | "cancelled";

/** Why a card was not charged, in as much detail as helps the payer. */
export type Decline =
  | "declined"
  | "insufficient-funds"
  | "expired-card"
  | "wrong-number"
  | "wrong-cvc"
  | "authentication-failed"
  | "cancelled"
  | "gateway-unavailable";

/** `isPart`: one of several of a payment, which is found again by its key (`findPart`). */
export type NewRefund = { key: string; paymentId: string; amountInPence: number; isPart?: boolean };

/** A refund that `succeeded` may fail days later, when the payer's bank sends it back. */
export type GatewayRefund = {
  id: string;
  paymentId: string;
  amountInPence: number;
  state: "pending" | "succeeded" | "failed";
};

/** A payer's bank claims a charge back. `lost`: it has the money. An inquiry that takes no money is not a dispute. */
export type GatewayDispute = { id: string; paymentId: string; state: "open" | "won" | "lost" };

/** Something happened to `subject`. Its state is then looked up at the gateway, so order and repeats do not matter. */
export type WebhookEvent = { id: string; kind: "payment" | "refund" | "dispute" | "other"; subject: string };
