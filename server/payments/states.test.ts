import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { GatewayPaymentState } from "./card-gateway.ts";
import {
  liveStates,
  moveOf,
  orderStates,
  paymentStates,
  toEvent,
  type OrderEvent,
  type OrderState,
  type PaymentEvent,
  type PaymentState,
} from "./states.ts";

describe("the states of an order", () => {
  const states = Object.keys(orderStates) as OrderState[];
  const events: OrderEvent[] = ["paid", "given-up", "completed", "impossible", "refunded", "refund-failed"];

  /** All states that an order passes through when events come in this order; what the table does not allow changes nothing. */
  function walk(from: OrderState, happened: OrderEvent[]): OrderState[] {
    const passed = [from];
    let state = from;
    for (const event of happened) {
      const next = orderStates[state][event];
      if (next === undefined) continue;
      state = next;
      passed.push(state);
    }
    return passed;
  }

  test("every event leads to one state, and comes from at least one", () => {
    expect(events.map((event) => moveOf<OrderState, OrderEvent>(orderStates, event))).toEqual([
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
    expect(() => moveOf<"on" | "off", "press">(table, "press")).toThrow("must lead to one state");
    expect(() => moveOf<"on" | "off", "press" | "hold">(table, "hold")).toThrow("must lead to one state");
  });

  /** A refund may be sent back by a bank and be mended by hand, again and again; nothing else follows it. */
  const ofRefunds: OrderState[] = ["refunded", "refund-failed"];

  test("every state can be reached, and no order ever comes back to one it has left, but that a refund may fail later", () => {
    const reached = new Set<OrderState>();
    const property = fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happened) => {
      const passed = walk("awaiting-payment", happened);
      for (const state of passed) reached.add(state);
      const first = passed.findIndex((state) => ofRefunds.includes(state));
      const before = first === -1 ? passed : passed.slice(0, first);
      expect(new Set(before).size).toBe(before.length);
      expect(ofRefunds).toEqual(expect.arrayContaining(passed.slice(before.length)));
    });
    fc.assert(property, { numRuns: 2000, seed: 1 });
    expect(reached).toEqual(new Set(states));
  });

  test("a paid order ends completed or refunded, whatever is told in whatever order, and a failed refund can still be mended", () => {
    const ends: OrderState[] = ["completed", "refunded"];
    const property = fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happened) => {
      const end = walk("paid", happened).at(-1) ?? "paid";
      // Whoever is not at an end can still come to one.
      const rest = walk(end, ["completed", "impossible", "refunded"]).at(-1);
      expect(ends).toContain(rest);
      expect(walk("completed", events)).toEqual(["completed"]);
      expect(walk("refunded", events)).toEqual(["refunded", "refund-failed"]);
    });
    fc.assert(property, { numRuns: 2000, seed: 2 });
  });

  test("a completed order's money is never given back by the table", () => {
    const property = fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happened) => {
      const passed = walk("awaiting-payment", happened);
      expect(passed.includes("completed") && passed.includes("refund-pending")).toBe(false);
    });
    fc.assert(property, { numRuns: 2000, seed: 3 });
  });
});

describe("the states of a payment", () => {
  const states = Object.keys(paymentStates) as PaymentState[];
  const events: PaymentEvent[] = [
    "needs-action",
    "is-processing",
    "succeeded",
    "declined",
    "cancelled",
    "refund-wanted",
    "refunded",
    "refund-failed",
  ];
  const anyEvents = fc.array(fc.constantFrom(...events), { maxLength: 40 });

  function walk(from: PaymentState, happened: PaymentEvent[]): PaymentState[] {
    const passed = [from];
    let state = from;
    for (const event of happened) {
      const next = paymentStates[state][event];
      if (next === undefined) continue;
      state = next;
      passed.push(state);
    }
    return passed;
  }

  function splitAtRefund(passed: PaymentState[]): [PaymentState[], PaymentState[]] {
    const at = passed.findIndex((state) => ofRefunds.includes(state));
    return at === -1 ? [passed, []] : [passed.slice(0, at), passed.slice(at)];
  }

  test("every event leads to one state", () => {
    const ends = events.map((event) => moveOf<PaymentState, PaymentEvent>(paymentStates, event).to);
    expect(ends).toEqual([
      "authenticating",
      "processing",
      "succeeded",
      "failed",
      "cancelled",
      "refunding",
      "refunded",
      "refund-failed",
    ]);
  });

  /** A refund may be sent back by a bank and be mended by hand, again and again; nothing else follows it. */
  const ofRefunds: PaymentState[] = ["refunded", "refund-failed"];

  test("every state can be reached, and none is come back to but by a refund, in whatever order the gateway tells things", () => {
    const reached = new Set<PaymentState>();
    const property = fc.property(anyEvents, (happened) => {
      const passed = walk("started", happened);
      for (const state of passed) reached.add(state);
      const [before, after] = splitAtRefund(passed);
      expect(new Set(before).size).toBe(before.length);
      expect(ofRefunds).toEqual(expect.arrayContaining(after));
    });
    fc.assert(property, { numRuns: 3000, seed: 1 });
    expect(reached).toEqual(new Set(states));
  });

  test("money that has come is never lost from sight: after it there is only the way back", () => {
    const property = fc.property(fc.constantFrom(...states), anyEvents, (from, happened) => {
      const passed = walk(from, happened);
      const at = passed.indexOf("succeeded");
      if (at === -1) return;
      expect(["refunding", "refunded", "refund-failed"]).toEqual(expect.arrayContaining(passed.slice(at + 1)));
    });
    fc.assert(property, { numRuns: 3000, seed: 2 });
  });

  test("money counts whenever it comes: from every state before it", () => {
    const before: PaymentState[] = [...liveStates, "failed", "cancelled"];
    expect(moveOf<PaymentState, PaymentEvent>(paymentStates, "succeeded").from).toEqual(before);
  });

  test("what failed or was cancelled takes no more money by itself, and a refund that went through can only fail", () => {
    const unpaid = events.filter((event) => event !== "succeeded");
    const property = fc.property(fc.array(fc.constantFrom(...unpaid), { maxLength: 40 }), (happened) => {
      for (const end of ["failed", "cancelled"] as const) expect(walk(end, happened)).toEqual([end]);
    });
    fc.assert(property, { numRuns: 500, seed: 3 });
    expect(walk("refunded", events)).toEqual(["refunded", "refund-failed"]);
  });

  test("whatever the gateway calls a payment is something that can happen to a live one", () => {
    const told: GatewayPaymentState[] = ["requires-method", "requires-action", "processing", "succeeded", "cancelled"];
    expect(told.map(toEvent)).toEqual(["declined", "needs-action", "is-processing", "succeeded", "cancelled"]);
    for (const state of told) expect(paymentStates.started[toEvent(state)]).toBeDefined();
  });
});
