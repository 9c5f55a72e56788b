import type { NewPasswordRefusal } from "../../server/accounts/new-password.ts";
import type { Complaint } from "./field-errors.ts";

/**
 * What is said of a password that cannot be the new one, and beside which field (spec, section 5; 8 characters by design,
 * section 3). A new refusal does not compile until it has words.
 */
export const newPasswordWords: Record<NewPasswordRefusal, Complaint<"password" | "passwordConfirmation">> = {
  "password-short": ["password", "Password must be at least 8 characters long"],
  "password-long": ["password", "Password must be 1024 characters or fewer."],
  "password-common": ["password", "This password is too easy to guess. Please choose another."],
  "password-mismatch": ["passwordConfirmation", "Passwords do not match"],
};
