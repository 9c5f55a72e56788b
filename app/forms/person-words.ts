import { person } from "../../server/refusals.ts";
import type { Complaint } from "./field-errors.ts";

const { spec } = person;

/** What is said of names and an address that cannot be kept, at sign-up and in My Account (spec, section 5). */
export const personWords = {
  "first-name-missing": ["firstName", spec["first-name-missing"]],
  "last-name-missing": ["lastName", spec["last-name-missing"]],
  "email-invalid": ["email", spec["email-invalid"]],
  "email-registered": ["email", spec["email-registered"]],
} satisfies Record<string, Complaint<"firstName" | "lastName" | "email">>;
