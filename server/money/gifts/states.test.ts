import * as fc from "fast-check";
import { expect, test } from "vitest";

import { type GiftEvent, type GiftState, giftStates } from "./states.ts";

const events: GiftEvent[] = ["bought", "sent", "taken-up", "cancelled", "refunded", "expired", "ended"];

/** The states of a gift to which these events lead. */
function walk(happened: GiftEvent[]): GiftState[] {
  const passed: GiftState[] = ["draft"];
  for (const event of happened) {
    const next = giftStates[passed.at(-1) ?? "draft"][event];
    if (next !== undefined) passed.push(next);
  }
  return passed;
}

test("every state of a gift can be reached, and none comes back", () => {
  const reached = new Set<GiftState>();
  const property = fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happened) => {
    const passed = walk(happened);
    for (const state of passed) reached.add(state);
    expect(new Set(passed).size).toBe(passed.length);
  });
  fc.assert(property, { numRuns: 3000, seed: 1 });
  expect(reached).toEqual(new Set(Object.keys(giftStates)));
});

test("only a gift that was sent is taken up, and one that is over never is", () => {
  const property = fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happened) => {
    const passed = walk(happened);
    const takenAt = passed.indexOf("taken-up");
    if (takenAt === -1) return;
    expect(passed[takenAt - 1]).toBe("sent");
    for (const over of ["cancelled", "refunded", "expired"] as const) expect(passed).not.toContain(over);
  });
  fc.assert(property, { numRuns: 3000, seed: 2 });
});
