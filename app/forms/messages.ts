import { z } from "zod";

import type { NewPasswordRefusal } from "../../server/members/accounts/passwords.ts";
import { waitText } from "../../server/platform/format.ts";
import { emailCodes, forms, newPassword, person } from "../../server/refusals.ts";
import { refuse, toFormResult } from "./answer.ts";
import type { Reply } from "./parse-form.ts";

export type FieldMessage<Field extends string = string> = [field: Field, sentence: string];

export function toFieldErrors(messages: FieldMessage[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const [field, sentence] of messages) (errors[field] ??= []).push(sentence);
  return errors;
}

/** Programs read the wait from the header; the page says it in words. */
export function tooSoon(waitInMs: number): { status: 429; headers: { "Retry-After": string } } {
  return { status: 429, headers: { "Retry-After": String(Math.max(1, Math.ceil(waitInMs / 1000))) } };
}

export function tooMany(waitInMs: number): string {
  return forms["too-many-attempts"](waitText(waitInMs));
}

/** `reply`: of a form with fields, which keeps what was typed. */
export function refuseTooMany<Form extends string>(form: Form, { waitInMs }: { waitInMs: number }, reply?: Reply) {
  const sentence = tooMany(waitInMs);
  return refuse(form, reply?.({ formErrors: [sentence] }) ?? toFormResult(sentence), tooSoon(waitInMs));
}

/** Six digits, however they are spaced or pasted. */
const CODE_MAX_LENGTH = 40;

/** The module that checks an emailed code ignores what is between the digits. */
export const typedCode = z.string({ error: emailCodes.missing }).max(CODE_MAX_LENGTH, emailCodes.missing);

export function emailWaitMessage(refusal: { reason: "too-soon" | "too-many-attempts"; waitInMs: number }): string {
  return emailCodes[refusal.reason](waitText(refusal.waitInMs));
}

/** A new refusal does not compile until it has a message and a field. */
export const newPasswordMessages: Record<NewPasswordRefusal, FieldMessage<"password" | "passwordConfirmation">> = {
  "password-short": ["password", newPassword["password-short"]],
  "password-long": ["password", newPassword["password-long"]],
  "password-common": ["password", newPassword["password-common"]],
  "password-mismatch": ["passwordConfirmation", newPassword["password-mismatch"]],
};

export const personMessages = {
  "first-name-missing": ["firstName", person["first-name-missing"]],
  "last-name-missing": ["lastName", person["last-name-missing"]],
  "email-invalid": ["email", person["email-invalid"]],
  "email-registered": ["email", person["email-registered"]],
} satisfies Record<string, FieldMessage<"firstName" | "lastName" | "email">>;
