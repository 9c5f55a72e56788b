import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import fraunces from "@fontsource/fraunces/files/fraunces-latin-500-normal.woff2?url";

/**
 * Loads the fonts of every page before its style is read. Otherwise `font-display: optional` hardly ever shows them.
 */
export const fontPreloads = [figtree, fraunces].map((font) => (
  <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={font} />
));
