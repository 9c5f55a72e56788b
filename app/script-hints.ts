/** A page without its hints of which scripts it will need, in the two parts around them, and the hints. */
export type HintedPage = { before: string; hints: string; after: string };

const hint = '<link rel="modulepreload"';

/**
 * React puts these hints before the style sheets. A browser fetches in the order of a page, over six connections where the line knows no
 * better: the scripts, which nothing waits for, would hold up the style and the first pictures, which the first sight waits for.
 */
export function takeScriptHints(html: string): HintedPage {
  const start = html.indexOf(hint);
  if (start === -1) return { before: html, hints: "", after: "" };
  let end = start;
  while (html.startsWith(hint, end)) end = html.indexOf(">", end) + 1;
  return { before: html.slice(0, start), hints: html.slice(start, end), after: html.slice(end) };
}
