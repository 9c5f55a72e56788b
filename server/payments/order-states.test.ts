import * as fc from "fast-check";
import { expect, test } from "vitest";

import { moveOf, orderStates, type OrderEvent, type OrderState } from "./order-states.ts";

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
