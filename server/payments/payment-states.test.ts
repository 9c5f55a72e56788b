import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { GatewayPaymentState } from "./card-gateway.ts";
import { moveOf } from "./order-states.ts";
import { liveStates, paymentStates, toEvent, type PaymentEvent, type PaymentState } from "./payment-states.ts";

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
