/**
 * What can go wrong on the way. `delay`: late, and done. `reset`: the line is cut before anything is done. `500`: nothing is done, and
 * the answer is kept under the key. `429`: nothing is done or kept. `garbage`: nothing is done, and a proxy's page comes back. `lost`:
 * it is done, and the answer does not arrive.
 */
export type FaultKind = "delay" | "reset" | "500" | "429" | "garbage" | "lost";

export type Fault = {
  kind: FaultKind;
  /** `POST /v1/refunds`, or a part of it; every call if there is none. */
  on?: RegExp;
  /** How often; for ever if not said. The SDK tries three times. */
  times?: number;
  /** For `delay`. */
  delayInMs?: number;
};

export function createFaults() {
  const faults: { fault: Fault; left: number }[] = [];
  return {
    add: (fault: Fault) => void faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => void faults.splice(0),
    /** The fault that strikes this call, used up by one. */
    take(call: string): Fault | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && (fault.on?.test(call) ?? true));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}
