import type { GatewayPaymentState } from "./card-gateway.ts";

/**
 * One attempt to charge a card for an order. `started`: we asked or are about to; only the gateway knows more.
 * A row is written before the gateway is called, so nothing can be charged that we do not know of.
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
 * What may follow what. Money that arrives counts even after we gave up on it (`failed`, `cancelled`); nothing leads back from
 * `succeeded` but a refund.
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
  // An operator mended it at the gateway, or the gateway tried again by itself.
  "refund-failed": { refunded: "refunded" },
  // Banks send a refund back days after it went through.
  refunded: { "refund-failed": "refund-failed" },
};

/** Attempts that may still take money: an order has at most one. */
export const liveStates = ["started", "authenticating", "processing"] as const satisfies PaymentState[];

/** What a payment's state at the gateway means for our attempt. */
export function toEvent(state: GatewayPaymentState): PaymentEvent {
  return gatewayEvents[state];
}

const gatewayEvents: Record<GatewayPaymentState, PaymentEvent> = {
  "requires-method": "declined",
  "requires-action": "needs-action",
  processing: "is-processing",
  succeeded: "succeeded",
  cancelled: "cancelled",
};
