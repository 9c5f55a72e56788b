import { cleanText, toTextKey } from "../text.ts";

/** Rules for the details that a person types. Pure, so that pages may use them too. */

/** The pattern of HTML's own e-mail field (HTML Living Standard, "valid e-mail address"), with a dot required in the domain. */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** RFC 5321: a path is at most 256 octets, its two brackets included. */
const EMAIL_MAX_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && emailPattern.test(text);
}

/** The same for all spellings of one address. */
export function toEmailKey(email: string): string {
  return toTextKey(email);
}

/** In characters, of a first or a last name. */
export const NAME_MAX_LENGTH = 80;

/** The labels of the two fields: a name that equals one was not typed (docs/behaviour.md, My Account). */
const namePlaceholders = new Set(["first name", "surname"]);

/** A name as it is stored: on one line, with single spaces. */
export function cleanName(text: string): string {
  return cleanText(text).replace(/\s+/g, " ");
}

/** Why a name is refused, once it is cleaned; `undefined` when it is accepted. A name without a visible character is missing. */
export function checkName(text: string): "missing" | "long" | undefined {
  const name = cleanName(text);
  if (name === "" || namePlaceholders.has(name.toLowerCase())) return "missing";
  return Array.from(name).length > NAME_MAX_LENGTH ? "long" : undefined;
}

/** A name as it is shown: all-lower and all-upper ones get one capital, McDonald and O'Neill stay as typed (docs/behaviour.md, My Account). */
export function displayName(name: string): string {
  const typed = name.trim();
  if (typed !== typed.toLowerCase() && typed !== typed.toUpperCase()) return typed;
  const [first = "", ...rest] = Array.from(typed);
  return first.toLocaleUpperCase("en-GB") + rest.join("").toLocaleLowerCase("en-GB");
}

/** A person's whole name as it is shown, on receipts and at the desk as well; empty where there is none. */
export function displayFullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${displayName(firstName)} ${displayName(lastName)}`.trim();
}
