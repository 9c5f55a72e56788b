/**
 * The moments between which a payment can be cut off. The saga says when it reaches one; tests end the process there and look at
 * what the next start makes of it. In production nobody listens.
 */
export type SagaPoint =
  | "order-opening"
  | "order-opened"
  | "customer-created"
  | "customer-noted"
  | "payment-asked"
  | "payment-noted"
  | "order-paid"
  | "order-completing"
  | "order-completed"
  | "refund-asked"
  | "refund-noted"
  | "notice-kept"
  | "notice-handled";

export type ReachPoint = (point: SagaPoint) => void;
