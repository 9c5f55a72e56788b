import { useEffect, useState, type InputHTMLAttributes, type ReactNode } from "react";

import { Icon } from "../ui/icons.tsx";
import styles from "./field.module.css";

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string;
  label: string;
  hint?: ReactNode;
  errors?: string[] | undefined;
};

/** A labelled text field with its hint and what is wrong with it. Its id is its name. */
export function Field({ label, hint, errors = [], ...input }: FieldProps) {
  const { name } = input;
  const describedBy = [hint && `${name}-hint`, errors.length > 0 && `${name}-errors`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p id={`${name}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {input.type === "password" ? (
        <PasswordInput {...input} id={name} aria-describedby={describedBy || undefined} aria-invalid={errors.length > 0 || undefined} />
      ) : (
        <input {...input} id={name} aria-describedby={describedBy || undefined} aria-invalid={errors.length > 0 || undefined} />
      )}
      {errors.length > 0 && (
        <p id={`${name}-errors`} className={styles.error}>
          <Icon name="error" />
          <span>
            <span className="visually-hidden">Error: </span>
            {errors.join(" ")}
          </span>
        </p>
      )}
    </div>
  );
}

/** A password that can be looked at, where script runs. */
function PasswordInput(input: InputHTMLAttributes<HTMLInputElement>) {
  const [isReady, setIsReady] = useState(false);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => setIsReady(true), []);
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
