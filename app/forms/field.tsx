import { useState, type InputHTMLAttributes, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { Icon } from "../ui/icons.tsx";
import styles from "./field.module.css";

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  hint?: ReactNode;
  errors?: string[] | undefined;
  /** What stands beneath an error: a way out of it. */
  remedy?: ReactNode;
} & ({ name: string } | { id: string });

/**
 * A labelled text field with its hint and what is wrong with it. Its id is its name. One with an id alone is never part of
 * what its form sends.
 */
export function Field({ label, hint, errors, remedy, ...field }: FieldProps) {
  const id = "name" in field && field.name !== undefined ? field.name : field.id;
  const isWrong = errors !== undefined && errors.length > 0;
  const describedBy = [hint && `${id}-hint`, isWrong && `${id}-errors`].filter(Boolean).join(" ");
  const input = {
    ...field,
    id,
    "aria-describedby": describedBy || undefined,
    // Said in either case: browsers tell screen readers that an empty required field is invalid.
    "aria-invalid": isWrong,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {input.type === "password" ? <PasswordInput {...input} /> : <input {...input} />}
      {isWrong && <FieldErrors id={`${id}-errors`} errors={errors} />}
      {isWrong && remedy}
    </div>
  );
}

/** What is wrong with a field, beneath it. */
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

/** A password that can be looked at, where script runs. */
function PasswordInput(input: InputHTMLAttributes<HTMLInputElement>) {
  const isReady = useHydrated();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.password}>
      <input {...input} type={isShown ? "text" : "password"} />
      {isReady && (
        <button type="button" onClick={() => setIsShown(!isShown)} aria-pressed={isShown}>
          {isShown ? "Hide" : "Show"} <span className="visually-hidden">password</span>
        </button>
      )}
    </div>
  );
}
