/** Made at its first use and cached: what all processes import and few use must not delay the start. */
export function lazy<Thing extends object>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => (made ??= make());
}
