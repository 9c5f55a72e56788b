/** Runs at most so many pieces of work at once; the others wait in line. Answers what the work answers. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createGate(width: number): Gate {
  let free = width;
  const line: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await work();
    } finally {
      // The next in line takes this very place, so that no newcomer overtakes it.
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** How many files of the content are on their way to one member. */
export type MediaInFlight = {
  /** Counts one more; answers what ends it, or nothing where the member has as many as may be. Ending twice counts once. */
  begin(memberId: number): (() => void) | undefined;
};

/** A long list has some forty pictures, which a browser asks for at once over HTTP/2; each that waits holds about 200 kB here. */
const MAX_PER_MEMBER = 64;

export function createMediaInFlight(maxPerMember = MAX_PER_MEMBER): MediaInFlight {
  const counts = new Map<number, number>();

  function count(memberId: number, change: 1 | -1): void {
    const next = (counts.get(memberId) ?? 0) + change;
    if (next > 0) counts.set(memberId, next);
    else counts.delete(memberId);
  }

  return {
    begin(memberId) {
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
