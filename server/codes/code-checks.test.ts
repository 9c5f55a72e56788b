import { describe, expect, test } from "vitest";

import { after, DAY_IN_MS } from "../clock.ts";
import { findFault, toMessage, type CodeFacts, type CodeFault } from "./code-checks.ts";

const now = new Date("2026-11-20T03:00:00.000Z");
const good: CodeFacts = {
  products: [117],
  seats: 2,
  seatsTaken: 1,
  startsAt: after(now, -DAY_IN_MS),
  endsAt: after(now, DAY_IN_MS),
  revokedAt: undefined,
  company: { state: "live", graceEndsAt: undefined },
};

describe("a code", () => {
  test("that has begun, has not ended and has a seat left is good", () => {
    expect(findFault(good, now)).toBeUndefined();
    expect(findFault({ ...good, endsAt: undefined, company: undefined }, now)).toBeUndefined();
  });

  test("begins at its first instant and is over at its last", () => {
    expect(findFault({ ...good, startsAt: now }, now)).toBeUndefined();
    expect(findFault({ ...good, startsAt: after(now, 1) }, now)).toBe("not-started");
    expect(findFault({ ...good, endsAt: now }, now)).toBe("ended");
    expect(findFault({ ...good, endsAt: after(now, 1) }, now)).toBeUndefined();
  });

  test("works through its company's grace, and not a millisecond longer", () => {
    const inGrace = (graceEndsAt: Date | undefined) => ({ ...good, company: { state: "grace" as const, graceEndsAt } });
    expect(findFault(inGrace(after(now, 1)), now)).toBeUndefined();
    expect(findFault(inGrace(now), now)).toBe("stopped");
    expect(findFault(inGrace(undefined), now)).toBe("stopped");
  });

  test.each([
    ["setting-up", "setting-up"],
    ["stopped", "stopped"],
  ] as const)("of a company that is %s does not work", (state, fault) => {
    expect(findFault({ ...good, company: { state, graceEndsAt: undefined } }, now)).toBe(fault);
  });

  test("unlocks the product or one of its plans, whatever else it unlocks", () => {
    for (const products of [[117], [118], [119], [120], [900, 120]]) {
      expect(findFault({ ...good, products }, now)).toBeUndefined();
    }
    for (const products of [[900], [116, 121], []]) expect(findFault({ ...good, products }, now)).toBe("not-sold");
  });

  test("that has several faults tells the one that more seats would not mend", () => {
    const worst: CodeFacts = { ...good, seatsTaken: 2, revokedAt: now, endsAt: now };
    expect(findFault(worst, now)).toBe("revoked");
    expect(findFault({ ...worst, revokedAt: undefined }, now)).toBe("ended");
    expect(findFault({ ...worst, revokedAt: undefined, endsAt: undefined }, now)).toBe("full");
  });
});

describe("what a visitor is told", () => {
  const faults: CodeFault[] = ["not-started", "ended", "revoked", "full", "stopped", "setting-up", "not-sold"];

  test.each(faults)("about a code that is %s ends in what to do, without a word about money", (fault) => {
    const sentence = toMessage(fault, good);
    expect(sentence).toContain("the person who gave it to you");
    expect(sentence).not.toMatch(/!|pay|paid|debit|mandate|bank|company|coupon|voucher/i);
  });

  test("names the days as a calendar in London has them", () => {
    const facts = {
      ...good,
      startsAt: new Date("2027-06-30T23:30:00.000Z"),
      endsAt: new Date("2026-12-31T23:30:00.000Z"),
    };
    expect(toMessage("not-started", facts)).toContain("01/07/2027");
    expect(toMessage("ended", facts)).toContain("31/12/2026");
  });
});
