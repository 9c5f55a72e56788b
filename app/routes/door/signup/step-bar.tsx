import { Link } from "react-router";

import { BackLink } from "../../../components/links.tsx";
import { Icon } from "../../../components/icons.tsx";
import { href } from "../../../frame/paths.ts";
import { logInPath } from "../login/paths.ts";
import { renewPath, type Step, stepPath } from "./steps.ts";
import buttons from "../../../components/button.module.css";
import styles from "./step-bar.module.css";
import steps from "./step.module.css";

const back = `${buttons.pill} ${styles.back}`;
const next = `${buttons.pill} ${styles.next}`;

type StepBarProps = {
  step: Step;
  to: string | undefined;
  /** A renewal has no step before the plans, and a payment cannot be undone. */
  canGoBack?: boolean;
};

/** Forward only from the welcome: each later step has to be earned. */
export function StepBar({ step, to, canGoBack = step > 0 }: StepBarProps) {
  if (step === 4) return <Progress step={4} />;
  return (
    <nav className={styles.bar} aria-label="Steps">
      {canGoBack ? (
        <BackLink className={back} to={stepPath((step - 1) as Step, to)}>
          <Back />
        </BackLink>
      ) : (
        <span className={back} role="link" aria-disabled="true">
          <Back />
        </span>
      )}{" "}
      {step > 0 && <Progress step={step} />}
      {step === 0 ? (
        <a className={next} href={href(stepPath(1, to))}>
          <Next />
        </a>
      ) : (
        <span className={next} role="link" aria-disabled="true">
          <Next />
        </span>
      )}
    </nav>
  );
}

function Back() {
  return (
    <>
      <Icon name="back" />
      <span className={styles.word}>Back</span>
    </>
  );
}

function Next() {
  return (
    <>
      <span className={styles.word}>Next</span>
      <Icon name="forward" />
    </>
  );
}

const labels = ["Details", "Plan", "Payment", "Done"];

function Progress({ step }: { step: Step }) {
  return (
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
  );
}

/** Opens the terms in other tabs, so that typed text stays. */
export function LegalNote() {
  return (
    <p className={steps.quiet}>
      See our <LegalLink path="/terms" label="terms" /> and <LegalLink path="/privacy" label="privacy notice" />.
    </p>
  );
}

function LegalLink({ path, label }: { path: string; label: string }) {
  return (
    <a href={href(path)} target="_blank">
      {label}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

export type Fact = { label: string; value: string };

export function fact(label: string, value: string): Fact {
  return { label, value };
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={steps.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** For an address with an account: logs in, and renews an ended membership. */
export function LogInLink({ to }: { to: string | undefined }) {
  return (
    <p>
      <Link className={steps.login} to={logInPath(renewPath(to))}>
        Log in instead
      </Link>
    </p>
  );
}
