import type { Complaint } from "./field-errors.ts";

/** What is said of names and an address that cannot be kept, at sign-up and in My Account (spec, section 5). */
export const personWords = {
  "first-name-missing": ["firstName", "You need to enter a first name."],
  "last-name-missing": ["lastName", "You need to enter a surname."],
  "email-invalid": ["email", "You must use a valid email address"],
  "email-registered": ["email", "This email is already registered."],
} satisfies Record<string, Complaint<"firstName" | "lastName" | "email">>;

export const NAME_TOO_LONG = "This is too long: please use 80 characters or fewer.";
