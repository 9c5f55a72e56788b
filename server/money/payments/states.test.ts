import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  gatewayEvents,
  liveStates,
  findMove,
  orderStates,
  paymentStates,
  type OrderEvent,
  type OrderState,
  type PaymentEvent,
  type PaymentState,
} from "./states.ts";

type Table = Record<string, Partial<Record<string, string>>>;

/** All states after these events in order; what the table does not allow changes nothing. */
function walk(table: Table, from: string, happened: string[]): string[] {
  const passed = [from];
  for (const event of happened) {
    const next = table[passed.at(-1) ?? from]?.[event];
    if (next !== undefined) passed.push(next);
  }
  return passed;
}

/** A bank may send a refund back and an operator mend it, again and again; nothing else follows it. */
const ofRefunds: string[] = ["refunded", "refund-failed"];

const arrangeSome = (events: string[]) => fc.array(fc.constantFrom(...events), { maxLength: 40 });
const events: OrderEvent[] = ["paid", "given-up", "completed", "impossible", "refunded", "refund-failed"];
const leads: Record<PaymentEvent, PaymentState> = {
  "needs-action": "authenticating",
  "is-processing": "processing",
  succeeded: "succeeded",
  declined: "failed",
  cancelled: "cancelled",
  "refund-wanted": "refunding",
  refunded: "refunded",
  "refund-failed": "refund-failed",
};
const paymentEvents = Object.keys(leads) as PaymentEvent[];

test.each<[string, Table, string, string[]]>([
  ["an order", orderStates, "awaiting-payment", events],
  ["a payment", paymentStates, "started", paymentEvents],
])("every state of %s can be reached, and only a refund leads back to one", (...[, table, first, all]) => {
  const reached = new Set<string>();
  const property = fc.property(arrangeSome(all), (happened) => {
    const passed = walk(table, first, happened);
    for (const state of passed) reached.add(state);
    const refundAt = passed.findIndex((state) => ofRefunds.includes(state));
    const before = refundAt === -1 ? passed : passed.slice(0, refundAt);
    expect(new Set(before).size).toBe(before.length);
    expect(ofRefunds).toEqual(expect.arrayContaining(passed.slice(before.length)));
  });
  fc.assert(property, { numRuns: 3000, seed: 1 });
  expect(reached).toEqual(new Set(Object.keys(table)));
});

describe("the states of an order", () => {
  test("every event leads to one state, and comes from at least one", () => {
    expect(events.map((event) => findMove<OrderState, OrderEvent>(orderStates, event))).toEqual([
      { from: ["awaiting-payment", "cancelled"], to: "paid" },
      { from: ["awaiting-payment"], to: "cancelled" },
      { from: ["paid"], to: "completed" },
      { from: ["paid"], to: "refund-pending" },
      { from: ["refund-pending", "refund-failed"], to: "refunded" },
      { from: ["refund-pending", "refunded"], to: "refund-failed" },
    ]);
  });

  test("an event that would lead to two states, or to none, is a mistake in the table", () => {
    const table = { on: { press: "off" }, off: { press: "on" } } as const;
    expect(() => findMove<"on" | "off", "press">(table, "press")).toThrow("must lead to one state");
    expect(() => findMove<"on" | "off", "press" | "hold">(table, "hold")).toThrow("must lead to one state");
  });

  test("a paid order ends completed, for good, or refunded, and a failed refund can still be mended", () => {
    const property = fc.property(arrangeSome(events), (happened) => {
      const passed = walk(orderStates, "paid", happened);
      const rest = walk(orderStates, passed.at(-1) ?? "paid", ["completed", "impossible", "refunded"]);
      expect(["completed", "refunded"]).toContain(rest.at(-1));
      expect(passed.includes("completed") && passed.includes("refund-pending")).toBe(false);
    });
    fc.assert(property, { numRuns: 2000, seed: 2 });
    expect(walk(orderStates, "completed", events)).toEqual(["completed"]);
    expect(walk(orderStates, "refunded", events)).toEqual(["refunded", "refund-failed"]);
  });
});

describe("the states of a payment", () => {
  test("received money is final: only a refund follows it", () => {
    const states = fc.constantFrom(...Object.keys(paymentStates));
    const property = fc.property(states, arrangeSome(paymentEvents), (from, happened) => {
      const passed = walk(paymentStates, from, happened);
      const at = passed.indexOf("succeeded");
      if (at !== -1) expect(["refunding", ...ofRefunds]).toEqual(expect.arrayContaining(passed.slice(at + 1)));
    });
    expect(() => fc.assert(property, { numRuns: 3000, seed: 2 })).not.toThrow();
  });

  test("money is accepted in every earlier state", () => {
    const before: PaymentState[] = [...liveStates, "failed", "cancelled"];
    expect(findMove<PaymentState, PaymentEvent>(paymentStates, "succeeded").from).toEqual(before);
  });

  test("a failed or cancelled payment is not retried, and a completed refund can only fail", () => {
    const unpaid = paymentEvents.filter((event) => event !== "succeeded");
    for (const end of ["failed", "cancelled"]) expect(walk(paymentStates, end, unpaid)).toEqual([end]);
    expect(walk(paymentStates, "refunded", paymentEvents)).toEqual(["refunded", "refund-failed"]);
  });

  test("every state of the gateway is a possible event of a live payment", () => {
    for (const event of Object.values(gatewayEvents)) expect(paymentStates.started[event]).toBeDefined();
  });
});
