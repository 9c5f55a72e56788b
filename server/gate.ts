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
