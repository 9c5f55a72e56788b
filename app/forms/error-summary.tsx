import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { useId, useMemo, type MouseEvent, type ReactNode, type Ref } from "react";

import { Icon } from "../components/icons.tsx";
import { endsSentence } from "./field.tsx";
import { useFocusOn } from "./focus-on.ts";
import styles from "./error-summary.module.css";

type ErrorSummaryProps = {
  form: FormMetadata;
  /** In the page's order. The error of any other field is a sentence without a link. */
  fields?: SummaryField[];
  /** Errors that the page itself found, outside of Conform. */
  cause?: object | undefined;
  remedy?: ReactNode;
};

type SummaryField = Pick<FieldMetadata, "id" | "name" | "errors">;

const noFields: SummaryField[] = [];

/** All errors of a form with links to its fields; it takes the focus when it appears. */
export function ErrorSummary({ form, fields = noFields, cause, remedy }: ErrorSummaryProps) {
  const all = Object.entries(form.allErrors);
  const formErrors = all.flatMap(([name, errors]) => (fields.some((field) => field.name === name) ? [] : errors));
  const fieldErrors = fields.flatMap(({ id, errors = [] }) => errors.map((error) => ({ id, error })));
  const isWrong = formErrors.length + fieldErrors.length > 0;
  // Errors that disappear while typing are no answer.
  const answered = isWrong && form.status === "error" ? form.allErrors : undefined;
  const summary = useFocusOn<HTMLDivElement>(
    useMemo(() => (answered ?? cause) && [answered, cause], [answered, cause]),
  );
  if (!isWrong) return null;
  return (
    <ErrorBox ref={summary}>
      <ul className={styles.list}>
        {formErrors.map((error) => (
          <li key={error}>
            {error}
            <FullStop after={error} />
          </li>
        ))}
        {fieldErrors.map(({ id, error }) => (
          <li key={id + error}>
            <a href={`#${id}`} onClick={focusField}>
              {error}
            </a>
            <FullStop after={error} />
          </li>
        ))}
      </ul>
      {remedy}
    </ErrorBox>
  );
}

/** Some sentences have no full stop (docs/behaviour.md, Refusals); a screen reader would join two of them. */
function FullStop({ after }: { after: string }) {
  return endsSentence(after) ? null : <span className="visually-hidden">.</span>;
}

/** For the router, following the link would be a navigation, which drops the answer to the form. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
  // A field in a frame gets the focus by its label.
  if (document.activeElement !== field) document.querySelector<HTMLElement>(`label[for="${field.id}"]`)?.click();
}

/** A screen reader reads it once, by the focus that it takes: an alert would be read a second time. */
export function ErrorBox({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  const id = useId();
  return (
    <div
      ref={ref}
      className={styles.summary}
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-said`}
      tabIndex={-1}
    >
      <p id={id} className={styles.title}>
        <Icon name="error" />
        Error
      </p>
      <div id={`${id}-said`} className={styles.said}>
        {children}
      </div>
    </div>
  );
}
