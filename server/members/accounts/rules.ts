import { cleanText } from "../../platform/text.ts";

/** Rules for the details that a person types. Pure, so that pages may use them too. */

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
