import { Field } from "./field.tsx";
import type { FormEcho } from "./read-submission.ts";

type CodeFieldProps = {
  label: string;
  name: string;
  /** What a refused code shows again. */
  echo: FormEcho | undefined;
  errors?: string[] | undefined;
  /** The id of the form that it belongs to, where that is not around it. */
  form?: string | undefined;
};

/** Where the code of an email is typed, or offered by a browser that has read it. */
export function CodeField({ label, name, echo, errors = echo?.fieldErrors[name], form }: CodeFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="one-time-code"
      enterKeyHint="done"
      required
      defaultValue={echo?.values[name]}
      errors={errors}
      form={form}
    />
  );
}
