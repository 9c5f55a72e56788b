import { cleanText, displayName } from "../../platform/text.ts";

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

export function displayFullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${displayName(firstName)} ${displayName(lastName)}`.trim();
}
