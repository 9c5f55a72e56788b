import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { after, DAY_IN_MS } from "../../platform/clock.ts";
import {
  type CompanyEvent,
  type CompanyFacts,
  type CompanyState,
  findCompanyEvent,
  nextCompanyState,
  stateAt,
} from "./company.ts";

const now = new Date("2026-11-20T03:00:00.000Z");
const states: CompanyState[] = ["setting-up", "live", "grace", "stopped"];
const events: CompanyEvent[] = ["agreed", "trouble", "grace-over", "recovered"];

const someState = fc.constantFrom(...states);
const someFacts: fc.Arbitrary<CompanyFacts> = fc.record({
  state: someState,
  graceEndsAt: fc.option(
    fc.constantFrom(-DAY_IN_MS, -1, 0, 1, DAY_IN_MS).map((ms) => after(now, ms)),
    { nil: undefined },
  ),
  isCollectable: fc.boolean(),
  isUnpaid: fc.boolean(),
  isPaid: fc.boolean(),
});

describe("the status of a company", () => {
  test("in any order of events it stops only from grace, and only when that has ended", () => {
    const history = fc.property(fc.array(fc.constantFrom(...events)), (happenings) => {
      let state: CompanyState = "setting-up";
      for (const event of happenings) {
        const next = nextCompanyState(state, event);
        if (next === "stopped") expect([state, event]).toEqual(["grace", "grace-over"]);
        if (next === "grace") expect([state, event]).toEqual(["live", "trouble"]);
        // The same event twice changes nothing the second time.
        if (next) expect(nextCompanyState(next, event)).toBeUndefined();
        state = next ?? state;
      }
    });
    expect(() => fc.assert(history)).not.toThrow();
  });

  test("unchanged facts bring it to a stable state within three steps", () => {
    const comesToRest = fc.property(someFacts, (facts) => {
      // An unpaid year stays unpaid; the database cannot hold both.
      fc.pre(!(facts.isPaid && facts.isUnpaid));
      return settle(facts, 3);
    });
    expect(() => fc.assert(comesToRest)).not.toThrow();
  });

  test("an unpaid debit or a dead mandate never makes or keeps it live", () => {
    const isStrict = fc.property(someFacts, (facts) => {
      const event = findCompanyEvent(facts, now);
      const next = event ? nextCompanyState(facts.state, event) : facts.state;
      if (!facts.isCollectable) expect(next).not.toBe("live");
      if (facts.isUnpaid && facts.state === "live") expect(next).toBe("grace");
      if (!facts.isPaid && (facts.state === "grace" || facts.state === "stopped")) expect(next).not.toBe("live");
    });
    expect(() => fc.assert(isStrict)).not.toThrow();
  });

  test("grace ends by the date alone", () => {
    expect(stateAt({ state: "grace", graceEndsAt: after(now, 1) }, now)).toBe("grace");
    expect(stateAt({ state: "grace", graceEndsAt: now }, now)).toBe("stopped");
    expect(stateAt({ state: "grace", graceEndsAt: undefined }, now)).toBe("stopped");
    for (const state of ["setting-up", "live", "stopped"] as const) {
      expect(stateAt({ state, graceEndsAt: after(now, -DAY_IN_MS) }, now)).toBe(state);
    }
  });
});

/** Whether a company reaches a stable state in so many steps. */
function settle(facts: CompanyFacts, steps: number): boolean {
  const event = findCompanyEvent(facts, now);
  const state = event && nextCompanyState(facts.state, event);
  if (!state) return true;
  const graceEndsAt = state === "grace" ? after(now, DAY_IN_MS) : facts.graceEndsAt;
  return steps > 0 && settle({ ...facts, state, graceEndsAt }, steps - 1);
}
