/** Bytes by what they are, as they travelled: compressed. */
export type TravelledBytes = { document: number; script: number; style: number; font: number; picture: number };

/** Run inside a page, so it stands alone: what came for the page and all that it asked for, once it is quiet. */
export function readTravelledBytes(): TravelledBytes {
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const sum = (pattern: RegExp) =>
    resources
      .filter(({ name }) => pattern.test(new URL(name).pathname))
      .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return {
    document: page?.encodedBodySize ?? Number.NaN,
    script: sum(/\.js$/),
    style: sum(/\.css$/),
    font: sum(/\.woff2$/),
    picture: sum(/\.(?:avif|webp|png|jpg)$/),
  };
}
