import { useState, type InputHTMLAttributes, type ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

import { Icon } from "../ui/icons.tsx";
import styles from "./field.module.css";

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string;
  label: string;
  hint?: ReactNode;
  errors?: string[] | undefined;
};

/** A labelled text field with its hint and what is wrong with it. Its id is its name. */
export function Field({ label, hint, errors, ...field }: FieldProps) {
  const { name } = field;
  const isWrong = errors !== undefined && errors.length > 0;
  const describedBy = [hint && `${name}-hint`, isWrong && `${name}-errors`].filter(Boolean).join(" ");
  const input = {
    ...field,
    id: name,
    "aria-describedby": describedBy || undefined,
    "aria-invalid": isWrong || undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p id={`${name}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {input.type === "password" ? <PasswordInput {...input} /> : <input {...input} />}
      {isWrong && (
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
