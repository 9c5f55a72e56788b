/** A thing that is made when it is first wanted, and then kept: what every process imports and few use must not delay its start. */
export function lazy<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
