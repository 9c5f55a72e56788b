import type { NewPasswordRefusal } from "../../server/accounts/passwords.ts";
import { newPassword } from "../../server/refusals.ts";
import type { Complaint } from "./field-errors.ts";

const { spec, ours } = newPassword;

/**
 * What is said of a password that cannot be the new one, and beside which field (spec, section 5; 8 characters by design,
 * section 3). A new refusal does not compile until it has words.
 */
export const newPasswordWords: Record<NewPasswordRefusal, Complaint<"password" | "passwordConfirmation">> = {
  "password-short": ["password", spec["password-short"]],
  "password-long": ["password", ours["password-long"]],
  "password-common": ["password", ours["password-common"]],
  "password-mismatch": ["passwordConfirmation", spec["password-mismatch"]],
};
