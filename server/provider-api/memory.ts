/** What is remembered of the members seen last, one thing each; whoever was not seen for longest is forgotten first. */
export type Memory<Thing> = {
  get(memberId: number): Thing | undefined;
  set(memberId: number, thing: Thing): void;
  delete(memberId: number): void;
};

const MOST = 10_000;

export function createMemory<Thing>(most = MOST): Memory<Thing> {
  const things = new Map<number, Thing>();
  return {
    get: (memberId) => things.get(memberId),
    set(memberId, thing) {
      things.delete(memberId);
      things.set(memberId, thing);
      for (const oldest of things.keys()) {
        if (things.size <= most) break;
        things.delete(oldest);
      }
    },
    delete: (memberId) => void things.delete(memberId),
  };
}
