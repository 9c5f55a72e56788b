import type { GatewayDispute, GatewayPaymentState } from "./card-gateway.ts";

/** An order is one plan for one draft. Its payments are the attempts to pay for it. */
export type OrderState =
  | "awaiting-payment"
  /** Given up, by the visitor or after a day, before any money came. */
  | "cancelled"
  /** The money is here; account and subscription are not yet. */
  | "paid"
  | "completed"
  /** The money is here and cannot be used, so it is refunded. */
  | "refund-pending"
  | "refunded"
  /** The gateway did not refund it: an operator must look. */
  | "refund-failed";

export type OrderEvent =
  | "paid"
  | "given-up"
  | "completed"
  | "impossible"
  /** An operator refunds the money, and the term ends. */
  | "given-back"
  | "refunded"
  | "refund-failed";

/**
 * A paid order ends completed or refunded. From `completed` only an operator leads on. A refund may come back days
 * later; then an operator must look.
 */
export const orderStates: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
  "awaiting-payment": { paid: "paid", "given-up": "cancelled" },
  // Late money must lead to a membership or be refunded.
  cancelled: { paid: "paid" },
  paid: { completed: "completed", impossible: "refund-pending" },
  completed: { "given-back": "refund-pending" },
  "refund-pending": { refunded: "refunded", "refund-failed": "refund-failed" },
  "refund-failed": { refunded: "refunded" },
  refunded: { "refund-failed": "refund-failed" },
};

/** Refunded, or to be refunded. */
export const givenBackStates: OrderState[] = ["refund-pending", "refunded", "refund-failed"];

/** Money is on its way, in either direction. */
export const unsettledStates: OrderState[] = ["awaiting-payment", "paid", "refund-pending"];

/**
 * One attempt to charge a card for an order. `started`: only the gateway knows more. The row is written before the
 * gateway is called, so every charge has a row.
 */
export type PaymentState =
  | "started"
  | "authenticating"
  | "processing"
  | "succeeded"
  | "failed"
  | "cancelled"
  | "refunding"
  | "refunded"
  | "refund-failed";

export type PaymentEvent =
  | "needs-action"
  | "is-processing"
  | "succeeded"
  | "declined"
  | "cancelled"
  | "refund-wanted"
  | "refunded"
  | "refund-failed";

/**
 * Money that arrives counts even after an attempt `failed` or was `cancelled`. Only a refund leads on from `succeeded`.
 */
export const paymentStates: Record<PaymentState, Partial<Record<PaymentEvent, PaymentState>>> = {
  started: {
    "needs-action": "authenticating",
    "is-processing": "processing",
    succeeded: "succeeded",
    declined: "failed",
    cancelled: "cancelled",
  },
  authenticating: {
    "is-processing": "processing",
    succeeded: "succeeded",
    declined: "failed",
    cancelled: "cancelled",
  },
  processing: { succeeded: "succeeded", declined: "failed", cancelled: "cancelled" },
  failed: { succeeded: "succeeded" },
  cancelled: { succeeded: "succeeded" },
  succeeded: { "refund-wanted": "refunding" },
  refunding: { refunded: "refunded", "refund-failed": "refund-failed" },
  // An operator corrected it at the gateway, or the gateway tried again.
  "refund-failed": { refunded: "refunded" },
  // A bank may send a refund back days after it went through.
  refunded: { "refund-failed": "refund-failed" },
};

/** A partial refund while its order stays completed. Its row is written before the gateway is called. */
export type PartRefundState = "refunding" | "refunded" | "refund-failed";

export type PartRefundEvent = "refunded" | "refund-failed";

/** As those of a whole charge. */
export const partRefundStates: Record<PartRefundState, Partial<Record<PartRefundEvent, PartRefundState>>> = {
  refunding: { refunded: "refunded", "refund-failed": "refund-failed" },
  "refund-failed": { refunded: "refunded" },
  refunded: { "refund-failed": "refund-failed" },
};

/** They may still take money: an order has at most one. */
export const liveStates = ["started", "authenticating", "processing"] as const satisfies PaymentState[];

export const gatewayEvents: Record<GatewayPaymentState, PaymentEvent> = {
  "requires-method": "declined",
  "requires-action": "needs-action",
  processing: "is-processing",
  succeeded: "succeeded",
  cancelled: "cancelled",
};

export type DisputeState = GatewayDispute["state"];

/** A bank may take a charge back after all, but a lost dispute, which has ended a member's access, never reopens. */
export const disputeStates: Record<DisputeState, Partial<Record<DisputeState, DisputeState>>> = {
  open: { won: "won", lost: "lost" },
  won: { lost: "lost" },
  lost: {},
};

/** For one conditional update. @throws when the table has more than one target. */
export function findMove<State extends string, Event extends string>(
  table: Record<State, Partial<Record<Event, State>>>,
  event: Event,
): { from: State[]; to: State } {
  const from = (Object.keys(table) as State[]).filter((state) => table[state][event] !== undefined);
  const [to, ...others] = new Set(from.map((state) => table[state][event]));
  if (to === undefined || others.length > 0) throw new Error(`“${event}” must lead to one state`);
  return { from, to };
}
