import { checkPassword } from "../accounts/passwords.ts";
import { checkName, cleanName, isEmail } from "../accounts/rules.ts";
import type { Details, DetailsRefusal } from "./sign-up.ts";

/** Who the person is, as it will be kept. */
export type Person = { firstName: string; lastName: string; email: string };

/** Without what nobody sees: edges, line breaks, control characters. */
export function toPerson({ firstName, lastName, email }: Details): Person {
  return { firstName: cleanName(firstName), lastName: cleanName(lastName), email: email.trim() };
}

/** Every rule of step 1 that needs nobody else (spec, section 5). */
export function checkPerson(details: Details, productName: string): DetailsRefusal[] {
  const first = checkName(details.firstName);
  const last = checkName(details.lastName);
  const refusals: (DetailsRefusal | false)[] = [
    first === "missing" && { reason: "first-name-missing" },
    first === "long" && { reason: "name-too-long", field: "firstName" },
    last === "missing" && { reason: "last-name-missing" },
    last === "long" && { reason: "name-too-long", field: "lastName" },
    !isEmail(details.email.trim()) && { reason: "email-invalid" },
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
