/** A longer term costs time and finds nothing more (design, section 3). In characters. */
export const TERM_MAX_LENGTH = 64;

/** A code point is two units of a string at the most, and a few more are lost as white space. */
const TERM_MAX_UNITS = 4 * TERM_MAX_LENGTH;

/** A term as screens and addresses show it: cut, without control characters. */
export function cutTerm(term: string): string {
  const start = term.trimStart().slice(0, TERM_MAX_UNITS).toWellFormed();
  const spaced = start.replace(/[\p{Cc}\p{Cf}\s\uFFFD]+/gu, " ").trim();
  return Array.from(spaced).slice(0, TERM_MAX_LENGTH).join("").trim();
}
