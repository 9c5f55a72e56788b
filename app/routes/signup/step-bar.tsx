import { href } from "../../paths.ts";
import { Icon } from "../../ui/icons.tsx";
import { stepPath, type Step } from "./steps.ts";
import styles from "./step-bar.module.css";

type StepBarProps = {
  step: Step;
  to: string | undefined;
  /** Whoever renews has nothing behind the plans, and nobody goes back behind what is paid. */
  canGoBack?: boolean;
};

const labels = ["Details", "Plan", "Payment", "Done"];

/** Where one is in signing up, and the arrows: forward from the welcome alone, since each later step has to be earned (spec, section 2). */
export function StepBar({ step, to, canGoBack = step > 0 }: StepBarProps) {
  return (
    <div className={styles.bar}>
      {step < 4 && (
        <nav className={styles.arrows} aria-label="Steps">
          {canGoBack ? (
            <a href={href(stepPath((step - 1) as Step, to))} data-back="">
              <Icon name="back" />
              Back
            </a>
          ) : (
            <span role="link" aria-disabled="true">
              <Icon name="back" />
              Back
            </span>
          )}
          {step === 0 ? (
            <a className={styles.next} href={href(stepPath(1, to))}>
              Next
              <Icon name="forward" />
            </a>
          ) : (
            <span role="link" aria-disabled="true" className={styles.next}>
              Next
              <Icon name="forward" />
            </span>
          )}
        </nav>
      )}
      {step > 0 && (
        <ol className={styles.progress} aria-label="Progress">
          {labels.map((label, index) => (
            <li
              key={label}
              className={index + 1 < step ? styles.done : undefined}
              aria-current={index + 1 === step ? "step" : undefined}
            >
              {label}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
