/**
 * Runs a limited number of jobs at once; the others queue.
 * @throws {LateTurnError} where a job's turn has not come within `maxWaitInMs`; it is then never begun.
 */
export type Gate = <Result>(work: () => Promise<Result>, maxWaitInMs?: number) => Promise<Result>;

export class LateTurnError extends Error {}

export function createGate(width: number): Gate {
  let free = width;
  const line = new Set<() => void>();

  async function waitForTurn(maxWaitInMs: number | undefined): Promise<void> {
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>();
    line.add(enter);
    if (maxWaitInMs === undefined) return promise;
    const giveUp = () => {
      if (line.delete(enter)) reject(new LateTurnError("Too much work waits in line"));
    };
    const timer = setTimeout(giveUp, maxWaitInMs);
    await promise.finally(() => clearTimeout(timer));
  }

  return async (work, maxWaitInMs) => {
    if (free > 0) free -= 1;
    else await waitForTurn(maxWaitInMs);
    try {
      return await work();
    } finally {
      // The next in line takes this place, so that no newcomer overtakes it.
      const [next] = line;
      if (next) {
        line.delete(next);
        next();
      } else free += 1;
    }
  };
}

/** Limits how many content files are being sent to one member. */
export type MediaInFlight = ReturnType<typeof createMediaInFlight>;

/** A long list has some forty pictures, which HTTP/2 requests at once; each waiting one holds about 200 kB here. */
const MAX_PER_MEMBER = 64;

export function createMediaInFlight(maxPerMember = MAX_PER_MEMBER) {
  const counts = new Map<number, number>();

  function count(memberId: number, change: 1 | -1): void {
    const next = (counts.get(memberId) ?? 0) + change;
    if (next > 0) counts.set(memberId, next);
    else counts.delete(memberId);
  }

  return {
    /** Returns the function that ends it (twice counts once), or nothing where the member has reached the limit. */
    begin(memberId: number): (() => void) | undefined {
      if ((counts.get(memberId) ?? 0) >= maxPerMember) return undefined;
      count(memberId, 1);
      let isOver = false;
      return () => {
        if (!isOver) count(memberId, -1);
        isOver = true;
      };
    },
  };
}
