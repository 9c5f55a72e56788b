import { cleanText } from "../../platform/text.ts";

/** Pure, so that pages may use them too. */

/** In characters, of a first or a last name. */
export const NAME_MAX_LENGTH = 80;

/** A name that equals a field's label was not typed (docs/behaviour.md, My Account). */
const namePlaceholders = new Set(["first name", "surname"]);

/** On one line, with single spaces. */
export function cleanName(text: string): string {
  return cleanText(text).replace(/\s+/g, " ");
}

/** Checks a cleaned name; `undefined`: accepted. A name without a visible character is missing. */
export function checkName(text: string): "missing" | "long" | undefined {
  const name = cleanName(text);
  if (name === "" || namePlaceholders.has(name.toLowerCase())) return "missing";
  return Array.from(name).length > NAME_MAX_LENGTH ? "long" : undefined;
}

/** Names in one case get a capital; McDonald and O'Neill stay as typed (docs/behaviour.md, My Account). */
export function displayName(name: string): string {
  const typed = name.trim();
  if (typed !== typed.toLowerCase() && typed !== typed.toUpperCase()) return typed;
  const [first = "", ...rest] = Array.from(typed);
  return first.toLocaleUpperCase("en-GB") + rest.join("").toLocaleLowerCase("en-GB");
}

export function displayFullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${displayName(firstName)} ${displayName(lastName)}`.trim();
}
