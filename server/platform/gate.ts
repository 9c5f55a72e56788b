/**
 * Runs at most so many pieces of work at once; the others wait in line. Answers what the work answers.
 * @throws {LateTurnError} where the work's turn has not come within `maxWaitInMs`; the work is then never begun.
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
      // The next in line takes this very place, so that no newcomer overtakes it.
      const [next] = line;
      if (next) {
        line.delete(next);
        next();
      } else free += 1;
    }
  };
}

/** How many files of the content are on their way to one member. */
export type MediaInFlight = ReturnType<typeof createMediaInFlight>;

/** A long list has some forty pictures, which a browser asks for at once over HTTP/2; each that waits holds about 200 kB here. */
const MAX_PER_MEMBER = 64;

export function createMediaInFlight(maxPerMember = MAX_PER_MEMBER) {
  const counts = new Map<number, number>();

  function count(memberId: number, change: 1 | -1): void {
    const next = (counts.get(memberId) ?? 0) + change;
    if (next > 0) counts.set(memberId, next);
    else counts.delete(memberId);
  }

  return {
    /** Counts one more; answers what ends it, or nothing where the member has as many as may be. Ending twice counts once. */
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
