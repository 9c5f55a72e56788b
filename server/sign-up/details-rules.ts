import { checkPassword } from "../accounts/password-rules.ts";
import { isEmail } from "../accounts/rules.ts";
import type { Details, DetailsRefusal } from "./sign-up.ts";

/** Who the person is, as it will be kept. */
export type Person = { firstName: string; lastName: string; email: string };

const MAX_NAME_LENGTH = 80;

/** Trims what people cannot see, and takes line breaks and control characters out of names. */
export function toPerson({ firstName, lastName, email }: Details): Person {
  const clean = (name: string) => name.replace(/\p{Cc}+/gu, " ").trim();
  return { firstName: clean(firstName), lastName: clean(lastName), email: email.trim() };
}

/** Every rule of step 1 that needs nobody else (spec, section 5). */
export function checkPerson(details: Details, productName: string): DetailsRefusal[] {
  const { firstName, lastName, email } = toPerson(details);
  const refusals: (DetailsRefusal | false)[] = [
    firstName === "" && { reason: "first-name-missing" },
    isTooLong(firstName) && { reason: "name-too-long", field: "firstName" },
    lastName === "" && { reason: "last-name-missing" },
    isTooLong(lastName) && { reason: "name-too-long", field: "lastName" },
    !isEmail(email) && { reason: "email-invalid" },
    checkSecret(details, productName),
    details.password !== details.passwordConfirmation && { reason: "password-mismatch" },
  ];
  return refusals.filter((refusal) => refusal !== false);
}

function checkSecret(details: Details, productName: string): DetailsRefusal | false {
  const { firstName, lastName, email } = toPerson(details);
  const fault = checkPassword(details.password, { productName, email, names: [firstName, lastName] });
  return fault === undefined ? false : { reason: `password-${fault}` };
}

function isTooLong(name: string): boolean {
  return Array.from(name).length > MAX_NAME_LENGTH;
}
