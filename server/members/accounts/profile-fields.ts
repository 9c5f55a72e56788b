import { cleanText, displayName } from "../../platform/text.ts";

/** Pure, so that pages may use them too. */

/**
 * The details that members edit in My Account. A row is all that the form, the check, the save and the API know of a
 * field; its name is its column's. Without the refusal `missing` it may be empty.
 */
export const profileFields = {
  firstName: {
    label: "First Name",
    kind: "name",
    wireName: "first_name",
    autoComplete: "given-name",
    refusals: { missing: "first-name-missing", long: "first-name-long" },
  },
  lastName: {
    label: "Surname",
    kind: "name",
    wireName: "last_name",
    autoComplete: "family-name",
    refusals: { missing: "last-name-missing", long: "last-name-long" },
  },
  email: {
    label: "Email Address",
    kind: "email",
    wireName: "email",
    autoComplete: "email",
    refusals: { invalid: "email-invalid" },
  },
} as const;

export type ProfileField = keyof typeof profileFields;
export type ProfileFields = Record<ProfileField, string>;

type Values<Table> = Table extends unknown ? Table[keyof Table] : never;
export type FieldRefusal = Values<(typeof profileFields)[ProfileField]["refusals"]>;

export const profileFieldNames = Object.keys(profileFields) as ProfileField[];

/** A value for each field. */
export function mapProfile<Value>(toValue: (field: ProfileField) => Value): Record<ProfileField, Value> {
  return Object.fromEntries(profileFieldNames.map((field) => [field, toValue(field)])) as Record<ProfileField, Value>;
}

/** In characters, of a first or a last name. */
export const NAME_MAX_LENGTH = 80;

/** A name that equals a field's label was not typed (docs/behaviour.md, My Account). */
const namePlaceholders = new Set(Object.values(profileFields).map(({ label }) => label.toLowerCase()));

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
