/** A thrown value, in words. */

/** A fault on one line. Of several at once (an address with two numbers, say) each says its own. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorText).join("; ");
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s+/g, " ");
}

/** Numbers of telephones, cards and the like; ports and years are shorter. */
const LONG_NUMBER = /\d{6,}/g;
const EMAIL_ADDRESS = /[^\s<>"'“”(),;:]+@[^\s<>"'“”(),;:]+/g;
const MAX_STORED_LENGTH = 200;

/** The same to be kept: without what may be a person's (addresses, long numbers), and at most 200 characters. */
export function storedErrorText(error: unknown): string {
  const text = errorText(error).replaceAll(EMAIL_ADDRESS, "[address]").replaceAll(LONG_NUMBER, "[number]");
  // PostgreSQL keeps no NUL, and half a character is none.
  return Array.from(text.replaceAll("\0", "").toWellFormed()).slice(0, MAX_STORED_LENGTH).join("");
}
