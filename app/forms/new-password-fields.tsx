import { Field } from "./field.tsx";
import type { FormEcho } from "./read-submission.ts";

type NewPasswordFieldsProps = {
  label?: string;
  hint: string;
  errors: FormEcho["fieldErrors"] | undefined;
};

/** A password to be had from now on, and once more against slips. */
export function NewPasswordFields({ label = "Password", hint, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <Field
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={hint}
        required
        errors={errors?.password}
      />
      <Field
        label={`Confirm ${label.toLowerCase()}`}
        name="passwordConfirmation"
        type="password"
        autoComplete="new-password"
        required
        errors={errors?.passwordConfirmation}
      />
    </>
  );
}
