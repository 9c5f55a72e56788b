import { checkPassword, type PasswordOwner, type PasswordRefusal } from "./password-rules.ts";

export type NewPassword = { password: string; confirmation: string };

export type NewPasswordRefusal = `password-${PasswordRefusal | "mismatch"}`;

/** Why a password may not be set: what is wrong with it, then whether it was typed alike twice. The rules of sign-up (ASVS 6.2.1). */
export function checkNewPassword(
  { password, confirmation }: NewPassword,
  owner: { productName: string; email: string; firstName: string; lastName: string },
): NewPasswordRefusal[] {
  const whose: PasswordOwner = { ...owner, names: [owner.firstName, owner.lastName] };
  const fault = checkPassword(password, whose);
  const refusals: NewPasswordRefusal[] = fault === undefined ? [] : [`password-${fault}`];
  return password === confirmation ? refusals : [...refusals, "password-mismatch"];
}
