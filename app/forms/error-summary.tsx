import { useId, type MouseEvent, type ReactNode, type Ref } from "react";

import { Icon } from "../ui/icons.tsx";
import type { FormEcho } from "./read-submission.ts";
import { endsSentence } from "./field.tsx";
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
          <li key={error}>
            {error}
            <Stop after={error} />
          </li>
        ))}
        {fieldErrors.map(({ field, error }) => (
          <li key={field + error}>
            <a href={`#${field}`} onClick={focusField}>
              {error}
            </a>
            <Stop after={error} />
          </li>
        ))}
      </ul>
    </ErrorBox>
  );
}

/** Some sentences of the specification end without a full stop; read out in one go, two of them were one. */
function Stop({ after }: { after: string }) {
  return endsSentence(after) ? null : <span className="visually-hidden">.</span>;
}

/** A change of the address would be a navigation to the router, which then forgets what the form was answered with. */
function focusField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/**
 * Something that went wrong, in gold and with the word for it. Whoever listens hears it by the focus that it takes, once: as an
 * alert it would be read a second time.
 */
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
