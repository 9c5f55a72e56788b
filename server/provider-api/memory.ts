/** What is remembered of the members seen last, by number, one thing each; whoever was not seen for longest is forgotten first. */
export type Memory<Thing, Key = number> = {
  get(key: Key): Thing | undefined;
  set(key: Key, thing: Thing): void;
  delete(key: Key): void;
};

const MOST = 10_000;

export function createMemory<Thing, Key = number>(most = MOST): Memory<Thing, Key> {
  const things = new Map<Key, Thing>();
  return {
    get: (key) => things.get(key),
    set(key, thing) {
      things.delete(key);
      things.set(key, thing);
      for (const oldest of things.keys()) {
        if (things.size <= most) break;
        things.delete(oldest);
      }
    },
    delete: (key) => void things.delete(key),
  };
}
