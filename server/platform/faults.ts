/** On one line. An error with several causes (an address with two numbers, say) shows each. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorText).join("; ");
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s+/g, " ");
}

/** Numbers of telephones, cards and the like; ports and years are shorter. */
const LONG_NUMBER = /\d{6,}/g;
const EMAIL_ADDRESS = /[^\s<>"'“”(),;:]+@[^\s<>"'“”(),;:]+/g;
const MAX_STORED_LENGTH = 200;

/** For storing: without addresses and long numbers, which may be a person's, and at most 200 characters. */
export function storedErrorText(error: unknown): string {
  const text = errorText(error).replaceAll(EMAIL_ADDRESS, "[address]").replaceAll(LONG_NUMBER, "[number]");
  // PostgreSQL stores no NUL, and half a surrogate pair is invalid.
  return Array.from(text.replaceAll("\0", "").toWellFormed()).slice(0, MAX_STORED_LENGTH).join("");
}
