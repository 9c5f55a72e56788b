import type { OrderState } from "./states.ts";

/** Orders in words, for the desk, lists and files. Pure. */
export const orderLabels: Record<OrderState, string> = {
  "awaiting-payment": "not paid yet",
  cancelled: "given up before it was paid",
  paid: "paid, being completed",
  completed: "paid",
  "refund-pending": "on its way back",
  refunded: "given back",
  "refund-failed": "could not be given back: look at the gateway",
};
