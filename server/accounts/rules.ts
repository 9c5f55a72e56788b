/**
 * Rules that hold wherever a person types their details. Pure, so that pages may use them too.
 */

/** The pattern of HTML's own e-mail field (HTML Living Standard, "valid e-mail address"), with a dot asked for in the domain. */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** RFC 5321: a path is at most 256 octets, its two brackets included. */
const EMAIL_MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && emailPattern.test(text);
}

/** The form in which two spellings of one address are the same. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** A name as it is shown: all-lower and all-upper ones get one capital, McDonald and O'Neill stay as typed (design, section 3). */
export function displayName(name: string): string {
  const typed = name.trim();
  if (typed !== typed.toLowerCase() && typed !== typed.toUpperCase()) return typed;
  const [first = "", ...rest] = Array.from(typed);
  return first.toLocaleUpperCase("en-GB") + rest.join("").toLocaleLowerCase("en-GB");
}
