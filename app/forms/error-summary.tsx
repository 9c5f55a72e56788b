import type { MouseEvent, ReactNode, Ref } from "react";

import { Icon } from "../ui/icons.tsx";
import type { FormEcho } from "./read-submission.ts";
import { useFocusOn } from "./use-focus-on.ts";
import styles from "./error-summary.module.css";

/** Everything that is wrong with a form, above it, with links to the fields; it takes the focus when it appears. */
export function ErrorSummary({ echo }: { echo: FormEcho | undefined }) {
  const summary = useFocusOn<HTMLDivElement>(echo);
  if (!echo) return null;
  const fieldErrors = Object.entries(echo.fieldErrors).flatMap(([field, errors]) =>
    errors.map((error) => ({ field, error })),
  );
  return (
    <ErrorBox ref={summary}>
      <ul className={styles.list}>
        {echo.formErrors.map((error) => (
          <li key={error}>{error}</li>
        ))}
        {fieldErrors.map(({ field, error }) => (
          <li key={field + error}>
            <a href={`#${field}`} onClick={focusField}>
              {error}
            </a>
          </li>
        ))}
      </ul>
    </ErrorBox>
  );
}

/** A change of the address would be a navigation to the router, which then forgets what the form was answered with. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** Something that went wrong, in gold and with the word for it. */
export function ErrorBox({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} className={styles.summary} role="alert" tabIndex={-1}>
      <p className={styles.title}>
        <Icon name="error" />
        Error
      </p>
      {children}
    </div>
  );
}
