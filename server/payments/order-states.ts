/** What is bought: one plan for one draft. Its payments are the attempts to pay for it. */
export type OrderState =
  | "awaiting-payment"
  /** Given up, by the visitor or by time, before any money came. */
  | "cancelled"
  /** The money is here; account and subscription are not yet. */
  | "paid"
  | "completed"
  /** The money is here and cannot be used: it goes back. */
  | "refund-pending"
  | "refunded"
  /** The gateway would not give it back: somebody must look. */
  | "refund-failed";

export type OrderEvent = "paid" | "given-up" | "completed" | "impossible" | "refunded" | "refund-failed";

/**
 * What may follow what: a paid order ends completed or refunded, whatever comes in between. `completed` is never left again; money that
 * went back may come again, days later, and then somebody must look.
 */
export const orderStates: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
  "awaiting-payment": { paid: "paid", "given-up": "cancelled" },
  // Money that comes after all must lead to a membership or go back.
  cancelled: { paid: "paid" },
  paid: { completed: "completed", impossible: "refund-pending" },
  completed: {},
  "refund-pending": { refunded: "refunded", "refund-failed": "refund-failed" },
  "refund-failed": { refunded: "refunded" },
  refunded: { "refund-failed": "refund-failed" },
};

/**
 * The move an event makes, for one conditional update: from which states, and to which.
 * @throws when the table would send it to more than one.
 */
export function moveOf<State extends string, Event extends string>(
  table: Record<State, Partial<Record<Event, State>>>,
  event: Event,
): { from: State[]; to: State } {
  const from = (Object.keys(table) as State[]).filter((state) => table[state][event] !== undefined);
  const [to, ...others] = new Set(from.map((state) => table[state][event]));
  if (to === undefined || others.length > 0) throw new Error(`“${event}” must lead to one state`);
  return { from, to };
}
