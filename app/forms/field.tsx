import type { FieldMetadata } from "@conform-to/react";
import { useState, type ComponentProps, type InputHTMLAttributes, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { Icon } from "../components/icons.tsx";
import styles from "./field.module.css";

type LabelProps = {
  id: string;
  label: string;
  hint?: ReactNode;
  errors?: string[] | undefined;
  remedy?: ReactNode;
};

type PlainFieldProps = InputHTMLAttributes<HTMLInputElement> & LabelProps;

type FieldProps = Omit<PlainFieldProps, "type" | "id" | "errors"> & {
  field: FieldMetadata<string>;
  type?: "text" | "email" | "password" | "date";
};

/**
 * A labelled text field of a Conform form, required by default. A password is never filled in. Conform's
 * `getInputProps` reads a dozen constraints through proxies, a tenth of the time of a page with forms, and we use none.
 */
export function Field({ field, type = "text", ...props }: FieldProps) {
  const { key, id, name, formId, initialValue, errors } = field;
  const filledIn = type !== "password" && { defaultValue: initialValue };
  return <PlainField key={key} required {...props} {...filledIn} {...{ id, name, type, errors }} form={formId} />;
}

export function PlainField({ label, hint, errors, remedy, ...input }: PlainFieldProps) {
  return (
    <Labelled {...{ id: input.id, label, hint, errors, remedy }}>
      {(described) =>
        input.type === "password" ? <PasswordInput {...input} {...described} /> : <input {...input} {...described} />
      }
    </Labelled>
  );
}

export function TextArea({ label, hint, errors, ...area }: ComponentProps<"textarea"> & LabelProps) {
  return (
    <Labelled {...{ id: area.id, label, hint, errors }}>
      {(described) => <textarea {...area} {...described} />}
    </Labelled>
  );
}

type SelectProps = ComponentProps<"select"> & LabelProps & { options: readonly { value: string; label: string }[] };

export function Select({ label, hint, errors, options, ...select }: SelectProps) {
  return (
    <Labelled {...{ id: select.id, label, hint, errors }}>
      {(described) => (
        // Made again where Back leads to another choice.
        <select key={String(select.defaultValue)} {...select} {...described}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

type Described = { "aria-describedby": string | undefined; "aria-invalid": boolean };

function Labelled({
  id,
  label,
  hint,
  errors,
  remedy,
  children,
}: LabelProps & { children: (described: Described) => ReactNode }) {
  const isWrong = errors !== undefined && errors.length > 0;
  const describedBy = [hint && `${id}-description`, isWrong && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-description`} className={styles.hint}>
          {hint}
        </p>
      )}
      {/* Always given: browsers tell screen readers that an empty required field is invalid. */}
      {children({ "aria-describedby": describedBy || undefined, "aria-invalid": isWrong })}
      {isWrong && <FieldErrors id={`${id}-error`} errors={errors} />}
      {isWrong && remedy}
    </div>
  );
}

export function FieldErrors({ id, errors }: { id: string; errors: string[] }) {
  return (
    <p id={id} className={styles.error}>
      <Icon name="error" />
      <span>
        <span className="visually-hidden">Error: </span>
        {errors.map((error) => (endsSentence(error) || errors.length === 1 ? error : `${error}.`)).join(" ")}
      </span>
    </p>
  );
}

export function endsSentence(text: string): boolean {
  return /[.!?]$/.test(text);
}

/** A button shows what was typed, where script runs. */
function PasswordInput(input: InputHTMLAttributes<HTMLInputElement>) {
  const isReady = useHydrated();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.password}>
      <input {...input} type={isShown ? "text" : "password"} />
      {isReady && (
        <button type="button" onClick={() => setIsShown(!isShown)} aria-pressed={isShown}>
          <span>{isShown ? "Hide" : "Show"}</span> <span className="visually-hidden">password</span>
        </button>
      )}
    </div>
  );
}

/** The account of a password form, so that a browser offers and saves the right one. */
export function Username({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}

type NewPasswordFieldsProps = {
  label?: string;
  hint: string;
  fields: { password: FieldMetadata<string>; passwordConfirmation: FieldMetadata<string> };
};

export function NewPasswordFields({ label = "Password", hint, fields }: NewPasswordFieldsProps) {
  const field = { type: "password", autoComplete: "new-password" } as const;
  return (
    <>
      <Field {...field} field={fields.password} label={label} hint={hint} />
      <Field {...field} field={fields.passwordConfirmation} label={`Confirm ${label.toLowerCase()}`} />
    </>
  );
}

/** For a code from an email, which a browser may offer to fill in. */
export function CodeField({ label, field }: { label: string; field: FieldMetadata<string> }) {
  return <Field field={field} label={label} inputMode="numeric" autoComplete="one-time-code" enterKeyHint="done" />;
}

type FieldsetProps = ComponentProps<"fieldset"> & {
  title: string;
  /** Where the page shows the title already. */
  isTitleHidden?: boolean;
};

/** A screen reader would read the group's name and then the same words as its legend. */
export function Fieldset({ title, isTitleHidden = false, className, children, ...fieldset }: FieldsetProps) {
  return (
    <fieldset aria-label={title} className={`${styles.fieldset} ${className}`} {...fieldset}>
      <legend aria-hidden="true" className={isTitleHidden ? "visually-hidden" : undefined}>
        {title}
      </legend>
      {children}
    </fieldset>
  );
}
