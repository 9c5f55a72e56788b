import { expect, test } from "vitest";

import { runTwoInstances } from "./two-instances/two-instances.ts";

test(
  "thirty people join at two instances, one is killed, the database restarts: none loses anything, pays twice or gets an email twice",
  { timeout: 180_000 },
  async () => {
    const outcome = await runTwoInstances({ people: 30 });
    console.log(outcome);
    expect(outcome.faults).toEqual([]);
    expect(outcome.notReturned).toBe(30);
    expect(outcome.oddPages).toBe(0);
    expect(outcome.failedAfterwards).toEqual([]);
    expect(outcome.strangers).toBe(0);
    // An email that an instance was sending when it was killed, or when the database went.
    expect(outcome.repeated).toBeLessThanOrEqual(3);
    expect(outcome.guesses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 429]);
    const expected = 1 + Math.floor(outcome.seconds / 54);
    expect(outcome.turns.get("run reconcile-payments")).toBeLessThanOrEqual(expected);
    expect([...outcome.turns.keys()]).toContain("run look-after-companies");
  },
);
